/* What a sender does with deliveries. */
#include "store/notify/delivery.h"

#include "base/sorted.h"

enum {
	PAIRS_MAX = 64 * 1024, /* of an event and a channel, of a part */
	REMINDERS_MAX = 512,
	PRUNED_ROWS = 512,
	SCRATCH_MAX_BYTES = 64 << 20,
};

/* An event and a channel that may want to hear of it. */
struct pair {
	struct alert_channel channel; /* with the members below */
	int64_t outbox_id;
	int64_t round;
	const char *kind; /* this and the next: of reminders */
	int64_t object_id;
};
#define CHANNEL(member) FIELD(struct alert_channel, member)
#define CHANNEL_ROWS \
	CHANNEL(id), CHANNEL(account_id), CHANNEL(events), CHANNEL(delay), CHANNEL(quiet_from), \
		CHANNEL(quiet_until), CHANNEL(time_zone), CHANNEL(suspended_at)
#define CHANNEL_COLUMNS \
	"c.id, c.account_id, c.events, c.delay, c.quiet_from, c.quiet_until, c.time_zone, " \
	"c.suspended_at, "

static const struct sql_rows new_rows = {
	.first = { "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)" },
	.next = { ", (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)" },
	.repeats_last = true,
};
struct new_delivery {
	const struct pair *pair;
	enum alert_event event;
	const char *kind;
	int64_t object_id;
	struct instant due_at;
};

static enum result insert(struct db *db, const struct new_delivery *rows, size_t count,
			  struct instant now, struct arena *arena, struct error *error)
{
	enum result result = OK;
	for (size_t from = 0, size; result == OK && from < count; from += size) {
		struct sql_build sql;
		size = sql_rows_chunk(&new_rows, count - from);
		sql_start(&sql, SQL("INSERT INTO deliveries (account_id, outbox_id, channel_id, "
				    "round, event, kind, object_id, state, created_at, due_at) "
				    "VALUES "));
		sql_rows_begin(&sql, &new_rows, size, arena);
		for (size_t i = from; i < from + size; i++) {
			const struct new_delivery *row = &rows[i];
			const struct alert_channel *channel = &row->pair->channel;
			sql_int(&sql, channel->account_id);
			sql_int(&sql, row->pair->outbox_id);
			sql_int(&sql, channel->id);
			sql_int(&sql, row->pair->round);
			sql_int(&sql, row->event);
			sql_text(&sql, row->kind);
			sql_int(&sql, row->object_id);
			sql_int(&sql,
				channel->suspended_at.s > 0 ? DELIVERY_SUSPENDED : DELIVERY_QUEUED);
			sql_time(&sql, now);
			sql_time(&sql, row->due_at);
		}
		sql_rows_end(&sql);
		sql_add(&sql, SQL(" ON DUPLICATE KEY UPDATE id = id"));
		result = db_write(db, &sql, NULL, error);
	}
	return result;
}

/* An event and one of its monitors (0: none). */
struct mention {
	const struct delivery_event *event;
	int64_t monitor_id;
};

static const struct sql_rows mention_rows = {
	.first = { "SELECT CAST(? AS SIGNED) AS outbox_id, CAST(? AS SIGNED) AS account_id, "
		   "CAST(? AS SIGNED) AS monitor_id" },
	.next = { " UNION ALL SELECT CAST(? AS SIGNED), CAST(? AS SIGNED), CAST(? AS SIGNED)" },
};

static enum result find_pairs(struct db *db, const struct mention *mentions, size_t count,
			      struct arena *arena, struct db_list *pairs, struct error *error)
{
	static const struct field rows[] = { CHANNEL_ROWS, FIELD(struct pair, outbox_id) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT DISTINCT " CHANNEL_COLUMNS "given.outbox_id FROM ("));
	sql_rows_begin(&sql, &mention_rows, count, arena);
	for (size_t i = 0; i < count; i++) {
		sql_int(&sql, mentions[i].event->outbox_id);
		sql_int(&sql, mentions[i].event->account_id);
		sql_int(&sql, mentions[i].monitor_id);
	}
	sql_rows_end(&sql);
	sql_add(&sql, SQL(") given JOIN alert_channels c ON c.account_id = given.account_id "
			  "LEFT JOIN monitor_channels x ON x.monitor_id = given.monitor_id "
			  "AND x.channel_id = c.id WHERE c.is_enabled = 1 "
			  "AND (c.takes_all_monitors = 1 OR x.channel_id IS NOT NULL) "
			  "ORDER BY given.outbox_id, c.id LIMIT ?"));
	sql_int(&sql, PAIRS_MAX);
	return db_read_list(db, &sql, DB_SHAPE(FIELDS(rows), struct pair, PAIRS_MAX), arena, pairs,
			    error);
}

static const struct delivery_event *event_of(const struct delivery_event *events, size_t count,
					     int64_t outbox_id)
{
	return &events[SORTED_PLACE(struct delivery_event, outbox_id, events, count, outbox_id)];
}

static struct mention *mentions_of(const struct delivery_event *events, size_t count,
				   struct arena *arena, size_t *mentioned)
{
	struct mention *mentions = NULL;
	size_t room = 0;
	*mentioned = 0;
	for (size_t i = 0; i < count; i++) {
		size_t many = events[i].monitors.count;
		for (size_t j = 0; j < (many > 0 ? many : 1); j++) {
			mentions =
				arena_grow(arena, mentions, *mentioned, &room, sizeof(*mentions));
			mentions[(*mentioned)++] =
				(struct mention){ &events[i],
						  many > 0 ? events[i].monitors.ids[j] : 0 };
		}
	}
	return mentions;
}

/* Neither a system's outage nor its end is told if the outage was over before it was due. */
static enum result withdraw(struct db *db, const struct delivery_event *events, size_t count,
			    struct instant now, struct arena *arena, struct error *error)
{
	struct sql_build sql;
	struct id_list ids = { ARENA_ARRAY(arena, count, int64_t), 0 };
	for (size_t i = 0; i < count; i++)
		if (events[i].event == ALERT_UP)
			ids.ids[ids.count++] = events[i].outbox_id;
	if (ids.count == 0)
		return OK;
	sql_start(&sql, SQL("UPDATE deliveries up JOIN deliveries down "
			    "ON down.channel_id = up.channel_id AND down.object_id = up.object_id "
			    "AND down.event = ? AND down.state = ? AND down.tries = 0 "
			    "AND down.due_at > ? SET up.state = ?, down.state = ?, up.due_at = ?, "
			    "down.due_at = ? WHERE up.event = ? AND up.state = ? "
			    "AND up.outbox_id IN ("));
	sql_int(&sql, ALERT_DOWN);
	sql_int(&sql, DELIVERY_QUEUED);
	sql_time(&sql, now);
	sql_int(&sql, DELIVERY_WITHDRAWN);
	sql_int(&sql, DELIVERY_WITHDRAWN);
	sql_time(&sql, now);
	sql_time(&sql, now);
	sql_int(&sql, ALERT_UP);
	sql_int(&sql, DELIVERY_QUEUED);
	sql_list_ints(&sql, ids.ids, ids.count, arena);
	sql_add(&sql, SQL(")"));
	return db_write(db, &sql, NULL, error);
}

enum result deliveries_make(struct db *db, const struct delivery_event *events, size_t count,
			    struct instant now, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	size_t mentioned;
	enum result result = OK;
	arena_init(&arena, SCRATCH_MAX_BYTES);
	const struct mention *mentions = mentions_of(events, count, &arena, &mentioned);
	for (size_t from = 0, size; result == OK && from < mentioned; from += size) {
		struct db_list found = { 0 };
		size_t kept = 0;
		size = sql_rows_chunk(&mention_rows, mentioned - from);
		result = find_pairs(db, mentions + from, size, &arena, &found, error);
		const struct pair *pairs = found.rows;
		struct new_delivery *rows = ARENA_ARRAY(&arena, found.count, struct new_delivery);
		for (size_t i = 0; i < found.count; i++) {
			const struct delivery_event *event =
				event_of(events, count, pairs[i].outbox_id);
			if (!alert_channel_hears(&pairs[i].channel, event->event))
				continue;
			rows[kept++] = (struct new_delivery){
				&pairs[i], event->event, event->kind, event->object_id,
				alert_channel_due(&pairs[i].channel, event->event, event->at, now)
			};
		}
		if (result == OK)
			result = insert(db, rows, kept, now, &arena, error);
	}
	return result == OK ? withdraw(db, events, count, now, &arena, error) : result;
}

enum result deliveries_remind(struct db *db, struct instant now, struct error *error)
{
	static const struct field fields[] = {
		CHANNEL_ROWS,
		FIELD(struct pair, outbox_id),
		FIELD(struct pair, round),
		FIELD(struct pair, kind),
		FIELD(struct pair, object_id),
	};
	struct arena arena CLEANUP(arena_done);
	struct db_list found = { 0 };
	struct sql_build sql;
	arena_init(&arena, SCRATCH_MAX_BYTES);
	sql_start(&sql,
		  SQL("SELECT " CHANNEL_COLUMNS "d.outbox_id, d.round + 1 AS round, d.kind, "
		      "d.object_id FROM alert_channels c JOIN incidents i "
		      "ON i.account_id = c.account_id AND i.open_monitor_id IS NOT NULL "
		      "AND i.acknowledged_at IS NULL JOIN deliveries d "
		      "ON d.channel_id = c.id AND d.object_id = i.id AND d.event = ? "
		      "AND d.state = ? AND d.tried_at <= ? - INTERVAL c.reminder SECOND "
		      "WHERE c.reminder > 0 AND c.is_enabled = 1 AND c.suspended_at IS NULL "
		      "AND NOT EXISTS (SELECT 1 FROM deliveries later "
		      "WHERE later.outbox_id = d.outbox_id AND later.channel_id = d.channel_id "
		      "AND later.round > d.round) ORDER BY d.id LIMIT ?"));
	sql_int(&sql, ALERT_DOWN);
	sql_int(&sql, DELIVERY_SENT);
	sql_time(&sql, now);
	sql_int(&sql, REMINDERS_MAX);
	enum result result = db_read_list(db, &sql,
					  DB_SHAPE(FIELDS(fields), struct pair, REMINDERS_MAX),
					  &arena, &found, error);
	const struct pair *pairs = found.rows;
	struct new_delivery *rows = ARENA_ARRAY(&arena, found.count, struct new_delivery);
	for (size_t i = 0; i < found.count; i++)
		rows[i] = (struct new_delivery){
			&pairs[i], ALERT_DOWN, pairs[i].kind, pairs[i].object_id,
			alert_channel_due(&pairs[i].channel, ALERT_UPDATES, now, now)
		};
	return result == OK ? insert(db, rows, found.count, now, &arena, error) : result;
}

/* Leases */

static enum result find_due(struct db *db, const struct delivery_lease *lease, struct arena *arena,
			    struct id_list *ids, struct error *error)
{
	struct id_row {
		int64_t id;
	};
	static const struct field rows[] = { FIELD(struct id_row, id) };
	struct sql_build sql;
	struct db_list found = { 0 };
	sql_start(&sql, SQL("SELECT d.id FROM deliveries d WHERE d.state = ? AND d.due_at <= ? "
			    "AND NOT EXISTS (SELECT 1 FROM deliveries p "
			    "WHERE p.channel_id = d.channel_id AND p.state = ? AND p.id < d.id "
			    "AND (p.tries > 0 OR p.due_at <= ?)) "));
	sql_int(&sql, DELIVERY_QUEUED);
	sql_time(&sql, lease->now);
	sql_int(&sql, DELIVERY_QUEUED);
	sql_time(&sql, lease->now);
	if (lease->busy_accounts.count > 0) {
		sql_add(&sql, SQL("AND d.account_id NOT IN ("));
		sql_list_ints(&sql, lease->busy_accounts.ids, lease->busy_accounts.count, arena);
		sql_add(&sql, SQL(") "));
	}
	sql_add(&sql, SQL("ORDER BY d.due_at, d.id LIMIT ?"));
	sql_int(&sql, (int64_t)lease->most);
	enum result result = db_read_list(
		db, &sql, DB_SHAPE(FIELDS(rows), struct id_row, lease->most), arena, &found, error);
	const struct id_row *due = found.rows;
	*ids = (struct id_list){ ARENA_ARRAY(arena, found.count, int64_t), found.count };
	for (size_t i = 0; i < found.count; i++)
		ids->ids[i] = due[i].id;
	return result;
}

enum result deliveries_lease(struct db *db, const struct delivery_lease *lease, struct arena *arena,
			     struct db_list *rows, struct error *error)
{
#define ROW(member) FIELD(struct leased_delivery, member)
	static const struct field fields[] = {
		ROW(id),      ROW(account_id), ROW(channel_id),	  ROW(round),	   ROW(event),
		ROW(kind),    ROW(object_id),  ROW(tries),	  ROW(created_at), ROW(at),
		ROW(payload), ROW(type),       ROW(sealed_value),
	};
#undef ROW
	struct id_list ids = { 0 };
	struct sql_build sql;
	*rows = (struct db_list){ 0 };
	enum result result = find_due(db, lease, arena, &ids, error);
	if (result != OK || ids.count == 0)
		return result;
	sql_start(&sql, SQL("UPDATE deliveries FORCE INDEX (PRIMARY) SET lease = ?, due_at = ?, "
			    "tried_at = ?, tries = tries + 1 WHERE state = ? AND due_at <= ? "
			    "AND id IN ("));
	sql_int(&sql, lease->lease);
	sql_time(&sql, lease->until);
	sql_time(&sql, lease->now);
	sql_int(&sql, DELIVERY_QUEUED);
	sql_time(&sql, lease->now);
	sql_list_ints(&sql, ids.ids, ids.count, arena);
	sql_add(&sql, SQL(")"));
	result = db_write(db, &sql, NULL, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("SELECT d.id, d.account_id, d.channel_id, d.round, d.event, d.kind, "
			    "d.object_id, d.tries, d.created_at, o.at, o.payload, c.type, "
			    "c.sealed_value FROM deliveries d JOIN outbox o ON o.id = d.outbox_id "
			    "JOIN alert_channels c ON c.id = d.channel_id "
			    "WHERE d.lease = ? AND d.id IN ("));
	sql_int(&sql, lease->lease);
	sql_list_ints(&sql, ids.ids, ids.count, arena);
	sql_add(&sql, SQL(") ORDER BY d.id LIMIT ?"));
	sql_int(&sql, (int64_t)lease->most);
	return db_read_list(db, &sql, DB_SHAPE(FIELDS(fields), struct leased_delivery, lease->most),
			    arena, rows, error);
}

static enum result suspend(struct db *db, const struct delivery_outcome *outcome,
			   struct instant now, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE alert_channels SET suspended_at = ?, suspension = ? "
			    "WHERE id = ? AND suspended_at IS NULL"));
	sql_time(&sql, now);
	sql_text(&sql, outcome->response);
	sql_int(&sql, outcome->channel_id);
	enum result result = db_write(db, &sql, NULL, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("UPDATE deliveries SET state = ?, due_at = ? WHERE channel_id = ? "
			    "AND state = ?"));
	sql_int(&sql, DELIVERY_SUSPENDED);
	sql_time(&sql, now);
	sql_int(&sql, outcome->channel_id);
	sql_int(&sql, DELIVERY_QUEUED);
	return db_write(db, &sql, NULL, error);
}

enum result delivery_store(struct db *db, const struct delivery_outcome *outcome,
			   struct instant now, struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	sql_start(&sql, SQL("UPDATE deliveries SET state = ?, due_at = ?, status = ?, "
			    "response = ? WHERE id = ? AND lease = ? AND state = ?"));
	sql_int(&sql, outcome->verdict.state);
	sql_time(&sql, (struct instant){ now.s + outcome->verdict.wait_s });
	sql_int(&sql, outcome->status);
	sql_text(&sql, outcome->response);
	sql_int(&sql, outcome->id);
	sql_int(&sql, outcome->lease);
	sql_int(&sql, DELIVERY_QUEUED);
	enum result result = db_write(db, &sql, &done, error);
	if (result != OK || done.rows == 0 || !outcome->verdict.suspends_channel)
		return result;
	return suspend(db, outcome, now, error);
}

enum result deliveries_resume(struct db *db, int64_t channel_id, struct instant now,
			      struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE deliveries SET state = ?, due_at = ? WHERE channel_id = ? "
			    "AND state = ? AND created_at > ?"));
	sql_int(&sql, DELIVERY_QUEUED);
	sql_time(&sql, now);
	sql_int(&sql, channel_id);
	sql_int(&sql, DELIVERY_SUSPENDED);
	sql_time(&sql, (struct instant){ now.s - DELIVERY_TRIED_S });
	return db_write(db, &sql, NULL, error);
}

enum result deliveries_prune(struct db *db, struct instant now, bool *is_more, struct error *error)
{
	enum result result = OK;
	const struct instant oldest = { now.s - DELIVERY_KEPT_S };
	struct sql_build sql;
	struct db_done done = { 0 };
	/* With a list of states the index gives the old rows alone. */
	sql_start(&sql, SQL("DELETE FROM deliveries WHERE state IN (?, ?, ?, ?) AND due_at < ? "
			    "ORDER BY state, due_at, id LIMIT ?"));
	for (int state = DELIVERY_SENT; state <= DELIVERY_WITHDRAWN; state++)
		sql_int(&sql, state);
	sql_time(&sql, oldest);
	sql_int(&sql, PRUNED_ROWS);
	result = db_write(db, &sql, &done, error);
	*is_more = done.rows == PRUNED_ROWS;
	if (result != OK)
		return result;
	sql_start(&sql, SQL("DELETE FROM outbox WHERE is_expanded = 1 AND due_at < ? "
			    "AND NOT EXISTS (SELECT 1 FROM deliveries d "
			    "WHERE d.outbox_id = outbox.id) ORDER BY due_at, id LIMIT ?"));
	sql_time(&sql, oldest);
	sql_int(&sql, PRUNED_ROWS);
	result = db_write(db, &sql, &done, error);
	*is_more |= done.rows == PRUNED_ROWS;
	return result;
}
