/* The maintenance windows of pages: which monitors, when, and what people have posted. */
#include <stdlib.h>
#include <string.h>

#include "domain/maintenance.h"
#include "store/snapshot.h"

enum { UPDATES_MAX = 20000 };

struct loading {
	struct db *db;
	struct snapshot_set *set;
	struct arena *arena;
	struct page_window_monitor *pairs; /* of all pages; by monitor and window */
	size_t pair_count;
	struct id_list ids;	       /* of the windows, ascending */
	struct page_maintenance *rows; /* by window and start */
	size_t row_count;
	struct page_window *windows;
	size_t window_count;
};

static struct id_list flagged_monitors(const struct snapshot_set *set, struct arena *arena)
{
	struct id_list list = { ARENA_ARRAY(arena, set->monitor_count, int64_t), 0 };
	for (size_t i = 0; i < set->monitor_count; i++)
		if (set->monitors[i].has_maintenance)
			list.ids[list.count++] = set->monitors[i].id;
	return list;
}

static struct id_list chunk_of(const struct id_list *list, size_t from)
{
	size_t left = list->count - from;
	return (struct id_list){ list->ids + from,
				 left < SNAPSHOT_LIST_MAX ? left : SNAPSHOT_LIST_MAX };
}

/* Appends the rows of a chunk to those of the chunks before. */
static void *append(struct arena *arena, void *rows, size_t *count, const struct db_list *more,
		    size_t row_bytes)
{
	char *grown = arena_array(arena, *count + more->count, row_bytes);
	if (*count > 0)
		memcpy(grown, rows, *count * row_bytes);
	if (more->count > 0)
		memcpy(grown + *count * row_bytes, more->rows, more->count * row_bytes);
	*count += more->count;
	return grown;
}

/* The windows of the monitors that are not over for longer than the bars are. */
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
	sql_time(&sql, loading->set->bars_start);
	sql_list_ints(&sql, monitors->ids, monitors->count, loading->arena);
	sql_add(&sql, SQL(") ORDER BY x.monitor_id, x.maintenance_id LIMIT ?"));
	sql_int(&sql, PAGE_WINDOWS_MAX + 1);
	enum result result =
		snapshot_read(loading->db, &sql,
			      DB_SHAPE(FIELDS(rows), struct page_window_monitor, PAGE_WINDOWS_MAX),
			      "monitors in maintenance", loading->arena, &list, error);
	if (result == OK)
		loading->pairs = append(loading->arena, loading->pairs, &loading->pair_count, &list,
					sizeof(*loading->pairs));
	return result;
}

static void list_ids(struct loading *loading)
{
	struct id_list *ids = &loading->ids;
	size_t kept = 0;
	ids->ids = ARENA_ARRAY(loading->arena, loading->pair_count, int64_t);
	for (size_t i = 0; i < loading->pair_count; i++)
		ids->ids[i] = loading->pairs[i].maintenance_id;
	if (loading->pair_count > 0)
		qsort(ids->ids, loading->pair_count, sizeof(*ids->ids), id_order);
	for (size_t i = 0; i < loading->pair_count; i++)
		if (kept == 0 || ids->ids[kept - 1] != ids->ids[i])
			ids->ids[kept++] = ids->ids[i];
	ids->count = kept;
}

#define ROW(member) FIELD(struct page_maintenance, member)
static const struct field occurrence_rows[] = {
	ROW(id),	   FIELD_NAMED(struct page_maintenance, window_id, "maintenance_id"),
	ROW(starts_at),	   ROW(ends_at),
	ROW(status),	   ROW(created_at),
	ROW(updated_at),   ROW(is_auto),
	ROW(is_withdrawn),
};

/* What touches the bars; of each window the next that are ahead; and what was cancelled lately. */
static enum result read_occurrences(struct loading *loading, const struct id_list *ids,
				    struct error *error)
{
	const struct instant now = loading->set->now;
	const struct instant cancelled = { now.s - MAINTENANCE_CANCELLED_DAYS * (int64_t)DAY_S };
	struct sql_build sql;
	struct db_list list;
	sql_start(&sql,
		  SQL("SELECT o.id, o.maintenance_id, o.starts_at, o.ends_at, o.status, "
		      "o.created_at, o.updated_at, m.auto_transition AS is_auto, "
		      "(o.is_dropped = 1 OR m.deleted_at IS NOT NULL) AS is_withdrawn "
		      "FROM (SELECT x.id, x.maintenance_id, x.starts_at, x.ends_at, x.status, "
		      "x.created_at, x.updated_at, x.is_dropped, "
		      "ROW_NUMBER() OVER (PARTITION BY x.maintenance_id, x.starts_at > ?, "
		      "x.status = 4 ORDER BY x.starts_at, x.id) AS place "
		      "FROM maintenance_occurrences x WHERE x.ends_at >= ? "
		      "AND (x.status <> 4 OR x.updated_at >= ?) AND x.maintenance_id IN ("));
	sql_time(&sql, now);
	sql_time(&sql, loading->set->bars_start);
	sql_time(&sql, cancelled);
	sql_list_ints(&sql, ids->ids, ids->count, loading->arena);
	sql_add(&sql, SQL(")) o JOIN maintenances m ON m.id = o.maintenance_id "
			  "WHERE o.starts_at <= ? OR o.place <= ? OR (o.status = 4 AND "
			  "o.place <= 100) ORDER BY o.maintenance_id, o.starts_at, o.id LIMIT ?"));
	sql_time(&sql, now);
	sql_int(&sql, MAINTENANCE_SHOWN_MAX);
	sql_int(&sql, PAGE_WINDOWS_MAX + 1);
	enum result result = snapshot_read(
		loading->db, &sql,
		DB_SHAPE(FIELDS(occurrence_rows), struct page_maintenance, PAGE_WINDOWS_MAX),
		"occurrences of maintenance", loading->arena, &list, error);
	if (result == OK)
		loading->rows = append(loading->arena, loading->rows, &loading->row_count, &list,
				       sizeof(*loading->rows));
	return result;
}

/*
 * Makes windows of what has begun, and keeps as rows of the pages what is not long over: those
 * have texts.
 */
static void split_rows(struct loading *loading)
{
	const struct instant now = loading->set->now;
	/* In every zone the recent days begin later. */
	const struct instant recent = { now.s - (PAGE_RECENT_DAYS + 1) * (int64_t)DAY_S };
	size_t kept = 0;
	loading->windows = ARENA_ARRAY(loading->arena, loading->row_count, struct page_window);
	for (size_t i = 0; i < loading->row_count; i++) {
		struct page_maintenance row = loading->rows[i];
		const struct maintenance_occurrence stored = { .starts_at = row.starts_at,
							       .ends_at = row.ends_at,
							       .status = row.status,
							       .is_auto = row.is_auto };
		enum maintenance_status status = maintenance_status_at(&stored, now);
		bool has_begun = status != MAINTENANCE_SCHEDULED && status != MAINTENANCE_CANCELLED;
		bool has_end = row.is_auto || status == MAINTENANCE_COMPLETED;
		if (has_begun && !row.is_withdrawn)
			loading->windows[loading->window_count++] = (struct page_window){
				.maintenance_id = row.window_id,
				.interval = { .from = row.starts_at,
					      .to = { has_end ? row.ends_at.s : 0 } },
			};
		row.status += PHASE_SCHEDULED;
		if (status != MAINTENANCE_COMPLETED || row.ends_at.s >= recent.s)
			loading->rows[kept++] = row;
	}
	loading->row_count = kept;
}

struct text_row {
	int64_t id;
	int64_t revision;
	const char *title;
	const char *body;
	struct instant updated_at;
};
#define TEXT(member) FIELD(struct text_row, member)
static const struct field text_rows[] = { TEXT(id), TEXT(revision), TEXT(title), TEXT(body),
					  TEXT(updated_at) };

static enum result read_texts(struct loading *loading, const struct id_list *ids,
			      struct error *error)
{
	struct sql_build sql;
	struct db_list list;
	size_t at = 0;
	sql_start(&sql,
		  SQL("SELECT m.id, m.revision, m.title, m.body, m.updated_at FROM maintenances m "
		      "WHERE m.id IN ("));
	sql_list_ints(&sql, ids->ids, ids->count, loading->arena);
	sql_add(&sql, SQL(") ORDER BY m.id LIMIT 512"));
	enum result result = snapshot_read(
		loading->db, &sql, DB_SHAPE(FIELDS(text_rows), struct text_row, SNAPSHOT_LIST_MAX),
		"maintenance windows", loading->arena, &list, error);
	const struct text_row *texts = list.rows;
	/* Both are in the order of the windows. */
	for (size_t i = 0; result == OK && i < loading->row_count; i++) {
		struct page_maintenance *row = &loading->rows[i];
		while (at < list.count && texts[at].id < row->window_id)
			at++;
		if (at == list.count || texts[at].id != row->window_id)
			continue;
		row->title = texts[at].title;
		row->body = texts[at].body;
		row->sequence = texts[at].revision - 1;
		/* A change of the texts, or an update, is one of the occurrences that are not
		 * over. */
		bool is_open = row->status < PHASE_COMPLETED &&
			       (!row->is_auto || row->ends_at.s > loading->set->now.s);
		if (is_open && row->updated_at.s < texts[at].updated_at.s)
			row->updated_at = texts[at].updated_at;
	}
	return result;
}

struct update_row {
	struct posted_update update; /* the first member */
	int64_t occurrence_id;
};
#define UPDATE(member) FIELD_NAMED(struct update_row, update.member, #member)
static const struct field update_rows[] = {
	UPDATE(id), UPDATE(phase),     UPDATE(body),
	UPDATE(at), UPDATE(edited_at), FIELD(struct update_row, occurrence_id),
};

static int by_occurrence(const void *a, const void *b)
{
	const struct update_row *left = a, *right = b;
	return (left->occurrence_id > right->occurrence_id) -
	       (left->occurrence_id < right->occurrence_id);
}

static void take_updates(struct page_maintenance *row, const struct db_list *list,
			 struct arena *arena)
{
	const struct update_row wanted = { .occurrence_id = row->id };
	const struct update_row *all = list->rows,
				*found = list->count > 0 ? bsearch(&wanted, all, list->count,
								   sizeof(*all), by_occurrence)
							 : NULL;
	if (!found)
		return;
	const struct update_row *end = found;
	while (found > all && found[-1].occurrence_id == row->id)
		found--;
	while (end < all + list->count && end->occurrence_id == row->id)
		end++;
	row->updates = ARENA_ARRAY(arena, (size_t)(end - found), struct posted_update);
	for (; found < end; found++)
		row->updates[row->update_count++] = found->update;
}

static enum result read_updates(struct loading *loading, size_t from, struct error *error)
{
	size_t left = loading->row_count - from;
	size_t count = left < SNAPSHOT_LIST_MAX ? left : SNAPSHOT_LIST_MAX;
	int64_t *ids = ARENA_ARRAY(loading->arena, count, int64_t);
	struct sql_build sql;
	struct db_list list;
	for (size_t i = 0; i < count; i++)
		ids[i] = loading->rows[from + i].id;
	sql_start(&sql, SQL("SELECT u.id, u.phase, u.body, u.at, u.edited_at, u.occurrence_id "
			    "FROM maintenance_updates u WHERE u.occurrence_id IN ("));
	sql_list_ints(&sql, ids, count, loading->arena);
	sql_add(&sql, SQL(") ORDER BY u.occurrence_id, u.at DESC, u.id DESC LIMIT 20001"));
	enum result result = snapshot_read(
		loading->db, &sql, DB_SHAPE(FIELDS(update_rows), struct update_row, UPDATES_MAX),
		"updates of maintenance", loading->arena, &list, error);
	for (size_t i = 0; result == OK && i < count; i++)
		take_updates(&loading->rows[from + i], &list, loading->arena);
	return result;
}

static int by_pair(const void *a, const void *b)
{
	const struct page_window_monitor *left = a, *right = b;
	if (left->monitor_id != right->monitor_id)
		return left->monitor_id < right->monitor_id ? -1 : 1;
	return (left->maintenance_id > right->maintenance_id) -
	       (left->maintenance_id < right->maintenance_id);
}

/* The monitors of the page that are in the window, in display order. */
static void list_monitors(const struct page_snapshot *page, struct page_maintenance *row,
			  struct arena *arena)
{
	row->monitors = ARENA_ARRAY(arena, page->monitor_count, struct incident_monitor);
	for (size_t i = 0; i < page->monitor_count; i++) {
		const struct page_monitor *monitor = &page->monitors[i];
		const struct page_window_monitor wanted = { monitor->id, row->window_id };
		if (!monitor->is_retired &&
		    bsearch(&wanted, page->window_monitors, page->window_monitor_count,
			    sizeof(wanted), by_pair))
			row->monitors[row->monitor_count++] =
				(struct incident_monitor){ .id = monitor->id,
							   .name = monitor->name };
	}
}

static void fill_page(const struct loading *loading, struct page_snapshot *page)
{
	struct arena *arena = loading->arena;
	const struct id_list *ids = &page->monitor_ids;
	int64_t *sorted = ARENA_ARRAY(arena, ids->count, int64_t);
	page->window_monitors = ARENA_ARRAY(arena, loading->pair_count, struct page_window_monitor);
	page->maintenances = ARENA_ARRAY(arena, loading->row_count, struct page_maintenance);
	page->windows = loading->windows;
	page->window_count = loading->window_count;
	for (size_t i = 0; i < ids->count; i++)
		sorted[i] = ids->ids[i];
	qsort(sorted, ids->count, sizeof(*sorted), id_order);
	for (size_t i = 0; i < loading->pair_count; i++)
		if (bsearch(&loading->pairs[i].monitor_id, sorted, ids->count, sizeof(*sorted),
			    id_order))
			page->window_monitors[page->window_monitor_count++] = loading->pairs[i];
	struct page_maintenance last = { 0 };
	for (size_t i = 0; page->window_monitor_count > 0 && i < loading->row_count; i++) {
		struct page_maintenance row = loading->rows[i];
		if (row.window_id != last.window_id)
			list_monitors(page, &row, arena);
		else
			row.monitors = last.monitors, row.monitor_count = last.monitor_count;
		last = row;
		if (row.monitor_count > 0 && row.title)
			page->maintenances[page->maintenance_count++] = row;
	}
}

static enum result read_all(struct loading *loading, const struct id_list *monitors,
			    struct error *error)
{
	enum result result = OK;
	for (size_t from = 0; result == OK && from < monitors->count; from += SNAPSHOT_LIST_MAX) {
		const struct id_list some = chunk_of(monitors, from);
		result = read_pairs(loading, &some, error);
	}
	list_ids(loading);
	for (size_t from = 0; result == OK && from < loading->ids.count;
	     from += SNAPSHOT_LIST_MAX) {
		const struct id_list some = chunk_of(&loading->ids, from);
		result = read_occurrences(loading, &some, error);
	}
	split_rows(loading);
	for (size_t from = 0; result == OK && loading->row_count > 0 && from < loading->ids.count;
	     from += SNAPSHOT_LIST_MAX) {
		const struct id_list some = chunk_of(&loading->ids, from);
		result = read_texts(loading, &some, error);
	}
	for (size_t from = 0; result == OK && from < loading->row_count; from += SNAPSHOT_LIST_MAX)
		result = read_updates(loading, from, error);
	return result;
}

enum result snapshot_load_maintenance(struct db *db, struct snapshot_set *set, struct arena *arena,
				      struct error *error)
{
	struct loading loading = { .db = db, .set = set, .arena = arena };
	const struct id_list monitors = flagged_monitors(set, arena);
	enum result result = OK;
	if (monitors.count > 0)
		result = read_all(&loading, &monitors, error);
	for (size_t i = 0; result == OK && loading.pair_count > 0 && i < set->count; i++)
		if (set->contents[i].is_found)
			fill_page(&loading, &set->contents[i].view);
	return result;
}
