#include "store/maintenance/maintenance_rows.h"

#include <stdlib.h>

#include "domain/maintenance/maintenance.h"
#include "store/snapshot/snapshot.h"

enum { UPDATES_MAX = 20000 };

struct reading {
	struct db *db;
	struct maintenance_rows *found;
	struct instant now;
	struct arena *arena;
};

#define ROW(member) FIELD(struct page_maintenance, member)
static const struct field rows_of_occurrence[] = {
	ROW(id),	 FIELD_NAMED(struct page_maintenance, window_id, "maintenance_id"),
	ROW(starts_at),	 ROW(ends_at),
	ROW(status),	 ROW(created_at),
	ROW(updated_at), ROW(is_auto),
	ROW(title),	 ROW(is_withdrawn),
};
#undef ROW
const struct fields maintenance_occurrence_rows = { rows_of_occurrence,
						    ARRAY_LEN(rows_of_occurrence) };

struct id_list maintenance_rows_ids(const struct page_windows *windows, struct arena *arena)
{
	struct id_list ids = { ARENA_ARRAY(arena, windows->monitor_count, int64_t),
			       windows->monitor_count };
	for (size_t i = 0; i < ids.count; i++)
		ids.ids[i] = windows->monitors[i].maintenance_id;
	id_list_settle(&ids);
	return ids;
}

void maintenance_rows_settle(struct maintenance_rows *found, struct page_windows *windows,
			     struct instant now, struct arena *arena)
{
	windows->rows = ARENA_ARRAY(arena, found->count, struct page_window);
	for (size_t i = 0; i < found->count; i++) {
		struct page_maintenance *row = &found->rows[i];
		const struct maintenance_occurrence stored = { .starts_at = row->starts_at,
							       .ends_at = row->ends_at,
							       .status = row->status,
							       .is_auto = row->is_auto };
		enum maintenance_status status = maintenance_status_at(&stored, now);
		bool has_begun = status != MAINTENANCE_SCHEDULED && status != MAINTENANCE_CANCELLED;
		bool has_end = row->is_auto || status == MAINTENANCE_COMPLETED;
		if (has_begun && !row->is_withdrawn)
			windows->rows[windows->count++] = (struct page_window){
				.id = row->id,
				.maintenance_id = row->window_id,
				.title = row->title,
				.interval = { .from = row->starts_at,
					      .to = { has_end ? row->ends_at.s : 0 } },
				.ends_at = row->ends_at,
			};
		/* Clear the title. maintenance_rows_read() sets it again, but only in rows that
		 * pages show. */
		row->title = NULL;
		row->status += PHASE_SCHEDULED;
	}
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

static enum result read_texts(struct reading *reading, const struct id_list *ids,
			      struct error *error)
{
	struct sql_build sql;
	struct db_list list;
	size_t at = 0;
	sql_start(&sql,
		  SQL("SELECT m.id, m.revision, m.title, m.body, m.updated_at FROM maintenances m "
		      "WHERE m.id IN ("));
	sql_list_ints(&sql, ids->ids, ids->count, reading->arena);
	sql_add(&sql, SQL(") ORDER BY m.id LIMIT 512"));
	enum result result = snapshot_read(
		reading->db, &sql, DB_SHAPE(FIELDS(text_rows), struct text_row, SNAPSHOT_LIST_MAX),
		"maintenance windows", reading->arena, &list, error);
	const struct text_row *texts = list.rows;
	/* Both lists are sorted by window. */
	for (size_t i = 0; result == OK && i < reading->found->count; i++) {
		struct page_maintenance *row = &reading->found->rows[i];
		while (at < list.count && texts[at].id < row->window_id)
			at++;
		if (at == list.count || texts[at].id != row->window_id)
			continue;
		row->title = texts[at].title;
		row->body = texts[at].body;
		row->sequence = texts[at].revision - 1;
		/* New texts and updates of a window change updated_at only of its occurrences that
		 * are not over. */
		bool is_open = row->status < PHASE_COMPLETED &&
			       (!row->is_auto || row->ends_at.s > reading->now.s);
		if (is_open && row->updated_at.s < texts[at].updated_at.s)
			row->updated_at = texts[at].updated_at;
	}
	return result;
}

struct update_row {
	struct posted_update update;
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

static enum result read_updates(struct reading *reading, size_t from, struct error *error)
{
	size_t left = reading->found->count - from;
	size_t count = left < SNAPSHOT_LIST_MAX ? left : SNAPSHOT_LIST_MAX;
	int64_t *ids = ARENA_ARRAY(reading->arena, count, int64_t);
	struct sql_build sql;
	struct db_list list;
	for (size_t i = 0; i < count; i++)
		ids[i] = reading->found->rows[from + i].id;
	sql_start(&sql, SQL("SELECT u.id, u.phase, u.body, u.at, u.edited_at, u.occurrence_id "
			    "FROM maintenance_updates u WHERE u.occurrence_id IN ("));
	sql_list_ints(&sql, ids, count, reading->arena);
	sql_add(&sql, SQL(") ORDER BY u.occurrence_id, u.at DESC, u.id DESC LIMIT 20001"));
	enum result result = snapshot_read(
		reading->db, &sql, DB_SHAPE(FIELDS(update_rows), struct update_row, UPDATES_MAX),
		"updates of maintenance", reading->arena, &list, error);
	for (size_t i = 0; result == OK && i < count; i++)
		take_updates(&reading->found->rows[from + i], &list, reading->arena);
	return result;
}

enum result maintenance_rows_read(struct db *db, struct maintenance_rows *found,
				  const struct id_list *ids, struct instant now,
				  struct arena *arena, struct error *error)
{
	struct reading reading = { db, found, now, arena };
	enum result result = OK;
	for (size_t from = 0; result == OK && found->count > 0 && from < ids->count;
	     from += SNAPSHOT_LIST_MAX) {
		const struct id_list some = snapshot_list_chunk(ids, from);
		result = read_texts(&reading, &some, error);
	}
	for (size_t from = 0; result == OK && from < found->count; from += SNAPSHOT_LIST_MAX)
		result = read_updates(&reading, from, error);
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

/* Lists the page's monitors that are in the window, in display order. */
static void list_monitors(const struct page_snapshot *page, const struct page_windows *windows,
			  struct page_maintenance *row, struct arena *arena)
{
	row->monitors = ARENA_ARRAY(arena, page->monitor_count, struct incident_monitor);
	for (size_t i = 0; i < page->monitor_count; i++) {
		const struct page_monitor *monitor = &page->monitors[i];
		const struct page_window_monitor wanted = { monitor->id, row->window_id };
		if (!monitor->is_retired &&
		    bsearch(&wanted, windows->monitors, windows->monitor_count, sizeof(wanted),
			    by_pair))
			row->monitors[row->monitor_count++] =
				(struct incident_monitor){ .id = monitor->id,
							   .name = monitor->name };
	}
}

struct maintenance_rows maintenance_rows_of_page(const struct maintenance_rows *found,
						 const struct page_snapshot *page,
						 const struct page_windows *windows,
						 struct arena *arena)
{
	struct maintenance_rows list = { ARENA_ARRAY(arena, found->count, struct page_maintenance),
					 0 };
	struct page_maintenance last = { 0 };
	for (size_t i = 0; windows->monitor_count > 0 && i < found->count; i++) {
		struct page_maintenance row = found->rows[i];
		if (row.window_id != last.window_id)
			list_monitors(page, windows, &row, arena);
		else
			row.monitors = last.monitors, row.monitor_count = last.monitor_count;
		last = row;
		if (row.monitor_count > 0 && row.title)
			list.rows[list.count++] = row;
	}
	return list;
}
