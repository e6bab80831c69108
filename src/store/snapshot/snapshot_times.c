#include "store/snapshot/snapshot_incidents.h"

#include <stdlib.h>

#include "base/sorted.h"
#include "domain/incident/incident_report.h"

enum {
	/* the most monitors of a statement for older incidents (two SELECTs for each monitor) */
	OLD_PARTS_MAX = 64,
};

/* A row of a statement. add_row() keeps `reported` only for reported incidents, and for detected
 * incidents whose impact has changed. */
struct read_row {
	struct incident_times times;
	struct reported_times reported;
	bool is_reported;
};

#define ROW(member)	 FIELD_NAMED(struct read_row, times.member, #member)
#define REPORTED(member) FIELD_NAMED(struct read_row, reported.monitor.member, #member)
static const struct field rows[] = {
	ROW(id),
	ROW(monitor_id),
	ROW(started_at),
	ROW(ended_at),
	ROW(acknowledged_at),
	ROW(updated_at),
	ROW(impact),
	ROW(exclude_from_uptime),
	ROW(title),
	FIELD(struct read_row, is_reported),
	REPORTED(position),
	REPORTED(lesser_impact),
	REPORTED(affected_from),
	REPORTED(affected_until),
	REPORTED(has_outage),
	REPORTED(outage_from),
	REPORTED(outage_until),
};
#define NO_TIME "CAST(NULL AS DATETIME)"
#define COLUMNS \
	"SELECT id, monitor_id, started_at, ended_at, acknowledged_at, updated_at, impact, " \
	"exclude_from_uptime, title, 0 AS is_reported, 0 AS position, lesser_impact, " \
	"affected_from, " \
	"affected_until, has_outage, outage_from, outage_until "
#define REPORTED_COLUMNS \
	"SELECT i.id, x.monitor_id, i.started_at, i.ended_at, i.acknowledged_at, i.updated_at, " \
	"x.impact, i.exclude_from_uptime, i.title, 1 AS is_reported, x.position, " \
	"x.lesser_impact, " \
	"x.affected_from, x.affected_until, x.has_outage, x.outage_from, x.outage_until "
#define NOTICE_COLUMNS \
	"SELECT i.id, -n.status_page_id AS monitor_id, i.started_at, i.ended_at, " \
	"i.acknowledged_at, i.updated_at, i.impact, i.exclude_from_uptime, i.title, 1 AS " \
	"is_reported, " \
	"0 AS position, 0 AS lesser_impact, " NO_TIME " AS affected_from, " NO_TIME \
	" AS affected_until, 0 AS has_outage, " NO_TIME " AS outage_from, " NO_TIME \
	" AS outage_until "

static void make_room(struct times_loading *loading, size_t more)
{
	struct times_list *list = &loading->list;
	size_t needed = list->count + more, room = 2 * list->room;
	if (needed <= list->room)
		return;
	room = room > needed ? room : needed;
	struct incident_times *grown = ARENA_ARRAY(loading->arena, room, struct incident_times);
	for (size_t i = 0; i < list->count; i++)
		grown[i] = list->rows[i];
	list->rows = grown;
	list->room = room;
}

static void add_row(struct times_loading *loading, const struct read_row *row)
{
	struct incident_times *times = &loading->list.rows[loading->list.count++];
	*times = row->times;
	times->reported = NULL;
	times->course = NULL;
	bool has_course = row->is_reported ||
			  incident_monitor_has_course(&row->reported.monitor, times->impact);
	if (!has_course)
		return;
	struct reported_times *reported = ARENA_NEW(loading->arena, struct reported_times);
	*reported = row->reported;
	reported->monitor.id = times->monitor_id;
	reported->monitor.impact = times->impact;
	times->reported = row->is_reported ? reported : NULL;
	times->course = &reported->monitor;
}

/* Runs the statement, and appends its rows to loading->list. */
static enum result read_times(struct times_loading *loading, const struct sql_build *sql,
			      struct error *error)
{
	struct db_rows *found CLEANUP(db_rows_cleanup) = NULL;
	struct times_list *list = &loading->list;
	struct arena *arena = loading->arena;
	enum result result = db_read(loading->db, sql, &found, error);
	if (result != OK)
		return result;
	size_t count = db_rows_count(found);
	if (count == 0)
		return OK;
	if (list->count + count > loading->most)
		return error_log(error, loading->over,
				 "publish: the page has more than %zu incidents in the days of its "
				 "bars",
				 loading->most);
	make_room(loading, count);
	struct read_row row = { 0 };
	while (arena_has_room(arena) && db_next(found, FIELDS(rows), &row, arena))
		add_row(loading, &row);
	return arena_has_room(arena) ? OK
				     : error_log(error, E_FAILED,
						 "publish: the incidents in the days of its bars "
						 "take more memory than a page may");
}

bool times_are_few(const struct times_loading *loading, const struct snapshot_monitor *monitor)
{
	return !loading->is_old_left && monitor->incidents <= TIMES_FEW;
}

/* Returns the ids of the monitors for which times_are_few() returns has_few. */
static struct id_list pick_ids(const struct times_loading *loading, size_t from, size_t count,
			       bool has_few)
{
	const struct snapshot_monitor *monitors = &loading->set->monitors[from];
	struct id_list list = { ARENA_ARRAY(loading->arena, count, int64_t), 0 };
	for (size_t i = 0; i < count; i++)
		if (times_are_few(loading, &monitors[i]) == has_few)
			list.ids[list.count++] = monitors[i].id;
	return list;
}

/* Adds a SELECT of all incidents of the monitors. If `until` is set, selects only incidents that
 * began before `until`. */
static void add_all(struct sql_build *sql, const struct times_loading *loading,
		    const struct id_list *few, struct instant until)
{
	if (few->count == 0)
		return;
	sql_add(sql, SQL("(" COLUMNS "FROM incidents FORCE INDEX (incidents_monitor_starts) "
			 "WHERE monitor_id IN ("));
	sql_list_ints(sql, few->ids, few->count, loading->arena);
	if (until.s > 0)
		sql_add(sql, SQL(") AND (started_at < ?"), until);
	sql_add(sql, SQL(") ORDER BY monitor_id, started_at, id LIMIT ?) UNION ALL "
			 "(" REPORTED_COLUMNS "FROM incident_monitors x "
			 "FORCE INDEX (incident_monitors_starts) "
			 "STRAIGHT_JOIN incidents i ON i.id = x.incident_id "
			 "WHERE x.monitor_id IN ("));
	sql_add(sql, (int64_t)loading->most + 1);
	sql_list_ints(sql, few->ids, few->count, loading->arena);
	if (until.s > 0)
		sql_add(sql, SQL(") AND (x.started_at < ?"), until);
	sql_add(sql, SQL(") LIMIT ?)"), (int64_t)loading->most + 1);
}

/* Adds a SELECT of the incidents in the days of the bars, for monitors with many incidents. An
 * index finds these incidents. */
static void add_many(struct sql_build *sql, const struct times_loading *loading,
		     const struct id_list *many)
{
	struct instant since = loading->set->bars_start;
	if (many->count == 0)
		return;
	sql_add(sql, SQL("(" COLUMNS "FROM incidents FORCE INDEX (incidents_monitor_ends) "
			 "WHERE monitor_id IN ("));
	sql_list_ints(sql, many->ids, many->count, loading->arena);
	sql_add(sql, SQL(") AND ends_at >= ? ORDER BY monitor_id, ends_at, id LIMIT ?) UNION ALL "
			 "(" REPORTED_COLUMNS "FROM incident_monitors x "
			 "FORCE INDEX (incident_monitors_ends) "
			 "STRAIGHT_JOIN incidents i ON i.id = x.incident_id "
			 "WHERE x.monitor_id IN ("));
	sql_add(sql, since, (int64_t)loading->most + 1);
	sql_list_ints(sql, many->ids, many->count, loading->arena);
	sql_add(sql, SQL(") AND x.ends_at >= ? LIMIT ?)"), since, (int64_t)loading->most + 1);
}

/* Adds a SELECT of the notices in the days of the bars, and of the newest PAGE_NEWEST_MAX notices
 * of each page. */
static void add_notices(struct sql_build *sql, const struct times_loading *loading)
{
	sql_add(sql, SQL("(" NOTICE_COLUMNS "FROM (SELECT g.incident_id, g.status_page_id, "
			 "g.ends_at, ROW_NUMBER() OVER (PARTITION BY g.status_page_id "
			 "ORDER BY g.started_at DESC, g.incident_id DESC) AS place "
			 "FROM incident_pages g FORCE INDEX (incident_pages_starts) "
			 "WHERE g.status_page_id IN ("));
	snapshot_add_pages(sql, loading->set, loading->arena);
	sql_add(sql, SQL(") AND g.is_shown = 1) n STRAIGHT_JOIN incidents i ON i.id = "
			 "n.incident_id WHERE n.place <= ? OR n.ends_at >= ? LIMIT ?)"));
	sql_add(sql, PAGE_NEWEST_MAX, loading->set->bars_start, (int64_t)loading->most + 1);
}

/*
 * Reads the incidents of `count` monitors, from index `from` on: all incidents of monitors with few
 * incidents, and the incidents in the days of the bars of other monitors. If `from` is 0, also
 * reads the notices of the pages.
 */
static enum result read_chunk(struct times_loading *loading, size_t from, size_t count,
			      struct error *error)
{
	struct sql_build sql;
	struct id_list few = pick_ids(loading, from, count, true),
		       many = pick_ids(loading, from, count, false);
	sql_start(&sql, SQL(""));
	add_all(&sql, loading, &few, (struct instant){ 0 });
	if (few.count > 0 && many.count > 0)
		sql_add(&sql, SQL(" UNION ALL "));
	add_many(&sql, loading, &many);
	bool has_notices = from == 0 && loading->set->count > 0;
	if (has_notices && count > 0)
		sql_add(&sql, SQL(" UNION ALL "));
	if (has_notices)
		add_notices(&sql, loading);
	return read_times(loading, &sql, error);
}

static int by_monitor(const void *a, const void *b)
{
	const struct incident_times *left = a, *right = b;
	if (left->monitor_id != right->monitor_id)
		return left->monitor_id < right->monitor_id ? -1 : 1;
	return (left->id > right->id) - (left->id < right->id);
}

/* Sorts the list, and drops incidents that both times_read_bars() and times_read_old() have
 * read. */
static void sort_times(struct times_list *list)
{
	const struct incident_times *row;
	size_t kept = 0;
	if (list->count > 0)
		qsort(list->rows, list->count, sizeof(*list->rows), by_monitor);
	for (size_t i = 0; i < list->count; i++) {
		row = &list->rows[i];
		if (kept == 0 || by_monitor(&list->rows[kept - 1], row) != 0)
			list->rows[kept++] = *row;
	}
	list->count = kept;
}

/* Selects the newest incidents of a monitor that began before the bars. */
#define OLD \
	"(" COLUMNS "FROM incidents FORCE INDEX (incidents_monitor_starts) " \
	"WHERE monitor_id = ? AND started_at < ? ORDER BY started_at DESC, id DESC LIMIT 25) " \
	"UNION ALL (" REPORTED_COLUMNS "FROM incident_monitors x " \
	"FORCE INDEX (incident_monitors_starts) STRAIGHT_JOIN incidents i ON i.id = " \
	"x.incident_id " \
	"WHERE x.monitor_id = ? AND x.started_at < ? " \
	"ORDER BY x.started_at DESC, x.incident_id DESC LIMIT 25)"
_Static_assert(PAGE_NEWEST_MAX == 25, "the limit of OLD");
static const struct sql_rows old_parts = { { OLD }, { " UNION ALL " OLD }, false };

static enum result read_old_of_many(struct times_loading *loading, const struct id_list *monitors,
				    struct error *error)
{
	enum result result = OK;
	for (size_t from = 0; result == OK && from < monitors->count; from += OLD_PARTS_MAX) {
		struct sql_build sql;
		size_t left = monitors->count - from;
		sql_start(&sql, SQL(""));
		sql_rows_begin(&sql, &old_parts, left < OLD_PARTS_MAX ? left : OLD_PARTS_MAX,
			       loading->arena);
		for (size_t i = from; i < monitors->count && i < from + OLD_PARTS_MAX; i++) {
			struct instant since = loading->set->bars_start;
			sql_add(&sql, monitors->ids[i], since, monitors->ids[i], since);
		}
		sql_rows_end(&sql);
		result = read_times(loading, &sql, error);
	}
	return result;
}

enum result times_read_old(struct times_loading *loading, const struct old_monitors *old,
			   struct error *error)
{
	enum result result = OK;
	for (size_t from = 0; result == OK && from < old->few.count; from += SNAPSHOT_LIST_MAX) {
		struct sql_build sql;
		const struct id_list some = snapshot_list_chunk(&old->few, from);
		sql_start(&sql, SQL(""));
		add_all(&sql, loading, &some, loading->set->bars_start);
		result = read_times(loading, &sql, error);
	}
	if (result == OK)
		result = read_old_of_many(loading, &old->many, error);
	if (result == OK && old->few.count + old->many.count > 0)
		sort_times(&loading->list);
	return result;
}

struct times_list times_of(const struct times_list *list, int64_t monitor_id)
{
	size_t from = SORTED_PLACE(struct incident_times, monitor_id, list->rows, list->count,
				   monitor_id);
	size_t end;
	for (end = from; end < list->count && list->rows[end].monitor_id == monitor_id;)
		end++;
	if (end == from)
		return (struct times_list){ 0 };
	return (struct times_list){ list->rows + from, end - from, 0 };
}

enum result times_read_bars(struct times_loading *loading, struct error *error)
{
	enum result result = OK;
	size_t from = 0, count = loading->set->monitor_count;
	do {
		size_t left = count - from;
		result = read_chunk(loading, from,
				    left < SNAPSHOT_LIST_MAX ? left : SNAPSHOT_LIST_MAX, error);
		from += SNAPSHOT_LIST_MAX;
	} while (result == OK && from < count);
	if (result == OK)
		sort_times(&loading->list);
	return result;
}
