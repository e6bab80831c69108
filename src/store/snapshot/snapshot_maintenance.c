/* Loads the maintenance windows of pages, with their monitors, occurrences and posted updates. */
#include <stdlib.h>

#include "domain/maintenance/maintenance.h"
#include "store/maintenance/maintenance_rows.h"
#include "store/snapshot/snapshot.h"

struct loading {
	struct db *db;
	struct snapshot_set *set;
	struct arena *arena;
	size_t most;		     /* how many rows a statement may return at most */
	enum result over;	     /* the result if there are more rows */
	struct page_windows windows; /* the windows of all pages */
	struct id_list ids;	     /* the ids of the windows, ascending */
	struct maintenance_rows found;
};

static struct id_list flagged_monitors(const struct snapshot_set *set, struct arena *arena)
{
	struct id_list list = { ARENA_ARRAY(arena, set->monitor_count, int64_t), 0 };
	for (size_t i = 0; i < set->monitor_count; i++)
		if (set->monitors[i].has_maintenance)
			list.ids[list.count++] = set->monitors[i].id;
	return list;
}

/* Reads rows by a statement with a LIMIT of loading->most + 1. */
static enum result read_rows(const struct loading *loading, const struct sql_build *sql,
			     struct db_shape shape, const char *what, struct db_list *list,
			     struct error *error)
{
	shape.limit = loading->most + 1;
	enum result result =
		snapshot_read(loading->db, sql, &shape, what, loading->arena, list, error);
	if (result == OK && list->count > loading->most)
		return error_log(error, loading->over, "publish: the page has more than %zu %s",
				 loading->most, what);
	return result;
}

/* Reads the pairs of a monitor and a window that has the monitor. Skips windows that ended before
 * the days of the bars. */
static enum result read_pairs(struct loading *loading, const struct id_list *monitors,
			      struct error *error)
{
#define PAIR(member) FIELD(struct page_window_monitor, member)
	static const struct field rows[] = { PAIR(monitor_id), PAIR(maintenance_id) };
	struct sql_build sql;
	struct db_list list;
	sql_start(&sql, SQL("SELECT x.monitor_id, x.maintenance_id FROM maintenance_monitors x "
			    "JOIN maintenances m ON m.id = x.maintenance_id AND m.over_at >= ? "
			    "WHERE x.monitor_id IN ("));
	sql_add(&sql, loading->set->bars_start);
	sql_list_ints(&sql, monitors->ids, monitors->count, loading->arena);
	sql_add(&sql, SQL(") ORDER BY x.monitor_id, x.maintenance_id LIMIT ?"),
		(int64_t)loading->most + 1);
	enum result result = read_rows(loading, &sql,
				       *DB_SHAPE(FIELDS(rows), struct page_window_monitor, 0),
				       "monitors in maintenance", &list, error);
	if (result == OK)
		loading->windows.monitors = snapshot_rows_append(
			loading->arena, loading->windows.monitors, &loading->windows.monitor_count,
			&list, sizeof(*loading->windows.monitors));
	return result;
}

/* Reads three kinds of occurrences: those in the days of the bars, the next occurrences of each
 * window, and the occurrences that were cancelled lately. */
static enum result read_occurrences(struct loading *loading, const struct id_list *ids,
				    struct error *error)
{
	const struct instant now = loading->set->now;
	const struct instant cancelled = { now.s - MAINTENANCE_CANCELLED_DAYS * (int64_t)DAY_S };
	struct sql_build sql;
	struct db_list list;
	sql_start(&sql,
		  SQL("SELECT o.id, o.maintenance_id, o.starts_at, o.ends_at, o.status, "
		      "o.created_at, o.updated_at, m.auto_transition AS is_auto, m.title, "
		      "(o.is_dropped = 1 OR m.deleted_at IS NOT NULL) AS is_withdrawn "
		      "FROM (SELECT x.id, x.maintenance_id, x.starts_at, x.ends_at, x.status, "
		      "x.created_at, x.updated_at, x.is_dropped, "
		      "ROW_NUMBER() OVER (PARTITION BY x.maintenance_id, x.starts_at > ?, "
		      "x.status = 4 ORDER BY x.starts_at, x.id) AS place "
		      "FROM maintenance_occurrences x WHERE x.ends_at >= ? "
		      "AND (x.status <> 4 OR x.updated_at >= ?) AND x.maintenance_id IN ("));
	sql_add(&sql, now, loading->set->bars_start, cancelled);
	sql_list_ints(&sql, ids->ids, ids->count, loading->arena);
	sql_add(&sql, SQL(")) o JOIN maintenances m ON m.id = o.maintenance_id "
			  "WHERE o.starts_at <= ? OR o.place <= ? OR (o.status = 4 AND "
			  "o.place <= 100) ORDER BY o.maintenance_id, o.starts_at, o.id LIMIT ?"));
	sql_add(&sql, now, MAINTENANCE_SHOWN_MAX, (int64_t)loading->most + 1);
	enum result result = read_rows(
		loading, &sql, *DB_SHAPE(maintenance_occurrence_rows, struct page_maintenance, 0),
		"occurrences of maintenance", &list, error);
	if (result == OK)
		loading->found.rows = snapshot_rows_append(loading->arena, loading->found.rows,
							   &loading->found.count, &list,
							   sizeof(*loading->found.rows));
	return result;
}

/* Drops the occurrences that ended before the recent days: pages do not show their texts. */
static void keep_recent(struct loading *loading)
{
	const struct instant now = loading->set->now;
	/* Keep one day more, because the start of a day depends on the time zone. */
	const struct instant recent = { now.s - (PAGE_RECENT_DAYS + 1) * (int64_t)DAY_S };
	struct maintenance_rows *found = &loading->found;
	size_t kept = 0;
	for (size_t i = 0; i < found->count; i++) {
		const struct page_maintenance *row = &found->rows[i];
		bool is_over =
			row->status == PHASE_COMPLETED ||
			(row->is_auto && row->status < PHASE_COMPLETED && row->ends_at.s <= now.s);
		if (!is_over || row->ends_at.s >= recent.s)
			found->rows[kept++] = *row;
	}
	found->count = kept;
}

static void fill_page(const struct loading *loading, struct page_snapshot *page)
{
	struct arena *arena = loading->arena;
	const struct id_list *ids = &page->monitor_ids;
	const struct page_windows *all = &loading->windows;
	int64_t *sorted = ARENA_ARRAY(arena, ids->count, int64_t);
	page->windows = *all;
	page->windows.monitors = ARENA_ARRAY(arena, all->monitor_count, struct page_window_monitor);
	page->windows.monitor_count = 0;
	for (size_t i = 0; i < ids->count; i++)
		sorted[i] = ids->ids[i];
	qsort(sorted, ids->count, sizeof(*sorted), id_order);
	for (size_t i = 0; i < all->monitor_count; i++)
		if (bsearch(&all->monitors[i].monitor_id, sorted, ids->count, sizeof(*sorted),
			    id_order))
			page->windows.monitors[page->windows.monitor_count++] = all->monitors[i];
	const struct maintenance_rows rows =
		maintenance_rows_of_page(&loading->found, page, &page->windows, arena);
	page->maintenances = rows.rows;
	page->maintenance_count = rows.count;
}

/* Reads the windows of the monitors, and the occurrences of these windows. */
static enum result read_windows(struct loading *loading, const struct id_list *monitors,
				struct error *error)
{
	enum result result = OK;
	for (size_t from = 0; result == OK && from < monitors->count; from += SNAPSHOT_LIST_MAX) {
		const struct id_list some = snapshot_list_chunk(monitors, from);
		result = read_pairs(loading, &some, error);
	}
	loading->ids = maintenance_rows_ids(&loading->windows, loading->arena);
	for (size_t from = 0; result == OK && from < loading->ids.count;
	     from += SNAPSHOT_LIST_MAX) {
		const struct id_list some = snapshot_list_chunk(&loading->ids, from);
		result = read_occurrences(loading, &some, error);
	}
	if (result == OK)
		maintenance_rows_settle(&loading->found, &loading->windows, loading->set->now,
					loading->arena);
	return result;
}

static enum result read_all(struct loading *loading, const struct id_list *monitors,
			    struct error *error)
{
	enum result result = read_windows(loading, monitors, error);
	if (result != OK)
		return result;
	keep_recent(loading);
	return maintenance_rows_read(loading->db, &loading->found, &loading->ids, loading->set->now,
				     loading->arena, error);
}

enum result snapshot_load_maintenance(struct db *db, struct snapshot_set *set, struct arena *arena,
				      struct error *error)
{
	struct loading loading = {
		.db = db, .set = set, .arena = arena, .most = PAGE_WINDOWS_MAX, .over = E_FAILED
	};
	const struct id_list monitors = flagged_monitors(set, arena);
	enum result result = OK;
	if (monitors.count > 0)
		result = read_all(&loading, &monitors, error);
	for (size_t i = 0; result == OK && loading.windows.monitor_count > 0 && i < set->count; i++)
		if (set->contents[i].is_found)
			fill_page(&loading, &set->contents[i].view);
	return result;
}

enum result snapshot_read_windows(struct db *db, struct snapshot_set *set, size_t most,
				  struct arena *arena, struct page_snapshot *page,
				  struct error *error)
{
	struct loading loading = {
		.db = db, .set = set, .arena = arena, .most = most, .over = E_TOO_LARGE
	};
	const struct id_list monitors = flagged_monitors(set, arena);
	enum result result = read_windows(&loading, &monitors, error);
	if (result == OK)
		page->windows = loading.windows;
	return result;
}
