/* How a sender leases deliveries, and stores their outcomes. */
#include "store/notify/delivery.h"

#include <string.h>

#include "store/event.h"

enum { PRUNED_ROWS = 512 };

/* Adds a condition that excludes the ids. NOT IN would not work: sql_list_ints() may end the list
 * with NULL, and a NOT IN with NULL is never true. */
static void leave_out(struct sql_build *sql, struct sql condition, const struct id_list *ids,
		      struct arena *arena)
{
	if (ids->count == 0)
		return;
	sql_add(sql, condition);
	sql_list_ints(sql, ids->ids, ids->count, arena);
	sql_add(sql, SQL(")) IS NOT TRUE "));
}

void delivery_lease_leaves_out(struct sql_build *sql, const struct delivery_lease *lease,
			       struct arena *arena)
{
	leave_out(sql, SQL("AND (d.account_id IN ("), &lease->busy_accounts, arena);
	/* The lease of a delivery may have ended while the caller is still sending it: the caller
	 * cannot renew leases while the database does not respond. */
	leave_out(sql, SQL("AND (d.id IN ("), &lease->busy, arena);
}

enum result delivery_lease_take(struct db *db, const struct delivery_lease *lease,
				const struct id_list *ids, struct arena *arena, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE deliveries FORCE INDEX (PRIMARY) SET lease = ?, due_at = ?, "
			    "tried_at = ?, tries = tries + 1 WHERE state = ? AND due_at <= ? "
			    "AND id IN ("));
	sql_add(&sql, lease->lease, lease->until, lease->now, DELIVERY_QUEUED, lease->now);
	sql_list_ints(&sql, ids->ids, ids->count, arena);
	sql_add(&sql, SQL(")"));
	return db_write(db, &sql, NULL, error);
}

/* Finds due deliveries: if is_tried is true, deliveries that were tried before; otherwise
 * deliveries that were not tried before. */
static enum result find_tried(struct db *db, const struct delivery_lease *lease, bool is_tried,
			      struct arena *arena, struct id_list *ids, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT d.id FROM deliveries d WHERE d.lane = ? AND d.state = ? "
			    "AND d.due_at <= ? AND (d.tries > 0) = ? "
			    "AND NOT EXISTS (SELECT 1 FROM deliveries p "
			    "WHERE p.channel_id = d.channel_id AND p.state = ? AND p.id < d.id "
			    "AND (p.tries > 0 OR p.due_at <= ?)) "));
	sql_add(&sql, LANE_CHANNEL, DELIVERY_QUEUED, lease->now, is_tried, DELIVERY_QUEUED,
		lease->now);
	delivery_lease_leaves_out(&sql, lease, arena);
	sql_add(&sql, SQL("ORDER BY d.due_at, d.id LIMIT ?"), (int64_t)lease->most);
	return db_read_ids(db, &sql, lease->most, arena, ids, error);
}

/*
 * Finds deliveries that were not tried before, then deliveries that were. So the next free lane
 * (sending thread) sends to a receiver that responds, even if all other lanes of the account wait
 * for receivers that hang.
 */
static enum result find_due(struct db *db, const struct delivery_lease *lease, struct arena *arena,
			    struct id_list *ids, struct error *error)
{
	struct delivery_lease rest = *lease;
	struct id_list tried = { 0 };
	enum result result = find_tried(db, lease, false, arena, ids, error);
	rest.most -= ids->count;
	if (result == OK && rest.most > 0)
		result = find_tried(db, &rest, true, arena, &tried, error);
	if (result != OK || tried.count == 0)
		return result;
	int64_t *both = ARENA_ARRAY(arena, lease->most, int64_t);
	if (ids->count > 0)
		memcpy(both, ids->ids, ids->count * sizeof(*both));
	memcpy(both + ids->count, tried.ids, tried.count * sizeof(*both));
	*ids = (struct id_list){ both, ids->count + tried.count };
	return OK;
}

#define UPDATE_ID "CAST(JSON_EXTRACT(o.payload, '$.update_id') AS SIGNED)"

enum result deliveries_lease(struct db *db, const struct delivery_lease *lease, struct arena *arena,
			     struct db_list *rows, struct error *error)
{
#define ROW(member) FIELD(struct leased_delivery, member)
	static const struct field fields[] = {
		ROW(id),      ROW(account_id),	 ROW(channel_id), ROW(round),	     ROW(event),
		ROW(kind),    ROW(object_id),	 ROW(tries),	  ROW(first_due_at), ROW(at),
		ROW(payload), ROW(is_withdrawn), ROW(type),	  ROW(sealed_value),
	};
#undef ROW
	struct id_list ids = { 0 };
	struct sql_build sql;
	*rows = (struct db_list){ 0 };
	enum result result = find_due(db, lease, arena, &ids, error);
	if (result != OK || ids.count == 0)
		return result;
	result = delivery_lease_take(db, lease, &ids, arena, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("SELECT d.id, d.account_id, d.channel_id, d.round, d.event, d.kind, "
			    "d.object_id, d.tries, d.first_due_at, o.at, o.payload, "
			    "CASE WHEN " UPDATE_ID " IS NULL THEN 0 "
			    "WHEN d.kind LIKE 'incident.%' THEN NOT EXISTS "
			    "(SELECT 1 FROM incident_updates u WHERE u.id = " UPDATE_ID ") "
			    "ELSE NOT EXISTS "
			    "(SELECT 1 FROM maintenance_updates u WHERE u.id = " UPDATE_ID ") "
			    "END AS is_withdrawn, c.type, c.sealed_value FROM deliveries d JOIN "
			    "outbox o ON o.id = d.outbox_id "
			    "JOIN alert_channels c ON c.id = d.channel_id "
			    "WHERE d.lease = ? AND d.id IN ("));
	sql_add(&sql, lease->lease);
	sql_list_ints(&sql, ids.ids, ids.count, arena);
	sql_add(&sql, SQL(") ORDER BY d.id LIMIT ?"), (int64_t)lease->most);
	return db_read_list(db, &sql, DB_SHAPE(FIELDS(fields), struct leased_delivery, lease->most),
			    arena, rows, error);
}

enum result deliveries_renew(struct db *db, const struct delivery_lease *lease, struct arena *arena,
			     struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE deliveries SET due_at = ? WHERE lease = ? AND state = ? "
			    "AND id IN ("));
	sql_add(&sql, lease->until, lease->lease, DELIVERY_QUEUED);
	sql_list_ints(&sql, lease->busy.ids, lease->busy.count, arena);
	sql_add(&sql, SQL(")"));
	return lease->busy.count > 0 ? db_write(db, &sql, NULL, error) : OK;
}

enum result deliveries_suspend(struct db *db, int64_t channel_id, struct instant now,
			       struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE deliveries SET state = ?, due_at = ? WHERE channel_id = ? "
			    "AND state = ?"));
	sql_add(&sql, DELIVERY_SUSPENDED, now, channel_id, DELIVERY_QUEUED);
	return db_write(db, &sql, NULL, error);
}

static enum result suspend(struct db *db, const struct delivery_outcome *outcome,
			   struct instant now, struct error *error)
{
	static const struct principal sender = { .type = PRINCIPAL_SYSTEM, .label = "" };
	const struct event_source source = { .principal = &sender, .now = now };
	const struct event_change change = { .kind = EVENT_CHANNEL_SUSPENDED,
					     .account_id = outcome->account_id,
					     .object_id = outcome->channel_id,
					     .detail = outcome->response };
	struct sql_build sql;
	struct db_done done;
	sql_start(&sql, SQL("UPDATE alert_channels SET suspended_at = ?, suspension = ? "
			    "WHERE id = ? AND suspended_at IS NULL"));
	sql_add(&sql, now, outcome->response, outcome->channel_id);
	enum result result = db_write(db, &sql, &done, error);
	if (result == OK && done.rows > 0)
		result = event_append(db, &source, &change, 1, error);
	return result == OK ? deliveries_suspend(db, outcome->channel_id, now, error) : result;
}

enum result delivery_store(struct db *db, const struct delivery_outcome *outcome,
			   struct instant now, struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	bool is_sent = outcome->verdict.state == DELIVERY_SENT;
	sql_start(&sql, SQL("UPDATE deliveries SET state = ?, due_at = ?, status = ?, "
			    "response = ? WHERE id = ? AND lease = ? AND state IN (?, ?)"));
	sql_add(&sql, outcome->verdict.state, (struct instant){ now.s + outcome->verdict.wait_s },
		outcome->status, outcome->response, outcome->id, outcome->lease, DELIVERY_QUEUED);
	/* Store a success even if the delivery is suspended by now. Somebody may have disabled the
	 * channel during the send. */
	sql_add(&sql, is_sent ? DELIVERY_SUSPENDED : DELIVERY_QUEUED);
	enum result result = db_write(db, &sql, &done, error);
	if (result != OK || done.rows == 0 || !outcome->verdict.suspends_channel)
		return result;
	return suspend(db, outcome, now, error);
}

enum result deliveries_resume(struct db *db, int64_t channel_id, struct instant now,
			      struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE deliveries SET state = ?, due_at = GREATEST(first_due_at, ?) "
			    "WHERE channel_id = ? AND state = ? AND first_due_at > ?"));
	sql_add(&sql, DELIVERY_QUEUED, now, channel_id, DELIVERY_SUSPENDED,
		(struct instant){ now.s - DELIVERY_TRIED_S });
	return db_write(db, &sql, NULL, error);
}

enum result deliveries_prune(struct db *db, struct instant now, bool *is_more, struct error *error)
{
	enum result result = OK;
	const struct instant oldest = { now.s - DELIVERY_KEPT_S };
	struct sql_build sql;
	struct db_done done = { 0 };
	/* Name each state, so that the index on lane, state and due_at finds only the old rows. */
	sql_start(&sql, SQL("DELETE FROM deliveries WHERE " ANY_LANE
			    "state IN (?, ?, ?, ?) AND due_at < ? "
			    "ORDER BY lane, state, due_at, id LIMIT ?"));
	for (int state = DELIVERY_SENT; state <= DELIVERY_WITHDRAWN; state++)
		sql_add(&sql, state);
	sql_add(&sql, oldest, PRUNED_ROWS);
	result = db_write(db, &sql, &done, error);
	*is_more = done.rows == PRUNED_ROWS;
	if (result != OK)
		return result;
	sql_start(&sql, SQL("DELETE FROM outbox WHERE is_expanded = 1 AND due_at < ? "
			    "AND subscribers_after IS NULL "
			    "AND NOT EXISTS (SELECT 1 FROM deliveries d "
			    "WHERE d.outbox_id = outbox.id) ORDER BY due_at, id LIMIT ?"));
	sql_add(&sql, oldest, PRUNED_ROWS);
	result = db_write(db, &sql, &done, error);
	*is_more |= done.rows == PRUNED_ROWS;
	return result;
}
