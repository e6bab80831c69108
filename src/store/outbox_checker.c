/* The rows of the outbox about the checker. */
#include "base/buf.h"
#include "store/outbox.h"
#include "wire/json.h"

void outbox_put_checker(struct json_object *tree, const struct event_change *change)
{
	struct json_object *object = json_object_tree();
	json_put_text(object, "location", change->detail);
	json_put_time(object, "cut_off_since", change->starts_at);
	json_put_time(object, "cut_off_until", change->ends_at);
	json_put(tree, "checker", object);
}

static void print_payload(struct buf *text, const struct event_change *change)
{
	struct json_object *tree = json_object_tree();
	json_put_null(tree, "text");
	outbox_put_checker(tree, change);
	json_print(text, tree);
	json_free(tree);
	buf_putc(text, '\0');
}

enum result outbox_add_checker(struct db *db, const struct event_change *change, struct instant now,
			       struct error *error)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(1 << 10);
	struct sql_build sql;
	print_payload(&text, change);
	if (!buf_ok(&text))
		return error_log(error, E_REFUSED, "no memory for a row of the outbox");
	sql_start(&sql, SQL("INSERT INTO outbox (at, due_at, account_id, kind, object_id, payload) "
			    "SELECT DISTINCT ?, ?, k.account_id, ?, k.account_id, ? "
			    "FROM monitor_checks k WHERE k.type > 0 AND EXISTS (SELECT 1 "
			    "FROM alert_channels c WHERE c.account_id = k.account_id)"));
	sql_add(&sql, now, now, event_kind_word(change->kind), text.data);
	return db_write(db, &sql, NULL, error);
}
