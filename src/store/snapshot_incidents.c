/*
 * The incidents of pages: the times of all that touch their bars, the recent, the newest. Times are
 * read first; texts only of the incidents that a page shows, so that a busy monitor costs no more.
 */
#include "store/snapshot_incidents.h"

#include <stdlib.h>

enum {
	OUTAGES_MAX = PAGE_OUTAGES_MAX,
	/* Of several pages: more are read page by page. */
	SET_OUTAGES_MAX = 50000,
	/* All incidents of such a monitor are read at once, whatever their age. */
	FEW = PAGE_NEWEST_MAX,
	/* Each part of such a statement is a query of its own. */
	OLD_PARTS_MAX = 64,
};

#define ROW(member) FIELD(struct incident_times, member)
static const struct field rows[] = {
	ROW(id),       ROW(monitor_id),	     ROW(started_at),
	ROW(ended_at), ROW(acknowledged_at), ROW(updated_at),
};
#define COLUMNS "SELECT id, monitor_id, started_at, ended_at, acknowledged_at, updated_at "

struct loading {
	struct db *db;
	const struct snapshot_set *set;
	struct arena *arena;
	size_t most; /* rows */
	struct times_list list;
};

static void make_room(struct loading *loading, size_t more)
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

/* Appends the rows of a query. */
static enum result read_times(struct loading *loading, const struct sql_build *sql,
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
		return error_log(error, E_FAILED,
				 "publish: the page has more than %zu incidents in the days of its "
				 "bars",
				 loading->most);
	make_room(loading, count);
	while (arena_has_room(arena) &&
	       db_next(found, FIELDS(rows), &list->rows[list->count], arena))
		list->count++;
	return arena_has_room(arena) ? OK
				     : error_log(error, E_FAILED,
						 "publish: the incidents in the days of its bars "
						 "take more memory than a page may");
}

/* The ids of monitors with few incidents, or of the others. */
static struct id_list pick_ids(const struct snapshot_monitor *monitors, size_t count, bool has_few,
			       struct arena *arena)
{
	struct id_list list = { ARENA_ARRAY(arena, count, int64_t), 0 };
	for (size_t i = 0; i < count; i++)
		if ((monitors[i].incidents <= FEW) == has_few)
			list.ids[list.count++] = monitors[i].id;
	return list;
}

/*
 * Reads what touches the bars; of a monitor with few incidents all of them. A monitor's past
 * incidents may be many: the index finds the wanted ones.
 */
static enum result read_bars(struct loading *loading, size_t from, size_t count,
			     struct error *error)
{
	struct sql_build sql;
	struct arena *arena = loading->arena;
	const struct snapshot_monitor *monitors = &loading->set->monitors[from];
	struct id_list few = pick_ids(monitors, count, true, arena),
		       many = pick_ids(monitors, count, false, arena);
	sql_start(&sql, SQL(""));
	if (few.count > 0) {
		sql_add(&sql,
			SQL("(" COLUMNS "FROM incidents FORCE INDEX (incidents_monitor_starts) "
			    "WHERE monitor_id IN ("));
		sql_list_ints(&sql, few.ids, few.count, arena);
		sql_add(&sql, SQL(") ORDER BY monitor_id, started_at, id LIMIT ?)"));
		sql_int(&sql, (int64_t)loading->most + 1);
	}
	if (few.count > 0 && many.count > 0)
		sql_add(&sql, SQL(" UNION ALL "));
	if (many.count > 0) {
		sql_add(&sql, SQL("(" COLUMNS "FROM incidents FORCE INDEX (incidents_monitor_ends) "
				  "WHERE monitor_id IN ("));
		sql_list_ints(&sql, many.ids, many.count, arena);
		sql_add(&sql, SQL(") AND ends_at >= ? ORDER BY monitor_id, ends_at, id LIMIT ?)"));
		sql_time(&sql, uptime_day_start(loading->set->now, 0));
		sql_int(&sql, (int64_t)loading->most + 1);
	}
	return read_times(loading, &sql, error);
}

/* A monitor's newest incidents that began before the bars do. */
#define OLD \
	"(" COLUMNS "FROM incidents FORCE INDEX (incidents_monitor_starts) " \
	"WHERE monitor_id = ? AND started_at < ? ORDER BY started_at DESC, id DESC LIMIT 25)"
_Static_assert(PAGE_NEWEST_MAX == 25, "the limit of OLD");
static const struct sql_rows old_parts = { { OLD }, { " UNION ALL " OLD }, false };

static enum result read_old(struct loading *loading, const struct id_list *monitors,
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
			sql_int(&sql, monitors->ids[i]);
			sql_time(&sql, uptime_day_start(loading->set->now, 0));
		}
		sql_rows_end(&sql);
		result = read_times(loading, &sql, error);
	}
	return result;
}

static int by_monitor(const void *a, const void *b)
{
	const struct incident_times *left = a, *right = b;
	if (left->monitor_id != right->monitor_id)
		return left->monitor_id < right->monitor_id ? -1 : 1;
	return (left->id > right->id) - (left->id < right->id);
}

/* An incident may have been read as one of the bars and as an old one. */
static void sort_times(struct times_list *list)
{
	size_t kept = 0;
	if (list->count > 0)
		qsort(list->rows, list->count, sizeof(*list->rows), by_monitor);
	for (size_t i = 0; i < list->count; i++)
		if (kept == 0 || list->rows[kept - 1].id != list->rows[i].id)
			list->rows[kept++] = list->rows[i];
	list->count = kept;
}

struct times_list times_of(const struct times_list *list, int64_t monitor_id)
{
	size_t from = 0, to = list->count, end;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (list->rows[middle].monitor_id < monitor_id)
			from = middle + 1;
		else
			to = middle;
	}
	for (end = from; end < list->count && list->rows[end].monitor_id == monitor_id;)
		end++;
	if (end == from)
		return (struct times_list){ 0 };
	return (struct times_list){ list->rows + from, end - from, 0 };
}

/* Whether enough of the page's incidents began in the days of its bars. */
static bool has_newest(const struct snapshot_set *set, const struct page_snapshot *page,
		       const struct times_list *list)
{
	struct instant since = uptime_day_start(set->now, 0);
	size_t count = 0;
	for (size_t i = 0; i < page->monitor_ids.count && count < PAGE_NEWEST_MAX; i++) {
		struct times_list times = times_of(list, page->monitor_ids.ids[i]);
		for (size_t j = 0; j < times.count; j++)
			count += times.rows[j].started_at.s >= since.s;
	}
	return count >= PAGE_NEWEST_MAX;
}

static int by_id(const void *a, const void *b)
{
	const int64_t *left = a, *right = b;
	return (*left > *right) - (*left < *right);
}

static int compare_monitor(const void *id, const void *monitor)
{
	const struct snapshot_monitor *right = monitor;
	return by_id(id, &right->id);
}

/* The monitors whose older incidents are needed: of pages with too few young ones. */
static struct id_list monitors_to_look_back(const struct snapshot_set *set,
					    const struct times_list *list, struct arena *arena)
{
	struct id_list old = { ARENA_ARRAY(arena, set->monitor_count, int64_t), 0 };
	bool *is_wanted = ARENA_ARRAY(arena, set->monitor_count, bool);
	for (size_t i = 0; i < set->count; i++) {
		const struct page_snapshot *page = &set->contents[i].view;
		if (!set->contents[i].is_found || has_newest(set, page, list))
			continue;
		for (size_t j = 0; j < page->monitor_ids.count; j++) {
			const struct snapshot_monitor *monitor =
				bsearch(&page->monitor_ids.ids[j], set->monitors,
					set->monitor_count, sizeof(*monitor), compare_monitor);
			if (monitor->incidents > FEW)
				is_wanted[monitor - set->monitors] = true;
		}
	}
	for (size_t i = 0; i < set->monitor_count; i++)
		if (is_wanted[i])
			old.ids[old.count++] = set->monitors[i].id;
	return old;
}

enum result snapshot_load_incidents(struct db *db, struct snapshot_set *set, struct arena *arena,
				    struct error *error)
{
	struct loading loading = {
		.db = db,
		.set = set,
		.arena = arena,
		.most = set->count > 1 ? SET_OUTAGES_MAX : OUTAGES_MAX,
	};
	enum result result = OK;
	for (size_t from = 0; result == OK && from < set->monitor_count;
	     from += SNAPSHOT_LIST_MAX) {
		size_t left = set->monitor_count - from;
		result = read_bars(&loading, from,
				   left < SNAPSHOT_LIST_MAX ? left : SNAPSHOT_LIST_MAX, error);
	}
	if (result != OK || set->monitor_count == 0)
		return result;
	sort_times(&loading.list);
	struct id_list old = monitors_to_look_back(set, &loading.list, arena);
	result = read_old(&loading, &old, error);
	if (result != OK)
		return result;
	if (old.count > 0)
		sort_times(&loading.list);
	return snapshot_fill_incidents(db, set, &loading.list, arena, error);
}
