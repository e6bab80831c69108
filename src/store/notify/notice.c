#include "store/notify/notice.h"

#include <string.h>

#include "store/notify/subscriber.h"

/* Finds the heads (notice.h) of the messages that are due. */
static enum result find_heads(struct db *db, enum delivery_lane lane,
			      const struct delivery_lease *lease, struct arena *arena,
			      struct id_list *heads, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT d.id FROM deliveries d "
			    "WHERE d.lane = ? AND d.state = ? AND d.due_at <= ? "
			    "AND NOT EXISTS (SELECT 1 FROM deliveries p "
			    "WHERE p.subscriber_id = d.subscriber_id AND p.state = ? "
			    "AND p.id < d.id AND (p.tries > 0 OR p.due_at <= ?)) "));
	sql_add(&sql, lane, DELIVERY_QUEUED, lease->now, DELIVERY_QUEUED, lease->now);
	delivery_lease_leaves_out(&sql, lease, arena);
	/* Put webhooks after a failed try at the end, because they may hang. For mail, use the
	 * order of an index: all mail goes to one server, and thousands of messages may wait. */
	sql_add(&sql, lane == LANE_SUBSCRIBER_WEBHOOK ? SQL("ORDER BY d.tries > 0, d.due_at, d.id ")
						      : SQL("ORDER BY d.due_at, d.id "));
	sql_add(&sql, SQL("LIMIT ?"), (int64_t)lease->most);
	return db_read_ids(db, &sql, lease->most, arena, heads, error);
}

/*
 * Adds the subscriber's waiting deliveries to the message. For a webhook, adds only deliveries
 * about the same object. Skips a message whose head (notice.h) has another lease, because another
 * sender may have made the message.
 */
static enum result join_messages(struct db *db, int64_t lease, const struct id_list *heads,
				 struct arena *arena, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql,
		  SQL("UPDATE deliveries d JOIN deliveries h ON h.subscriber_id = d.subscriber_id "
		      "SET d.message_id = h.id WHERE h.lease = ? AND h.message_id = 0 "
		      "AND d.state = ? AND d.message_id = 0 AND (d.id = h.id OR (d.id > h.id "
		      "AND d.tries = 0 AND h.outbox_id IS NOT NULL AND d.outbox_id IS NOT NULL "
		      "AND (d.lane <> ? OR (d.object_id = h.object_id "
		      "AND LEFT(d.kind, 8) = LEFT(h.kind, 8))))) AND h.id IN ("));
	sql_add(&sql, lease, DELIVERY_QUEUED, LANE_SUBSCRIBER_WEBHOOK);
	sql_list_ints(&sql, heads->ids, heads->count, arena);
	sql_add(&sql, SQL(")"));
	return db_write(db, &sql, NULL, error);
}

/* Drops the last message from the list, because the LIMIT may have cut off some of its rows. */
static void drop_last_message(struct db_list *rows)
{
	const struct leased_notice *notices = rows->rows;
	size_t count = rows->count;
	while (count > 0 && notices[count - 1].message_id == notices[rows->count - 1].message_id)
		count--;
	if (count > 0)
		rows->count = count;
}

static enum result read_messages(struct db *db, const struct delivery_lease *lease,
				 const struct id_list *heads, struct arena *arena,
				 struct db_list *rows, struct error *error)
{
	enum { ROWS_MAX = SQL_ROWS_MAX }; /* the outbox ids of the rows must fit into one list */
#define ROW(member) FIELD(struct leased_notice, member)
	static const struct field fields[] = {
		ROW(id),	   ROW(message_id),    ROW(account_id),
		ROW(page_id),	   ROW(subscriber_id), ROW(type),
		ROW(address),	   ROW(is_confirmed),  ROW(outbox_id),
		ROW(kind),	   ROW(object_id),     ROW(tries),
		ROW(first_due_at),
	};
#undef ROW
	struct sql_build sql;
	sql_start(&sql,
		  SQL("SELECT d.id, d.message_id, d.account_id, s.page_id, d.subscriber_id, "
		      "s.type, s.address, s.confirmed_at IS NOT NULL AND s.suspended_at IS NULL AS "
		      "is_confirmed, "
		      "d.outbox_id, d.kind, d.object_id, h.tries, h.first_due_at "
		      "FROM deliveries h JOIN deliveries d ON d.subscriber_id = h.subscriber_id "
		      "AND d.state = h.state AND d.message_id = h.id "
		      "JOIN subscribers s ON s.id = h.subscriber_id "
		      "WHERE h.lease = ? AND h.state = ? AND h.id IN ("));
	sql_add(&sql, lease->lease, DELIVERY_QUEUED);
	sql_list_ints(&sql, heads->ids, heads->count, arena);
	sql_add(&sql, SQL(") ORDER BY d.message_id, d.id LIMIT ?"), ROWS_MAX);
	enum result result = db_read_list(db, &sql,
					  DB_SHAPE(FIELDS(fields), struct leased_notice, ROWS_MAX),
					  arena, rows, error);
	if (result == OK && rows->count == ROWS_MAX)
		drop_last_message(rows);
	return result;
}

/* The event of a delivery, from the outbox. */
struct told {
	int64_t id;
	struct instant at;
	const char *payload;
};

static int told_order(const void *a, const void *b)
{
	const struct told *left = a, *right = b;
	return (left->id > right->id) - (left->id < right->id);
}

/* Reads the events of the rows. An event is read only once, even if many subscribers are told of
 * it. */
static enum result read_events(struct db *db, struct db_list *rows, struct arena *arena,
			       struct error *error)
{
	static const struct field fields[] = { FIELD(struct told, id), FIELD(struct told, at),
					       FIELD(struct told, payload) };
	struct leased_notice *notices = rows->rows;
	struct id_list ids = { ARENA_ARRAY(arena, rows->count, int64_t), 0 };
	struct db_list found = { 0 };
	struct sql_build sql;
	for (size_t i = 0; i < rows->count; i++)
		if (notices[i].outbox_id > 0)
			ids.ids[ids.count++] = notices[i].outbox_id;
	id_list_settle(&ids);
	if (ids.count == 0)
		return OK;
	sql_start(&sql, SQL("SELECT id, at, payload FROM outbox WHERE id IN ("));
	sql_list_ints(&sql, ids.ids, ids.count, arena);
	sql_add(&sql, SQL(") ORDER BY id LIMIT ?"), (int64_t)ids.count);
	enum result result = db_read_list(
		db, &sql, DB_SHAPE(FIELDS(fields), struct told, ids.count), arena, &found, error);
	for (size_t i = 0; result == OK && i < rows->count && found.count > 0; i++) {
		const struct told key = { .id = notices[i].outbox_id };
		const struct told *told =
			bsearch(&key, found.rows, found.count, sizeof(*told), told_order);
		if (!told)
			continue;
		notices[i].at = told->at;
		notices[i].payload = told->payload;
	}
	return result;
}

enum result notices_lease(struct db *db, enum delivery_lane lane,
			  const struct delivery_lease *lease, struct arena *arena,
			  struct db_list *rows, struct error *error)
{
	struct id_list ids = { 0 };
	*rows = (struct db_list){ 0 };
	enum result result = find_heads(db, lane, lease, arena, &ids, error);
	if (result != OK || ids.count == 0)
		return result;
	result = delivery_lease_take(db, lease, &ids, arena, error);
	if (result == OK)
		result = join_messages(db, lease->lease, &ids, arena, error);
	if (result == OK)
		result = read_messages(db, lease, &ids, arena, rows, error);
	return result == OK ? read_events(db, rows, arena, error) : result;
}

/* Sets *is_ours if the message still has this lease. */
static enum result is_ours(struct db *db, int64_t lease, int64_t message_id, bool *is_ours,
			   struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct id_list ids = { 0 };
	struct sql_build sql;
	arena_init(&arena, 1 << 20);
	sql_start(&sql, SQL("SELECT id FROM deliveries WHERE id = ? AND lease = ? "
			    "ORDER BY id LIMIT 1"));
	sql_add(&sql, message_id, lease);
	enum result result = db_read_ids(db, &sql, 1, &arena, &ids, error);
	*is_ours = ids.count > 0;
	return result;
}

/* Stores what the outcome says about the subscriber: a confirmation, a suspension, or a bounce. */
static enum result tell_subscriber(struct db *db, int64_t lease,
				   const struct notice_outcome *outcome, struct instant now,
				   struct error *error)
{
	bool is_news = outcome->is_confirmed || outcome->verdict.suspends_channel ||
		       outcome->is_bounce;
	enum result result = is_news ? is_ours(db, lease, outcome->message_id, &is_news, error)
				     : OK;
	if (result != OK || !is_news)
		return result;
	if (outcome->is_confirmed)
		return subscriber_confirm(db, outcome->subscriber_id, now, error);
	if (outcome->verdict.suspends_channel)
		return subscriber_suspend(db, outcome->subscriber_id, outcome->response, now,
					  error);
	return outcome->is_bounce ? subscriber_bounce(db, outcome->subscriber_id, outcome->response,
						      now, error)
				  : OK;
}

static const struct sql_rows outcome_rows = {
	.first = { "SELECT CAST(? AS SIGNED) AS id, CAST(? AS SIGNED) AS subscriber_id, "
		   "CAST(? AS SIGNED) AS state, CAST(? AS SIGNED) AS is_unsent, "
		   "CAST(? AS DATETIME) AS due_at, CAST(? AS SIGNED) AS status, "
		   "CAST(? AS CHAR(1000)) AS response" },
	.next = { " UNION ALL SELECT CAST(? AS SIGNED), CAST(? AS SIGNED), CAST(? AS SIGNED), "
		  "CAST(? AS SIGNED), CAST(? AS DATETIME), CAST(? AS SIGNED), "
		  "CAST(? AS CHAR(1000))" },
};

/* Stores the outcomes in all deliveries of the messages, by one statement. The id of a message is
 * the id of its head, by which the statement finds its other deliveries. */
static enum result store_states(struct db *db, int64_t lease, const struct notice_outcome *outcomes,
				size_t count, struct instant now, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct sql_build sql;
	arena_init(&arena, 16 << 20);
	sql_start(&sql, SQL("UPDATE ("));
	sql_rows_begin(&sql, &outcome_rows, count, &arena);
	for (size_t i = 0; i < count; i++) {
		const struct notice_outcome *outcome = &outcomes[i];
		sql_add(&sql, outcome->message_id, outcome->subscriber_id, outcome->verdict.state,
			outcome->is_unsent, (struct instant){ now.s + outcome->verdict.wait_s },
			outcome->status, outcome->response);
	}
	sql_rows_end(&sql);
	sql_add(&sql, SQL(") o JOIN deliveries h ON h.id = o.id AND h.lease = ? AND h.state = ? "
			  "JOIN deliveries d ON d.subscriber_id = o.subscriber_id "
			  "AND d.message_id = o.id AND d.state = ? "
			  "SET d.state = o.state, d.due_at = o.due_at, d.status = o.status, "
			  "d.response = o.response, d.tries = h.tries - o.is_unsent, "
			  "d.tried_at = h.tried_at"));
	sql_add(&sql, lease, DELIVERY_QUEUED, DELIVERY_QUEUED);
	return db_write(db, &sql, NULL, error);
}

enum result notices_store(struct db *db, int64_t lease, const struct notice_outcome *outcomes,
			  size_t count, struct instant now, struct error *error)
{
	enum { CHUNK = 64 };
	enum result result = OK;
	for (size_t from = 0; result == OK && from < count; from += CHUNK) {
		size_t left = count - from;
		result = store_states(db, lease, outcomes + from, left < CHUNK ? left : CHUNK, now,
				      error);
	}
	for (size_t i = 0; result == OK && i < count; i++)
		result = tell_subscriber(db, lease, &outcomes[i], now, error);
	return result;
}

struct committing {
	int64_t lease;
	const struct notice_outcome *outcomes;
	size_t count;
};

static enum result store_work(struct db *db, void *context, struct error *error)
{
	const struct committing *work = context;
	return notices_store(db, work->lease, work->outcomes, work->count, clock_now(), error);
}

enum result notices_commit(struct db *db, int64_t lease, const struct notice_outcome *outcomes,
			   size_t count, struct error *error)
{
	struct committing work = { lease, outcomes, count };
	return db_transact(db, DB_WRITE, store_work, &work, error);
}
