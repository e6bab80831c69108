#include "store/check/monitor_gaps.h"

#include <stdlib.h>

#include "store/check/check_store.h"
#include "store/page/publication.h"

enum { SCRATCH_MAX_BYTES = 4 << 20 };

#define ROW(member, name) FIELD_NAMED(struct monitor_gap, member, name)
static const struct field rows_of_gap[] = { ROW(monitor_id, "monitor_id"), ROW(from, "started_at"),
					    ROW(until, "ended_at") };
#undef ROW

static const struct sql_rows given_rows = {
	.first = { "SELECT CAST(? AS SIGNED) AS id, CAST(? AS DATETIME) AS started_at, "
		   "CAST(? AS DATETIME) AS ended_at" },
	.next = { " UNION ALL SELECT CAST(? AS SIGNED), CAST(? AS DATETIME), "
		  "CAST(? AS DATETIME)" },
};

static int by_monitor(const void *a, const void *b)
{
	const struct monitor_gap *left = a, *right = b;
	return id_order(&left->monitor_id, &right->monitor_id);
}

static void add_rows(struct sql_build *sql, const struct sql_rows *shape,
		     const struct monitor_gap *rows, size_t count, struct arena *arena)
{
	sql_rows_begin(sql, shape, count, arena);
	for (size_t i = 0; i < count; i++)
		sql_add(sql, rows[i].monitor_id, rows[i].from, rows[i].until);
	sql_rows_end(sql);
}

/*
 * Locks the monitors whose gaps change, in the order of ids, and reads the rows to store. In the
 * statement, `o` is the monitor's open gap, and `s` is the stored gap with the same start as the
 * given one.
 */
static enum result lock_changed(struct db *db, const struct monitor_gap *rows, size_t count,
				struct arena *arena, struct db_list *list, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT m.id AS monitor_id, COALESCE(o.started_at, given.started_at) "
			    "AS started_at, given.ended_at FROM ("));
	add_rows(&sql, &given_rows, rows, count, arena);
	sql_add(&sql, SQL(") given STRAIGHT_JOIN monitors m FORCE INDEX (PRIMARY) "
			  "ON m.id = given.id "
			  "LEFT JOIN monitor_gaps o ON o.monitor_id = m.id "
			  "AND o.ends_at = TIMESTAMP'9999-12-31 00:00:00' "
			  "LEFT JOIN monitor_gaps s ON s.monitor_id = m.id "
			  "AND s.started_at = given.started_at "
			  "WHERE IF(given.ended_at IS NULL, o.monitor_id IS NULL AND EXISTS ("
			  "SELECT 1 FROM monitor_checks k WHERE k.monitor_id = m.id "
			  "AND k.type > 0), "
			  "o.monitor_id IS NOT NULL OR (given.started_at IS NOT NULL "
			  "AND COALESCE(s.ended_at <> given.ended_at, 1))) "
			  "ORDER BY m.id LIMIT 512 FOR UPDATE"));
	return db_read_list(db, &sql,
			    DB_SHAPE(FIELDS(rows_of_gap), struct monitor_gap, MONITOR_GAPS_MAX),
			    arena, list, error);
}

/* Sets updated_at of the monitors, because a gap changes their state, and clients sort and cache
 * monitors by this time. */
static enum result touch_monitors(struct db *db, const struct id_list *ids, struct instant now,
				  struct arena *arena, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE monitors SET updated_at = GREATEST(updated_at, ?) "
			    "WHERE id IN ("));
	sql_add(&sql, now);
	sql_list_ints(&sql, ids->ids, ids->count, arena);
	sql_add(&sql, SQL(")"));
	return db_write(db, &sql, NULL, error);
}

static enum result write_gaps(struct db *db, const struct db_list *list, struct arena *arena,
			      struct error *error)
{
	static const struct sql_rows values = {
		.first = { "(?, ?, ?, COALESCE(?, TIMESTAMP'9999-12-31 00:00:00'))" },
		.next = { ", (?, ?, ?, COALESCE(?, TIMESTAMP'9999-12-31 00:00:00'))" },
		.repeats_last = true,
	};
	const struct monitor_gap *rows = list->rows;
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO monitor_gaps (monitor_id, started_at, ended_at, ends_at) "
			    "VALUES "));
	sql_rows_begin(&sql, &values, list->count, arena);
	for (size_t i = 0; i < list->count; i++) {
		struct instant until = rows[i].until;
		/* If the end is before the start, the clock was set back while the gap was open. */
		if (until.s > 0 && until.s < rows[i].from.s)
			until = rows[i].from;
		sql_add(&sql, rows[i].monitor_id, rows[i].from, until, until);
	}
	sql_rows_end(&sql);
	sql_add(&sql, SQL(" ON DUPLICATE KEY UPDATE ended_at = VALUES(ended_at), "
			  "ends_at = VALUES(ends_at)"));
	return db_write(db, &sql, NULL, error);
}

enum result monitor_gaps_store(struct db *db, struct monitor_gap *rows, size_t count,
			       struct instant now, size_t *changed, struct error *error)
{
	struct arena scratch CLEANUP(arena_done);
	struct db_list list = { 0 };
	enum result result = OK;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	if (count > 0) {
		qsort(rows, count, sizeof(*rows), by_monitor);
		result = lock_changed(db, rows, count, &scratch, &list, error);
	}
	if (changed)
		*changed = list.count;
	if (result != OK || list.count == 0)
		return result;
	const struct monitor_gap *found = list.rows;
	struct publication_shown shown = { .now = now };
	shown.monitors.ids = ARENA_ARRAY(&scratch, list.count, int64_t);
	for (size_t i = 0; i < list.count; i++)
		shown.monitors.ids[shown.monitors.count++] = found[i].monitor_id;
	result = touch_monitors(db, &shown.monitors, now, &scratch, error);
	if (result == OK)
		result = write_gaps(db, &list, &scratch, error);
	return result == OK ? publication_mark_shown(db, &shown, &scratch, error) : result;
}

/* Finds the monitors whose next check is late, and that have no open gap yet. */
static enum result find_unchecked(struct db *db, struct arena *arena, struct db_list *list,
				  struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT k.monitor_id, IF(k.type = ?, s.checked_at + INTERVAL k.period "
			    "+ k.grace SECOND, s.checked_at) AS started_at, NULL AS ended_at "
			    "FROM monitor_checks k STRAIGHT_JOIN monitor_states s "
			    "ON s.monitor_id = k.monitor_id AND s.location_id = 0 "
			    "STRAIGHT_JOIN monitors m ON m.id = k.monitor_id "
			    "AND m.retired_at IS NULL AND m.removed_at IS NULL "
			    "LEFT JOIN monitor_gaps o ON o.monitor_id = k.monitor_id "
			    "AND o.ends_at = TIMESTAMP'9999-12-31 00:00:00' "
			    "WHERE k.type > 0 AND s.phase > 0 AND o.monitor_id IS NULL "
			    "AND (k.type <> ? OR s.phase = ?) "
			    "AND UTC_TIMESTAMP() > s.checked_at + INTERVAL IF(k.type = ?, "
			    "k.period + k.grace, 2 * k.`interval` + k.timeout) SECOND "
			    "ORDER BY k.monitor_id LIMIT 512"));
	/* Read a monitor of type heartbeat only in the phase CHECK_UP: in other phases its missing
	 * heartbeat is already known. */
	sql_add(&sql, CHECK_HEARTBEAT, CHECK_HEARTBEAT, CHECK_UP, CHECK_HEARTBEAT);
	return db_read_list(db, &sql,
			    DB_SHAPE(FIELDS(rows_of_gap), struct monitor_gap, MONITOR_GAPS_MAX),
			    arena, list, error);
}

struct beginning {
	struct instant now;
	size_t count;
};

static enum result begin_idle(struct db *db, void *context, struct error *error)
{
	struct beginning *beginning = context;
	struct arena scratch CLEANUP(arena_done);
	struct db_list list = { 0 };
	bool is_over = false;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	enum result result = check_lease_is_over(db, &is_over, error);
	if (result == OK && is_over)
		result = find_unchecked(db, &scratch, &list, error);
	beginning->count = list.count;
	return result == OK
		       ? monitor_gaps_store(db, list.rows, list.count, beginning->now, NULL, error)
		       : result;
}

enum result monitor_gaps_begin_idle(struct db *db, struct instant now, bool *is_more,
				    struct error *error)
{
	struct beginning beginning = { .now = now };
	enum result result = db_transact(db, DB_WRITE, begin_idle, &beginning, error);
	*is_more = result == OK && beginning.count == MONITOR_GAPS_MAX;
	return result;
}

enum result monitor_gaps_end(struct db *db, int64_t monitor_id, struct instant now,
			     struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE monitor_gaps SET ended_at = GREATEST(started_at, ?), "
			    "ends_at = GREATEST(started_at, ?) WHERE monitor_id = ? "
			    "AND ends_at = TIMESTAMP'9999-12-31 00:00:00'"));
	sql_add(&sql, now, now, monitor_id);
	return db_write(db, &sql, NULL, error);
}

/* The condition that the end of a gap is more than a minute in the future. A smaller difference may
 * only mean that the clocks of a checker and the database differ. */
#define IS_AHEAD \
	"ends_at > GREATEST(started_at, UTC_TIMESTAMP() + INTERVAL 1 MINUTE) " \
	"AND ends_at < TIMESTAMP'9999-12-31 00:00:00' "

static enum result cut_work(struct db *db, void *context, struct error *error)
{
	struct beginning *cutting = context;
	struct arena scratch CLEANUP(arena_done);
	struct sql_build sql;
	struct publication_shown shown = { .now = cutting->now };
	struct id_list *ids = &shown.monitors;
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	sql_start(&sql, SQL("SELECT DISTINCT monitor_id AS id FROM monitor_gaps WHERE " IS_AHEAD
			    "ORDER BY id LIMIT 512"));
	enum result result = db_read_ids(db, &sql, MONITOR_GAPS_MAX, &scratch, ids, error);
	cutting->count = ids->count;
	if (result != OK || ids->count == 0)
		return result;
	result = touch_monitors(db, ids, cutting->now, &scratch, error);
	sql_start(&sql, SQL("UPDATE monitor_gaps SET ended_at = GREATEST(started_at, "
			    "UTC_TIMESTAMP()), ends_at = GREATEST(started_at, UTC_TIMESTAMP()) "
			    "WHERE " IS_AHEAD "AND monitor_id IN ("));
	sql_list_ints(&sql, ids->ids, ids->count, &scratch);
	sql_add(&sql, SQL(")"));
	if (result == OK)
		result = db_write(db, &sql, NULL, error);
	return result == OK ? publication_mark_shown(db, &shown, &scratch, error) : result;
}

enum result monitor_gaps_cut(struct db *db, struct instant now, struct error *error)
{
	struct beginning cutting = { .now = now, .count = MONITOR_GAPS_MAX };
	enum result result = OK;
	while (result == OK && cutting.count == MONITOR_GAPS_MAX)
		result = db_transact(db, DB_WRITE, cut_work, &cutting, error);
	return result;
}

enum result monitor_gaps_prune(struct db *db, struct instant before, bool *is_more,
			       struct error *error)
{
	struct arena scratch CLEANUP(arena_done);
	struct sql_build sql;
	struct id_list ids = { 0 };
	arena_init(&scratch, SCRATCH_MAX_BYTES);
	/* Find the monitors first: a DELETE with only the time as its condition would lock all
	 * gaps. */
	sql_start(&sql, SQL("SELECT DISTINCT monitor_id AS id FROM monitor_gaps WHERE ends_at < ? "
			    "ORDER BY id LIMIT 512"));
	sql_add(&sql, before);
	enum result result = db_read_ids(db, &sql, MONITOR_GAPS_MAX, &scratch, &ids, error);
	*is_more = result == OK && ids.count == MONITOR_GAPS_MAX;
	if (result != OK || ids.count == 0)
		return result;
	sql_start(&sql, SQL("DELETE FROM monitor_gaps WHERE monitor_id IN ("));
	sql_list_ints(&sql, ids.ids, ids.count, &scratch);
	sql_add(&sql, SQL(") AND ends_at < ?"), before);
	return db_write(db, &sql, NULL, error);
}

enum result monitor_gaps_delete(struct db *db, int64_t monitor_id, int64_t most, int64_t *deleted,
				struct error *error)
{
	struct sql_build sql;
	struct db_done done = { 0 };
	sql_start(&sql, SQL("DELETE FROM monitor_gaps WHERE monitor_id = ? "
			    "ORDER BY monitor_id, started_at LIMIT ?"));
	sql_add(&sql, monitor_id, most);
	enum result result = db_write(db, &sql, &done, error);
	*deleted = done.rows;
	return result;
}
