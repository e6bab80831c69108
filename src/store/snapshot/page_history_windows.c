/* Reads the maintenance windows that take place in the months of a page's history. */
#include <stdlib.h>

#include "domain/maintenance/maintenance.h"
#include "domain/page/page_maintenance.h"
#include "domain/page/page_texts.h"
#include "store/maintenance/maintenance_rows.h"
#include "store/snapshot/page_history_details.h"
#include "store/snapshot/snapshot.h"

/* The statement also reads the windows of the 31 days after the newest month. If windows follow
 * each other without a gap, an incident may be excused by all of them together. The last of them
 * may be in the following month. */
enum { MONTH_DAYS = 31 };

struct history_windows {
	struct db *db;
	struct page_snapshot *snapshot;
	struct instant from, to; /* from the start of the oldest month to MONTH_DAYS after the end
				    of the newest month */
	struct arena *arena;
	struct page_windows windows;
	struct maintenance_rows found;
};

static enum result read_pairs(struct history_windows *history, struct error *error)
{
#define PAIR(member) FIELD(struct page_window_monitor, member)
	static const struct field rows[] = { PAIR(monitor_id), PAIR(maintenance_id) };
	struct sql_build sql;
	struct db_list list;
	sql_start(&sql,
		  SQL("SELECT x.monitor_id, x.maintenance_id FROM status_page_monitors s "
		      "STRAIGHT_JOIN maintenance_monitors x ON x.monitor_id = s.monitor_id "
		      "JOIN maintenances m ON m.id = x.maintenance_id AND m.over_at >= ? "
		      "AND m.first_at < ? AND m.deleted_at IS NULL WHERE s.status_page_id = ? "
		      "ORDER BY x.monitor_id, x.maintenance_id LIMIT ?"));
	sql_add(&sql, history->from, history->to, history->snapshot->page.id, PAGE_WINDOWS_MAX + 1);
	enum result result =
		snapshot_read(history->db, &sql,
			      DB_SHAPE(FIELDS(rows), struct page_window_monitor, PAGE_WINDOWS_MAX),
			      "monitors in maintenance", history->arena, &list, error);
	history->windows.monitors = list.rows;
	history->windows.monitor_count = list.count;
	return result;
}

static enum result read_occurrences(struct history_windows *history, const struct id_list *ids,
				    struct error *error)
{
	struct sql_build sql;
	struct db_list list;
	sql_start(&sql, SQL("SELECT o.id, o.maintenance_id, o.starts_at, o.ends_at, o.status, "
			    "o.created_at, o.updated_at, m.auto_transition AS is_auto, m.title, "
			    "0 AS is_withdrawn FROM maintenances m "
			    "STRAIGHT_JOIN maintenance_occurrences o ON o.maintenance_id = m.id "
			    "WHERE o.is_dropped = 0 AND (o.ends_at >= ? OR (m.auto_transition = 0 "
			    "AND o.status <= 2)) AND o.starts_at < ? AND m.id IN ("));
	sql_add(&sql, history->from, history->to);
	sql_list_ints(&sql, ids->ids, ids->count, history->arena);
	sql_add(&sql, SQL(") ORDER BY o.maintenance_id, o.starts_at, o.id LIMIT ?"),
		PAGE_WINDOWS_MAX + 1);
	enum result result = snapshot_read(
		history->db, &sql,
		DB_SHAPE(maintenance_occurrence_rows, struct page_maintenance, PAGE_WINDOWS_MAX),
		"occurrences of maintenance", history->arena, &list, error);
	if (result == OK)
		history->found.rows = snapshot_rows_append(history->arena, history->found.rows,
							   &history->found.count, &list,
							   sizeof(*history->found.rows));
	return result;
}

/* Sets month->maintenances to the windows that take place in the month. */
static void fill_month(const struct history_windows *history, const struct maintenance_rows *rows,
		       struct page_month *month)
{
	const struct instant end = page_month_end(month);
	month->maintenances = ARENA_ARRAY(history->arena, rows->count, struct page_maintenance);
	for (size_t i = 0; i < rows->count; i++)
		if (rows->rows[i].starts_at.s < end.s && rows->rows[i].ends_at.s >= month->start.s)
			month->maintenances[month->maintenance_count++] = rows->rows[i];
	/* page_texts_limit_month() needs the occurrences in the order of windows, so call it before
	 * page_month_derive(), which sorts them by time. */
	page_texts_limit_month(month);
	page_month_derive(month, &history->windows, history->snapshot->now, history->arena);
}

enum result page_history_read_windows(struct db *db, struct page_snapshot *snapshot, size_t from,
				      size_t to, struct arena *arena, struct error *error)
{
	struct history_windows history = {
		.db = db,
		.snapshot = snapshot,
		.from = snapshot->months[to].start,
		.to = { page_month_end(&snapshot->months[from]).s + MONTH_DAYS * DAY_S },
		.arena = arena,
	};
	if (!snapshot->has_maintenance)
		return OK;
	enum result result = read_pairs(&history, error);
	if (result != OK || history.windows.monitor_count == 0)
		return result;
	const struct id_list ids = maintenance_rows_ids(&history.windows, arena);
	for (size_t at = 0; result == OK && at < ids.count; at += SNAPSHOT_LIST_MAX) {
		const struct id_list some = snapshot_list_chunk(&ids, at);
		result = read_occurrences(&history, &some, error);
	}
	if (result != OK)
		return result;
	maintenance_rows_settle(&history.found, &history.windows, snapshot->now, arena);
	result = maintenance_rows_read(db, &history.found, &ids, snapshot->now, arena, error);
	if (result != OK)
		return result;
	const struct maintenance_rows rows =
		maintenance_rows_of_page(&history.found, snapshot, &history.windows, arena);
	for (size_t month = from; month <= to; month++)
		fill_month(&history, &rows, &snapshot->months[month]);
	return OK;
}
