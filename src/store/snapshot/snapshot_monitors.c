/* Loads the monitors of pages. */
#include <stdlib.h>

#include "store/snapshot/snapshot.h"

/* Pages are loaded together only if they have at most this number of monitors. Each monitor needs
 * memory for the days of its bars. */
enum { SET_MONITORS_MAX = 2000 };

_Static_assert(PAGE_NEWEST_MAX == 25, "reported incidents are counted up to one more");

/* A row of a monitor. The days of its bars are allocated later, for the pages that fit into the
 * set. */
struct monitor_row {
	int64_t page_id;
	int64_t incidents;
	int64_t id;
	int64_t position; /* the position in the page's list */
	int64_t place;	  /* monitors.position: the monitor's position on all pages */
	const char *name;
	const char *group;
	const char *description;
	struct instant created_at;
	struct instant updated_at;
	struct instant maintained_at;
	struct instant known_since;
	bool is_retired;
	bool has_maintenance;
	bool has_gaps;
};

#define ROW(member) FIELD(struct monitor_row, member)
static const struct field rows[] = {
	ROW(page_id),
	ROW(id),
	ROW(position),
	ROW(place),
	ROW(name),
	ROW(group),
	ROW(description),
	ROW(created_at),
	ROW(updated_at),
	ROW(known_since),
	ROW(is_retired),
	ROW(incidents),
	ROW(has_maintenance),
	ROW(maintained_at),
	ROW(has_gaps),
};

/* Sets the members of a zeroed monitor one by one. Assigning the whole struct would also copy the
 * days of its bars. */
static void fill_monitor(struct page_monitor *monitor, const struct monitor_row *row)
{
	monitor->id = row->id;
	monitor->position = row->position;
	monitor->name = row->name;
	monitor->group = row->group;
	monitor->description = row->description;
	monitor->created_at = row->created_at;
	monitor->updated_at = row->updated_at;
	monitor->maintained_at = row->maintained_at;
	monitor->known_since = row->known_since;
	monitor->is_retired = row->is_retired;
}

static size_t count_rows(const struct db_list *list, int64_t page_id)
{
	const struct monitor_row *found = list->rows;
	size_t count = 0;
	for (size_t i = 0; i < list->count; i++)
		count += found[i].page_id == page_id;
	return count;
}

/* Returns how many pages, from the first, may be loaded together: at least one. */
static size_t pages_that_fit(const struct snapshot_set *set, const struct db_list *list)
{
	size_t monitors = 0;
	for (size_t i = 0; i < set->count; i++) {
		monitors += count_rows(list, set->contents[i].page_id);
		if (i > 0 && monitors > SET_MONITORS_MAX)
			return i;
	}
	return set->count;
}

static int by_id(const void *a, const void *b)
{
	const struct snapshot_monitor *left = a, *right = b;
	return (left->id > right->id) - (left->id < right->id);
}

static void list_monitors(struct snapshot_set *set, const struct db_list *list, struct arena *arena)
{
	const struct monitor_row *found = list->rows;
	size_t count = 0, kept = 0;
	set->monitors = ARENA_ARRAY(arena, list->count, struct snapshot_monitor);
	for (size_t i = 0; i < list->count; i++)
		if (snapshot_page(set, found[i].page_id))
			set->monitors[count++] =
				(struct snapshot_monitor){ found[i].id, found[i].incidents,
							   found[i].has_maintenance,
							   found[i].has_gaps };
	if (count > 0)
		qsort(set->monitors, count, sizeof(*set->monitors), by_id);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || set->monitors[kept - 1].id != set->monitors[i].id)
			set->monitors[kept++] = set->monitors[i];
	set->monitor_count = kept;
}

static int compare_ints(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Orders by page, then by the monitor's own position (`place`), then by the position in the page's
 * list. */
static int in_display_order(const void *a, const void *b)
{
	const struct monitor_row *left = a, *right = b;
	int order = compare_ints(left->page_id, right->page_id);
	if (order == 0)
		order = compare_ints(left->place, right->place);
	if (order == 0)
		order = compare_ints(left->position, right->position);
	return order != 0 ? order : compare_ints(left->id, right->id);
}

static void fill_page(struct page_snapshot *page, const struct db_list *list, struct arena *arena)
{
	const struct monitor_row *found = list->rows;
	size_t count = count_rows(list, page->page.id);
	page->monitors = ARENA_ARRAY(arena, count, struct page_monitor);
	page->monitor_ids = (struct id_list){ ARENA_ARRAY(arena, count, int64_t), count };
	for (size_t i = 0; i < list->count; i++) {
		if (found[i].page_id != page->page.id)
			continue;
		page->monitor_ids.ids[page->monitor_count] = found[i].id;
		fill_monitor(&page->monitors[page->monitor_count++], &found[i]);
		page->has_maintenance |= found[i].has_maintenance;
	}
}

enum result snapshot_load_monitors(struct db *db, struct snapshot_set *set, struct arena *arena,
				   struct error *error)
{
	struct sql_build sql;
	struct db_list list;
	sql_start(&sql,
		  SQL("SELECT s.status_page_id AS page_id, m.id, s.position, m.position AS place, "
		      "m.name, m.`group`, "
		      "m.description, "
		      "m.created_at, m.updated_at, m.known_since, "
		      "m.retired_at IS NOT NULL AS is_retired, "
		      "(SELECT COALESCE(SUM(c.total), 0) FROM incident_counts c "
		      "WHERE c.monitor_id = m.id) + IF((SELECT x.incident_id "
		      "FROM incident_monitors x FORCE INDEX (incident_monitors_starts) "
		      "WHERE x.monitor_id = m.id ORDER BY x.started_at, x.incident_id "
		      "LIMIT 1 OFFSET 25) IS NULL, 0, 26) AS incidents, "
		      "EXISTS (SELECT 1 FROM maintenance_monitors x WHERE x.monitor_id = m.id) "
		      "AS has_maintenance, m.maintained_at, "
		      "EXISTS (SELECT 1 FROM monitor_gaps g WHERE g.monitor_id = m.id "
		      "AND g.ends_at >= ?) AS has_gaps "
		      "FROM status_page_monitors s JOIN monitors m ON m.id = s.monitor_id "
		      "WHERE s.status_page_id IN ("));
	sql_add(&sql, set->bars_start);
	snapshot_add_pages(&sql, set, arena);
	sql_add(&sql, SQL(") LIMIT ?"), PAGE_MONITORS_MAX + 1);
	enum result result = snapshot_read(
		db, &sql, DB_SHAPE(FIELDS(rows), struct monitor_row, PAGE_MONITORS_MAX), "monitors",
		arena, &list, error);
	if (result != OK)
		return result;
	if (list.count > 0)
		qsort(list.rows, list.count, sizeof(struct monitor_row), in_display_order);
	set->count = pages_that_fit(set, &list);
	list_monitors(set, &list, arena);
	for (size_t i = 0; i < set->count; i++)
		if (set->contents[i].is_found)
			fill_page(&set->contents[i].view, &list, arena);
	return OK;
}
