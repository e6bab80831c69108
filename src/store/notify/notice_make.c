/* Makes the deliveries to subscribers. */
#include "store/notify/notice.h"

static int64_t lane_of(const struct subscriber *subscriber)
{
	return subscriber->type == SUBSCRIBER_EMAIL ? LANE_SUBSCRIBER_MAIL
						    : LANE_SUBSCRIBER_WEBHOOK;
}

enum result notice_ask(struct db *db, const struct subscriber *subscriber, struct instant now,
		       struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO deliveries (account_id, subscriber_id, lane, event, kind, "
			    "object_id, state, created_at, due_at, first_due_at) "
			    "VALUES (?, ?, ?, ?, '" NOTICE_ASKS "', ?, ?, ?, ?, ?)"));
	sql_add(&sql, subscriber->account_id, subscriber->id, lane_of(subscriber), ALERT_UPDATES,
		subscriber->id, DELIVERY_QUEUED);
	for (int i = 0; i < 3; i++)
		sql_add(&sql, now);
	return db_write(db, &sql, NULL, error);
}

enum result notice_next(struct db *db, struct arena *arena, struct notice_event *event,
			struct error *error)
{
#define EVENT(member) FIELD(struct notice_event, member)
	static const struct field rows[] = {
		EVENT(outbox_id), EVENT(account_id),	   EVENT(kind), EVENT(object_id), EVENT(at),
		EVENT(payload),	  EVENT(subscribers_after)
	};
#undef EVENT
	struct id_list ids = { 0 };
	struct sql_build sql;
	/* Find the row without a lock: the lock of a range would keep writers from adding rows. */
	sql_start(&sql, SQL("SELECT id FROM outbox FORCE INDEX (outbox_subscribers) "
			    "WHERE subscribers_after >= 0 ORDER BY id LIMIT 1"));
	enum result result = db_read_ids(db, &sql, 1, arena, &ids, error);
	if (result != OK || ids.count == 0)
		return result == OK ? E_NOT_FOUND : result;
	sql_start(&sql, SQL("SELECT id AS outbox_id, account_id, kind, object_id, at, payload, "
			    "subscribers_after FROM outbox WHERE id = ? "
			    "AND subscribers_after IS NOT NULL ORDER BY id LIMIT 1 FOR UPDATE"));
	sql_add(&sql, ids.ids[0]);
	return db_read_one(db, &sql, FIELDS(rows), event, arena, error);
}

/* Adds the condition that the subscriber `s` is told of events of this scope. */
static void add_scope(struct sql_build *sql, const struct notice_scope *scope, struct arena *arena)
{
	/* takes_all is 0 or 1. A scope without monitors is for all subscribers of its pages, so the
	 * condition must then be takes_all >= 0. */
	sql_add(sql, SQL(" AND ((s.takes_all >= ? AND s.page_id IN ("), scope->monitors.count > 0);
	sql_list_ints(sql, scope->pages.ids, scope->pages.count, arena);
	sql_add(sql, SQL(")) OR (s.page_id IN (SELECT m.status_page_id FROM status_page_monitors m "
			 "WHERE m.monitor_id IN ("));
	sql_list_ints(sql, scope->monitors.ids, scope->monitors.count, arena);
	sql_add(sql, SQL(")) AND (s.takes_all = 1 OR EXISTS (SELECT 1 FROM subscriber_monitors x "
			 "JOIN status_page_monitors m ON m.monitor_id = x.monitor_id "
			 "AND m.status_page_id = s.page_id "
			 "WHERE x.subscriber_id = s.id AND x.monitor_id IN ("));
	sql_list_ints(sql, scope->monitors.ids, scope->monitors.count, arena);
	sql_add(sql, SQL(")))))"));
}

enum result notice_audience(struct db *db, const struct audience_query *query, struct arena *arena,
			    struct audience *audience, struct error *error)
{
#define COUNT(member) FIELD(struct audience, member)
	static const struct field rows[] = { COUNT(by_mail), COUNT(by_webhook), COUNT(pending),
					     COUNT(channels) };
#undef COUNT
	const struct notice_scope *scope = query->scope;
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT COUNT(CASE WHEN s.type = 0 THEN 1 END) AS by_mail, "
			    "COUNT(CASE WHEN s.type = 1 THEN 1 END) AS by_webhook, "
			    "(SELECT COUNT(*) FROM pending_updates p WHERE p.account_id = ? "
			    "AND p.incident_id = ?) AS pending, "
			    "(SELECT COUNT(*) FROM alert_channels c WHERE c.account_id = ? "
			    "AND c.is_enabled = 1 AND c.suspended_at IS NULL "
			    "AND (c.events IS NULL OR c.events LIKE '%updates%')"));
	sql_add(&sql, query->account_id, query->incident_id, query->account_id);
	if (scope) {
		sql_add(&sql, SQL(" AND (c.takes_all_monitors = 1 OR EXISTS (SELECT 1 "
				  "FROM monitor_channels x WHERE x.channel_id = c.id "
				  "AND x.monitor_id IN ("));
		sql_list_ints(&sql, scope->monitors.ids, scope->monitors.count, arena);
		sql_add(&sql, SQL(")))"));
	}
	sql_add(&sql, SQL(") AS channels FROM subscribers s WHERE s.account_id = ? "
			  "AND s.confirmed_at <= ? AND s.suspended_at IS NULL"));
	sql_add(&sql, query->account_id, query->now);
	if (scope)
		add_scope(&sql, scope, arena);
	return db_read_one(db, &sql, FIELDS(rows), audience, arena, error);
}

/* Finds the next subscribers who are to be told of the event, ordered by id. */
static enum result find_subscribers(struct db *db, const struct notice_event *event,
				    const struct notice_scope *scope, struct arena *arena,
				    struct id_list *ids, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT s.id FROM subscribers s WHERE s.account_id = ? AND s.id > ? "
			    "AND s.confirmed_at <= ? AND s.suspended_at IS NULL"));
	sql_add(&sql, event->account_id, event->subscribers_after, event->at);
	add_scope(&sql, scope, arena);
	sql_add(&sql, SQL(" ORDER BY s.id LIMIT ?"), NOTICE_SUBSCRIBERS_MAX);
	return db_read_ids(db, &sql, NOTICE_SUBSCRIBERS_MAX, arena, ids, error);
}

static enum result insert_for(struct db *db, const struct notice_event *event, const int64_t *ids,
			      size_t count, struct instant now, struct arena *arena,
			      struct error *error)
{
	/* event->at is in the future if the machine that wrote the event has a fast clock. */
	const int64_t age_s = event->at.s < now.s ? now.s - event->at.s : 0;
	const int64_t wait_s = age_s < SUBSCRIBER_GROUP_S ? SUBSCRIBER_GROUP_S - age_s : 0;
	const struct instant first = { now.s + wait_s };
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO deliveries (account_id, outbox_id, subscriber_id, lane, "
			    "event, kind, object_id, state, created_at, due_at, first_due_at) "
			    "SELECT s.account_id, ?, s.id, s.type + 1, ?, ?, ?, ?, ?, ?, ? "
			    "FROM subscribers s WHERE s.id IN ("));
	_Static_assert((int)SUBSCRIBER_EMAIL + 1 == (int)LANE_SUBSCRIBER_MAIL &&
			       (int)SUBSCRIBER_WEBHOOK + 1 == (int)LANE_SUBSCRIBER_WEBHOOK,
		       "the statement computes the lane");
	sql_add(&sql, event->outbox_id, ALERT_UPDATES, event->kind, event->object_id,
		DELIVERY_QUEUED, now, first, first);
	sql_list_ints(&sql, ids, count, arena);
	sql_add(&sql, SQL(") AND s.suspended_at IS NULL "
			  "ON DUPLICATE KEY UPDATE deliveries.id = deliveries.id"));
	return db_write(db, &sql, NULL, error);
}

enum result notices_make(struct db *db, const struct notice_event *event,
			 const struct notice_scope *scope, struct instant now, struct error *error)
{
	enum { CHUNK = 512 };
	struct arena arena CLEANUP(arena_done);
	struct id_list ids = { 0 };
	struct sql_build sql;
	arena_init(&arena, 16 << 20);
	enum result result = find_subscribers(db, event, scope, &arena, &ids, error);
	for (size_t from = 0; result == OK && from < ids.count; from += CHUNK) {
		size_t left = ids.count - from;
		result = insert_for(db, event, ids.ids + from, left < CHUNK ? left : CHUNK, now,
				    &arena, error);
	}
	if (result != OK)
		return result;
	/* After the last subscribers, clear subscribers_after. The row then stays only while it has
	 * deliveries. */
	bool is_over = ids.count < NOTICE_SUBSCRIBERS_MAX;
	sql_start(&sql, SQL("UPDATE outbox SET subscribers_after = ?, due_at = ? WHERE id = ?"));
	if (is_over)
		sql_add(&sql, NULL);
	else
		sql_add(&sql, ids.ids[ids.count - 1]);
	sql_add(&sql, now, event->outbox_id);
	return db_write(db, &sql, NULL, error);
}
