/* Lists of deliveries for clients and operators. */
#include "store/notify/delivery.h"

/* clang-format off */
#define DELIVERY(member) FIELD(struct delivery, member)
#define READ_ROWS \
	DELIVERY(id), DELIVERY(account_id), DELIVERY(channel_id), DELIVERY(channel_name), \
	DELIVERY(subscriber_id), DELIVERY(subscriber_address), DELIVERY(kind), \
	DELIVERY(object_id), DELIVERY(state), DELIVERY(tries), DELIVERY(status), \
	DELIVERY(response), DELIVERY(created_at), DELIVERY(due_at), DELIVERY(tried_at)
#define COLUMNS \
	"d.id, d.account_id, d.channel_id, c.name AS channel_name, d.subscriber_id, " \
	"s.address AS subscriber_address, d.kind, d.object_id, d.state, " \
	"d.tries, d.status, d.response, d.created_at, IF(d.state = 0, d.due_at, NULL) AS due_at, " \
	"d.tried_at"
#define RECEIVERS \
	"LEFT JOIN alert_channels c ON c.id = d.channel_id " \
	"LEFT JOIN subscribers s ON s.id = d.subscriber_id "
#define DELIVERIES \
	"SELECT " COLUMNS " FROM deliveries d " RECEIVERS \
	"JOIN accounts a ON a.id = d.account_id AND a.removed_at IS NULL "
/* clang-format on */
static const struct field read_rows[] = { READ_ROWS };
_Static_assert(DELIVERY_QUEUED == 0 && DELIVERY_FAILED == 2, "the statements have the numbers");

static void add_filter(struct sql_build *sql, const struct delivery_query *query,
		       struct arena *arena)
{
	sql_add(sql, SQL("WHERE account_id = ? "), query->list.account_id);
	if (query->list.search)
		sql_add(sql, SQL("AND response LIKE ? ESCAPE '!' "),
			sql_contains(arena, query->list.search));
	if (query->state != DELIVERY_ANY_STATE)
		sql_add(sql, SQL("AND state = ? "), query->state);
	if (query->channel_id > 0)
		sql_add(sql, SQL("AND channel_id = ? "), query->channel_id);
	if (query->subscriber_id > 0)
		sql_add(sql, SQL("AND subscriber_id = ? "), query->subscriber_id);
}

enum result deliveries_list(struct db *db, const struct delivery_query *query, struct arena *arena,
			    struct delivery_list *list, struct error *error)
{
	static const struct field rows[] = { READ_ROWS, LIST_TOTAL(struct delivery) };
	struct sql_build sql;
	bool is_ascending = query->list.is_ascending;
	sql_start(&sql, SQL("SELECT " COLUMNS ", (SELECT COUNT(*) FROM deliveries "));
	add_filter(&sql, query, arena);
	sql_add(&sql, SQL(") AS total FROM (SELECT * FROM deliveries "));
	add_filter(&sql, query, arena);
	sql_add(&sql, is_ascending ? SQL("ORDER BY id ") : SQL("ORDER BY id DESC "));
	sql_add(&sql, SQL("LIMIT ? OFFSET ?) d " RECEIVERS), query->list.limit, query->list.offset);
	sql_add(&sql, is_ascending ? SQL("ORDER BY d.id LIMIT 100")
				   : SQL("ORDER BY d.id DESC LIMIT 100"));
	enum result result = list_read(db, &sql, FIELDS(rows), LIST_INTO(list), arena, error);
	if (result != OK || list->count > 0 || query->list.offset == 0)
		return result;
	sql_start(&sql, SQL("SELECT COUNT(*) AS total FROM deliveries "));
	add_filter(&sql, query, arena);
	return list_total_past_end(db, &sql, query->list.offset, &list->total, error);
}

enum result deliveries_after(struct db *db, int64_t account_id, int64_t after_id,
			     struct arena *arena, struct delivery_list *list, struct error *error)
{
	enum { MOST = 1000 };
	struct sql_build sql;
	struct db_list found;
	sql_start(&sql, SQL(DELIVERIES "WHERE d.id > ? "), after_id);
	if (account_id > 0)
		sql_add(&sql, SQL("AND d.account_id = ? "), account_id);
	sql_add(&sql, SQL("ORDER BY d.id LIMIT 1000"));
	enum result result = db_read_list(
		db, &sql, DB_SHAPE(FIELDS(read_rows), struct delivery, MOST), arena, &found, error);
	*list = (struct delivery_list){ .rows = found.rows, .count = found.count };
	return result;
}

enum result delivery_find(struct db *db, int64_t account_id, int64_t id, bool for_update,
			  struct arena *arena, struct delivery *delivery, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(DELIVERIES "WHERE d.id = ? "), id);
	if (account_id > 0)
		sql_add(&sql, SQL("AND d.account_id = ? "), account_id);
	sql_add(&sql, SQL("ORDER BY d.id LIMIT 1"));
	if (for_update)
		sql_add(&sql, SQL(" FOR UPDATE"));
	return db_read_one(db, &sql, FIELDS(read_rows), delivery, arena, error);
}

enum result delivery_retry(struct db *db, int64_t id, struct instant now, struct error *error)
{
	struct sql_build sql;
	/* Set first_due_at: the age of the delivery is counted from it. Clear message_id, so that a
	 * notice to a subscriber becomes part of a new message. */
	sql_start(&sql, SQL("UPDATE deliveries SET state = ?, due_at = ?, first_due_at = ?, "
			    "tries = 0, lease = 0, message_id = 0 WHERE id = ?"));
	sql_add(&sql, DELIVERY_QUEUED, now, now, id);
	return db_write(db, &sql, NULL, error);
}

enum result delivery_health_read(struct db *db, struct instant now, struct delivery_health *health,
				 struct error *error)
{
#define HEALTH(member) FIELD(struct delivery_health, member)
	static const struct field rows[] = { HEALTH(queued), HEALTH(oldest_s), HEALTH(failed),
					     HEALTH(suspended_channels), HEALTH(unexpanded_s) };
#undef HEALTH
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT (SELECT COUNT(*) FROM deliveries WHERE " ANY_LANE "state = 0) "
			    "AS queued, "
			    "(SELECT COALESCE(TIMESTAMPDIFF(SECOND, "
			    "MIN(first_due_at), ?), 0) FROM deliveries "
			    "WHERE " ANY_LANE "state = 0 AND first_due_at <= ?) AS oldest_s, "
			    "(SELECT COUNT(*) FROM deliveries WHERE " ANY_LANE
			    "state = 2 AND due_at > ?) "
			    "AS failed, (SELECT COUNT(*) FROM alert_channels "
			    "WHERE suspended_at IS NOT NULL) AS suspended_channels, "
			    "(SELECT COALESCE(TIMESTAMPDIFF(SECOND, MIN(at), ?), 0) FROM outbox "
			    "WHERE is_expanded = 0 OR subscribers_after IS NOT NULL) "
			    "AS unexpanded_s"));
	sql_add(&sql, now, now, (struct instant){ now.s - 86400 }, now);
	return db_read_one(db, &sql, FIELDS(rows), health, NULL, error);
}
