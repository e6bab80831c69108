/* The rows of the outbox that tell of the checker. */
#include "base/buf.h"
#include "store/outbox.h"
#include "wire/json.h"

static void print_checker(struct buf *text, struct instant since, struct instant until)
{
	struct json_object *tree = json_object_tree(), *object = json_object_tree();
	json_put_int(object, "id", 0);
	json_put_null(object, "location");
	json_put_time(object, "cut_off_since", since);
	json_put_time(object, "cut_off_until", until);
	json_put_null(tree, "text");
	json_put(tree, "checker", object);
	json_print(text, tree);
	json_free(tree);
	buf_putc(text, '\0');
}

enum result outbox_add_checker(struct db *db, enum event_kind kind, struct instant since,
			       struct instant now, struct error *error)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(1 << 10);
	struct sql_build sql;
	bool is_over = kind == EVENT_CHECKER_RECONNECTED;
	print_checker(&text, since, is_over ? now : (struct instant){ 0 });
	if (!buf_ok(&text))
		return error_log(error, E_REFUSED, "no memory for a row of the outbox");
	sql_start(&sql, SQL("INSERT INTO outbox (at, due_at, account_id, kind, object_id, payload) "
			    "SELECT DISTINCT ?, ?, k.account_id, ?, k.account_id, ? "
			    "FROM monitor_checks k WHERE k.type > 0 AND EXISTS (SELECT 1 "
			    "FROM alert_channels c WHERE c.account_id = k.account_id)"));
	sql_time(&sql, now);
	sql_time(&sql, now);
	sql_text(&sql, event_kind_word(kind));
	sql_text(&sql, text.data);
	return db_write(db, &sql, NULL, error);
}
