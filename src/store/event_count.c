/*
 * The kept counts of events. A list reads these totals instead of counting the events again.
 *
 * The table event_counts has totals of events. A total includes the events with ids up to the
 * horizon, which is event_horizon.counted_id; a list adds a COUNT of the events above the horizon.
 * - An account has totals of all events (`what` is ''), of each type of object, and of each kind:
 *   for all times, for each UTC day, and for each UTC hour (columns `span` and `start`).
 * - An object has totals of its type and of each kind, for all times. Incidents have none.
 *
 * The horizon must not pass an id while a transaction may still commit an event with a lower id. So
 * it moves only to an id that was the highest EVENT_SETTLED_S ago, and only if no open transaction
 * has locked an event up to this id. Each change of the counts locks the row of event_horizon
 * first.
 */
#include "store/event.h"

enum {
	PART_ROWS = 512, /* how many rows the largest list of a statement has: see db/sql.h */
	SCRATCH_MAX_BYTES = 1 << 20,
};

struct horizon {
	int64_t counted_id;
	int64_t next_id;	/* the highest id at the time next_at: the horizon moves up to it */
	struct instant next_at; /* 0: next_id is not set yet */
	int64_t newest_id;
};

static enum result lock_horizon(struct db *db, struct arena *arena, struct horizon *horizon,
				struct error *error)
{
	static const struct field rows[] = { FIELD(struct horizon, counted_id),
					     FIELD(struct horizon, next_id),
					     FIELD(struct horizon, next_at),
					     FIELD(struct horizon, newest_id) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT counted_id, next_id, next_at, "
			    "COALESCE((SELECT MAX(id) FROM events), 0) AS newest_id "
			    "FROM event_horizon WHERE place = 1 FOR UPDATE"));
	return db_read_one(db, &sql, FIELDS(rows), horizon, arena, error);
}

static enum result store_horizon(struct db *db, const struct horizon *horizon, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE event_horizon SET counted_id = ?, next_id = ?, next_at = ? "
			    "WHERE place = 1"));
	sql_add(&sql, horizon->counted_id, horizon->next_id, horizon->next_at);
	return db_write(db, &sql, NULL, error);
}

/* A SELECT with a row for each pair of an event and a total that includes the event. A row has all
 * columns of event_counts except `total`. */
#define COUNTED_AS \
	"SELECT e.account_id, IF(spans.is_own, e.object_id, 0) AS object_id, " \
	"ELT(whats.number, '', e.object, e.kind) AS what, spans.span, " \
	"CAST(DATE_FORMAT(e.at, spans.begins) AS DATETIME) AS start"
#define COUNTED_FROM \
	" FROM (SELECT 1 AS number UNION ALL SELECT 2 UNION ALL SELECT 3) whats JOIN " \
	"(SELECT 'all' AS span, 0 AS is_own, '1970-01-01 00:00:00' AS begins " \
	"UNION ALL SELECT 'all', 1, '1970-01-01 00:00:00' " \
	"UNION ALL SELECT 'day', 0, '%Y-%m-%d 00:00:00' " \
	"UNION ALL SELECT 'hour', 0, '%Y-%m-%d %H:00:00') spans JOIN events e FORCE INDEX " \
	"(PRIMARY) " \
	"ON (spans.is_own = 0 OR (whats.number > 1 AND e.object <> 'incident')) " \
	"AND e.account_id IS NOT NULL "

/* Adds the events to the kept counts, or subtracts them if `sign` is -1. */
static enum result count_events(struct db *db, const struct id_list *events, int64_t sign,
				struct arena *arena, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO event_counts (account_id, object_id, what, span, start, "
			    "total) " COUNTED_AS ", ? * COUNT(*) AS total " COUNTED_FROM
			    "WHERE e.id IN ("));
	sql_add(&sql, sign);
	sql_list_ints(&sql, events->ids, events->count, arena);
	sql_add(&sql, SQL(") GROUP BY 1, 2, 3, 4, 5 ON DUPLICATE KEY UPDATE "
			  "total = event_counts.total + VALUES(total)"));
	return events->count > 0 ? db_write(db, &sql, NULL, error) : OK;
}

/* Call it after count_events() has subtracted the events. Deletes the counts of these events that
 * are now 0. */
static enum result drop_empty(struct db *db, const struct id_list *events, struct arena *arena,
			      struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE c FROM event_counts c JOIN (SELECT DISTINCT * FROM (" COUNTED_AS
				    COUNTED_FROM "WHERE e.id IN ("));
	sql_list_ints(&sql, events->ids, events->count, arena);
	sql_add(&sql, SQL(")) counted) gone ON c.account_id = gone.account_id "
			  "AND c.object_id = gone.object_id AND c.what = gone.what "
			  "AND c.span = gone.span AND c.start = gone.start "
			  "WHERE c.total = 0"));
	return events->count > 0 ? db_write(db, &sql, NULL, error) : OK;
}

/*
 * Counts the next events above the horizon, and moves the horizon to the last of them. Locks the
 * range of ids that ends before next_id, and then the row of next_id. A range that includes the
 * newest event would also lock the end of the table. Then all inserts of events would wait if this
 * process were suspended.
 */
static enum result count_part(struct db *db, struct horizon *horizon, struct arena *arena,
			      struct error *error)
{
	struct id_list part;
	struct sql_build sql;
	sql_start(&sql, SQL("(SELECT id FROM events WHERE id > ? AND id < ? ORDER BY id LIMIT ? "
			    "FOR UPDATE NOWAIT) UNION ALL "
			    "(SELECT id FROM events WHERE id = ? FOR UPDATE NOWAIT) "
			    "ORDER BY id LIMIT ?"));
	sql_add(&sql, horizon->counted_id, horizon->next_id, PART_ROWS, horizon->next_id,
		PART_ROWS);
	enum result result = db_read_ids(db, &sql, PART_ROWS, arena, &part, error);
	if (result == OK)
		result = count_events(db, &part, 1, arena, error);
	horizon->counted_id = part.count == PART_ROWS ? part.ids[part.count - 1] : horizon->next_id;
	return result;
}

struct counting {
	struct instant now;
	bool is_more;
};

static enum result count_work(struct db *db, void *context, struct error *error)
{
	struct counting *counting = context;
	struct arena arena CLEANUP(arena_done);
	struct horizon horizon = { 0 };
	arena_init(&arena, SCRATCH_MAX_BYTES);
	counting->is_more = false;
	enum result result = lock_horizon(db, &arena, &horizon, error);
	if (result != OK)
		return result;
	const struct horizon before = horizon;
	int64_t age_s = counting->now.s - horizon.next_at.s;
	if (horizon.counted_id < horizon.next_id && age_s >= EVENT_SETTLED_S)
		result = count_part(db, &horizon, &arena, error);
	counting->is_more = result == OK && horizon.counted_id < horizon.next_id &&
			    horizon.counted_id > before.counted_id;
	if (horizon.counted_id >= horizon.next_id && horizon.newest_id > horizon.next_id) {
		horizon.next_id = horizon.newest_id;
		horizon.next_at = counting->now;
	}
	/* If next_at is in the future, the clock was set back. Then wait for EVENT_SETTLED_S
	 * again. */
	if (age_s < 0)
		horizon.next_at = counting->now;
	bool has_changed = horizon.counted_id != before.counted_id ||
			   horizon.next_id != before.next_id ||
			   horizon.next_at.s != before.next_at.s;
	return result == OK && has_changed ? store_horizon(db, &horizon, error) : result;
}

enum result event_count_some(struct db *db, struct instant now, bool *is_more, struct error *error)
{
	struct counting counting = { .now = now };
	enum result result = db_transact(db, DB_WRITE, count_work, &counting, error);
	*is_more = result == OK && counting.is_more;
	return result;
}

/* The last id and the oldest time of the next PART_ROWS events in the order of ids. */
struct event_part {
	int64_t last;
	struct instant oldest;
};

static enum result find_part(struct db *db, int64_t after_id, struct arena *arena,
			     struct event_part *part, struct error *error)
{
	static const struct field part_rows[] = { FIELD(struct event_part, last),
						  FIELD(struct event_part, oldest) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT MAX(id) AS last, MIN(at) AS oldest FROM (SELECT id, at "
			    "FROM events WHERE id > ? ORDER BY id LIMIT ?) part"));
	sql_add(&sql, after_id, PART_ROWS);
	return db_read_one(db, &sql, FIELDS(part_rows), part, arena, error);
}

struct pruning {
	struct instant before;
	int64_t after_id;
	struct event_part part;
};

/* Finds the events to delete. Leaves out events of open incidents, whose history must stay
 * complete. */
static enum result find_old(struct db *db, const struct pruning *pruning, struct arena *arena,
			    struct id_list *old, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT id FROM events WHERE id > ? AND id <= ? AND at < ? "
			    "AND NOT (object = 'incident' AND EXISTS (SELECT 1 FROM incidents i "
			    "WHERE i.id = events.object_id AND i.ended_at IS NULL)) "
			    "ORDER BY id LIMIT ? FOR UPDATE"));
	sql_add(&sql, pruning->after_id, pruning->part.last, pruning->before, PART_ROWS);
	return db_read_ids(db, &sql, PART_ROWS, arena, old, error);
}

static enum result delete_events(struct db *db, const struct id_list *old, struct arena *arena,
				 struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM events WHERE id IN ("));
	sql_list_ints(&sql, old->ids, old->count, arena);
	sql_add(&sql, SQL(")"));
	return old->count > 0 ? db_write(db, &sql, NULL, error) : OK;
}

static enum result prune_work(struct db *db, void *context, struct error *error)
{
	const struct pruning *pruning = context;
	struct arena arena CLEANUP(arena_done);
	struct horizon horizon = { 0 };
	struct id_list old = { 0 };
	arena_init(&arena, SCRATCH_MAX_BYTES);
	enum result result = lock_horizon(db, &arena, &horizon, error);
	if (result == OK)
		result = find_old(db, pruning, &arena, &old, error);
	struct id_list counted = { old.ids, 0 };
	while (counted.count < old.count && old.ids[counted.count] <= horizon.counted_id)
		counted.count++;
	if (result == OK)
		result = count_events(db, &counted, -1, &arena, error);
	if (result == OK)
		result = drop_empty(db, &counted, &arena, error);
	return result == OK ? delete_events(db, &old, &arena, error) : result;
}

enum result event_prune(struct db *db, struct instant before, int64_t *after_id, bool *is_more,
			struct error *error)
{
	struct pruning pruning = { .before = before, .after_id = *after_id };
	struct arena arena CLEANUP(arena_done);
	arena_init(&arena, SCRATCH_MAX_BYTES);
	enum result result = find_part(db, *after_id, &arena, &pruning.part, error);
	*is_more = result == OK && pruning.part.last > 0 && pruning.part.oldest.s < before.s;
	if (!*is_more)
		return result;
	result = db_transact(db, DB_WRITE, prune_work, &pruning, error);
	*after_id = pruning.part.last;
	return result;
}

enum result event_counts_check(struct db *db, int64_t *wrong, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT COUNT(*) AS wrong FROM (SELECT account_id FROM "
			    "(SELECT account_id, kind AS what, COUNT(*) AS total "
			    "FROM events FORCE INDEX (events_kind) WHERE account_id IS NOT NULL "
			    "AND id <= (SELECT counted_id FROM event_horizon WHERE place = 1) "
			    "GROUP BY account_id, kind UNION ALL "
			    "SELECT account_id, what, -total FROM event_counts "
			    "WHERE object_id = 0 AND what LIKE '%.%' AND span = 'all') compared "
			    "GROUP BY account_id, what HAVING SUM(total) <> 0) differing"));
	return db_read_int(db, &sql, wrong, error);
}

enum result event_counts_reset(struct db *db, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct horizon horizon = { 0 };
	struct sql_build sql;
	arena_init(&arena, SCRATCH_MAX_BYTES);
	enum result result = lock_horizon(db, &arena, &horizon, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("DELETE FROM event_counts"));
	result = db_write(db, &sql, NULL, error);
	horizon.counted_id = 0;
	return result == OK ? store_horizon(db, &horizon, error) : result;
}
