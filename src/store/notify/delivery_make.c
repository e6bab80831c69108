/* Makes the deliveries of events. */
#include "store/notify/delivery.h"

#include "base/sorted.h"

enum {
	PAIRS_MAX = 64 * 1024, /* the most pairs of event and channel that a statement reads */
	REMINDERS_MAX = 512,
	SCRATCH_MAX_BYTES = 64 << 20,
};

/* An event, and a channel that may get a delivery about it. */
struct pair {
	struct alert_channel channel; /* has only the members in CHANNEL_ROWS */
	int64_t outbox_id;
	int64_t round;
	const char *kind; /* kind and object_id: set only for reminders */
	int64_t object_id;
};
#define CHANNEL(member) FIELD(struct alert_channel, member)
#define CHANNEL_ROWS \
	CHANNEL(id), CHANNEL(account_id), CHANNEL(events), CHANNEL(delay), CHANNEL(quiet_from), \
		CHANNEL(quiet_until), CHANNEL(time_zone), CHANNEL(suspended_at), \
		CHANNEL(created_at)
#define CHANNEL_COLUMNS \
	"c.id, c.account_id, c.events, c.delay, c.quiet_from, c.quiet_until, c.time_zone, " \
	"c.suspended_at, c.created_at, "

static const struct sql_rows new_rows = {
	.first = { "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)" },
	.next = { ", (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)" },
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
				    "round, event, kind, object_id, state, created_at, due_at, "
				    "first_due_at) VALUES "));
		sql_rows_begin(&sql, &new_rows, size, arena);
		for (size_t i = from; i < from + size; i++) {
			const struct new_delivery *row = &rows[i];
			const struct alert_channel *channel = &row->pair->channel;
			sql_add(&sql, channel->account_id, row->pair->outbox_id, channel->id,
				row->pair->round, row->event, row->kind, row->object_id,
				channel->suspended_at.s > 0 ? DELIVERY_SUSPENDED : DELIVERY_QUEUED,
				now, row->due_at, row->due_at);
		}
		sql_rows_end(&sql);
		sql_add(&sql, SQL(" ON DUPLICATE KEY UPDATE id = id"));
		result = db_write(db, &sql, NULL, error);
	}
	return result;
}

enum { ANY_MONITOR = -1 };
/* An event and one of its monitors. monitor_id 0: the event concerns no monitor. */
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
	for (size_t i = 0; i < count; i++)
		sql_add(&sql, mentions[i].event->outbox_id, mentions[i].event->account_id,
			mentions[i].monitor_id);
	sql_rows_end(&sql);
	sql_add(&sql, SQL(") given JOIN alert_channels c ON c.account_id = given.account_id "
			  "LEFT JOIN monitor_channels x ON x.monitor_id = given.monitor_id "
			  "AND x.channel_id = c.id WHERE c.is_enabled = 1 "
			  "AND (c.takes_all_monitors = 1 OR x.channel_id IS NOT NULL "
			  "OR (given.monitor_id < 0 AND EXISTS (SELECT 1 FROM monitor_channels y "
			  "WHERE y.channel_id = c.id))) "
			  "ORDER BY given.outbox_id, c.id LIMIT ?"));
	sql_add(&sql, PAIRS_MAX);
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
				(struct mention){ &events[i], many > 0 ? events[i].monitors.ids[j]
							      : events[i].event == ALERT_CHECKER
								      ? ANY_MONITOR
								      : 0 };
		}
	}
	return mentions;
}

/* An unsent delivery of an incident that is over. */
struct waiting {
	int64_t id;
	int64_t channel_id;
	int64_t object_id;
	int64_t is_withheld; /* a "down" that is not due yet (delay, quiet hours), or a "down" of an
				outage that was shorter than the delay */
	int64_t round;
};

static enum result find_waiting(struct db *db, const struct id_list *ups, struct instant now,
				struct arena *arena, struct db_list *found, struct error *error)
{
#define WAITING(member) FIELD(struct waiting, member)
	static const struct field rows[] = { WAITING(id), WAITING(channel_id), WAITING(object_id),
					     WAITING(is_withheld), WAITING(round) };
#undef WAITING
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT DISTINCT d.id, d.channel_id, d.object_id, "
			    "(d.event = ? AND (d.due_at > ? OR (d.round = 0 "
			    "AND u.at < o.at + INTERVAL c.delay SECOND))) AS is_withheld, d.round "
			    "FROM outbox u JOIN alert_channels c ON c.account_id = u.account_id "
			    "JOIN deliveries d ON d.channel_id = c.id AND d.state = ? "
			    "AND d.object_id = u.object_id AND d.tries = 0 AND d.event <= ? "
			    "AND d.outbox_id <= u.id JOIN outbox o ON o.id = d.outbox_id "
			    "WHERE u.id IN ("));
	sql_add(&sql, ALERT_DOWN, now, DELIVERY_QUEUED, ALERT_UPDATES);
	sql_list_ints(&sql, ups->ids, ups->count, arena);
	sql_add(&sql, SQL(") ORDER BY d.channel_id, d.object_id, d.id LIMIT ?"), PAIRS_MAX);
	return db_read_list(db, &sql, DB_SHAPE(FIELDS(rows), struct waiting, PAIRS_MAX), arena,
			    found, error);
}

/* Withdraws the deliveries of outages that ended before the channel was told of them. */
static enum result withdraw(struct db *db, const struct delivery_event *events, size_t count,
			    struct instant now, struct arena *arena, struct error *error)
{
	struct db_list found = { 0 };
	struct id_list ups = { ARENA_ARRAY(arena, count, int64_t), 0 };
	for (size_t i = 0; i < count; i++)
		if (events[i].event == ALERT_UP)
			ups.ids[ups.count++] = events[i].outbox_id;
	if (ups.count == 0)
		return OK;
	enum result result = find_waiting(db, &ups, now, arena, &found, error);
	const struct waiting *rows = found.rows;
	struct id_list ids = { ARENA_ARRAY(arena, found.count, int64_t), 0 };
	bool is_unheard = false;
	for (size_t i = 0; i < found.count; i++) {
		if (i == 0 || rows[i].channel_id != rows[i - 1].channel_id ||
		    rows[i].object_id != rows[i - 1].object_id)
			is_unheard = false;
		/* If only a reminder is withheld, do not withdraw the "up": the channel was told of
		 * the outage. */
		is_unheard |= rows[i].is_withheld && rows[i].round == 0;
		if (is_unheard || rows[i].is_withheld)
			ids.ids[ids.count++] = rows[i].id;
	}
	for (size_t from = 0, size; result == OK && from < ids.count; from += size) {
		struct sql_build sql;
		size = sql_rows_chunk(&sql_list, ids.count - from);
		sql_start(&sql, SQL("UPDATE deliveries SET state = ?, due_at = ? "
				    "WHERE state = ? AND tries = 0 AND id IN ("));
		sql_add(&sql, DELIVERY_WITHDRAWN, now, DELIVERY_QUEUED);
		sql_list_ints(&sql, ids.ids + from, size, arena);
		sql_add(&sql, SQL(")"));
		result = db_write(db, &sql, NULL, error);
	}
	return result;
}

/* If the "down" of an incident is not due yet, postpones the incident's later deliveries until the
 * "down" is due. */
static enum result wait_for_down(struct db *db, const struct delivery_event *events, size_t count,
				 struct instant now, struct arena *arena, struct error *error)
{
	struct sql_build sql;
	struct id_list ids = { ARENA_ARRAY(arena, count, int64_t), 0 };
	for (size_t i = 0; i < count; i++)
		if (events[i].event != ALERT_DOWN && events[i].event <= ALERT_UPDATES)
			ids.ids[ids.count++] = events[i].outbox_id;
	if (ids.count == 0)
		return OK;
	sql_start(&sql, SQL("UPDATE deliveries d JOIN deliveries down "
			    "ON down.channel_id = d.channel_id AND down.lane = ? "
			    "AND down.state = ? "
			    "AND down.object_id = d.object_id AND down.event = ? "
			    "AND down.id < d.id AND down.due_at > d.due_at AND down.tries = 0 "
			    "SET d.due_at = down.due_at, d.first_due_at = down.due_at "
			    "WHERE down.due_at > ? AND d.state = ? "
			    "AND d.outbox_id IN ("));
	sql_add(&sql, LANE_CHANNEL, DELIVERY_QUEUED, ALERT_DOWN, now, DELIVERY_QUEUED);
	sql_list_ints(&sql, ids.ids, ids.count, arena);
	sql_add(&sql, SQL(")"));
	return db_write(db, &sql, NULL, error);
}

static bool hears(const struct alert_channel *channel, const struct delivery_event *event)
{
	return alert_channel_hears(channel, event->event) ||
	       (event->is_update && alert_channel_hears(channel, ALERT_UPDATES));
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
			if (!hears(&pairs[i].channel, event) ||
			    event->at.s < pairs[i].channel.created_at.s)
				continue;
			rows[kept++] = (struct new_delivery){
				&pairs[i], event->event, event->kind, event->object_id,
				alert_channel_due(&pairs[i].channel, event->event, event->at, now)
			};
		}
		if (result == OK)
			result = insert(db, rows, kept, now, &arena, error);
	}
	if (result == OK)
		result = withdraw(db, events, count, now, &arena, error);
	return result == OK ? wait_for_down(db, events, count, now, &arena, error) : result;
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
	sql_add(&sql, ALERT_DOWN, DELIVERY_SENT, now, REMINDERS_MAX);
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
