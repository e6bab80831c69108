#include "store/page_history.h"

void page_history_take(struct page_history_reading *reading, const struct incident *incident)
{
	struct page_view *view = reading->view;
	for (; reading->at + 1 < view->month_count &&
	       incident->started_at.s < view->months[reading->at].start.s;
	     reading->at++)
		reading->room = 0;
	if (reading->at >= view->month_count ||
	    (reading->is_wanted && !reading->is_wanted[reading->at]))
		return;
	struct page_month *month = &view->months[reading->at];
	/* Older than the months that are kept. */
	if (incident->started_at.s < month->start.s)
		return;
	month->total++;
	if (month->incident_count == PAGE_MONTH_INCIDENTS_MAX)
		return;
	struct arena *arena = reading->arena;
	struct incident *kept = ARENA_NEW(arena, struct incident);
	*kept = *incident;
	kept->monitor_name = arena_strdup(arena, incident->monitor_name);
	kept->cause = arena_strdup(arena, incident->cause);
	kept->comment = incident->comment ? arena_strdup(arena, incident->comment) : NULL;
	month->incidents = arena_grow(arena, month->incidents, month->incident_count,
				      &reading->room, sizeof(*month->incidents));
	month->incidents[month->incident_count++] = kept;
}

void page_history_end(struct page_history_reading *reading)
{
	for (size_t i = 0; i < reading->view->month_count; i++)
		if (!reading->is_wanted || reading->is_wanted[i])
			reading->view->months[i].is_read = true;
}

#define ROW(member) FIELD(struct incident, member)
static const struct field rows[] = {
	ROW(id),      ROW(monitor_id), ROW(monitor_name),    ROW(cause),
	ROW(comment), ROW(started_at), ROW(acknowledged_at), ROW(ended_at),
};

/* Between the beginning of the oldest that is wanted and the end of the newest. */
static enum result start_reading(struct db *db, const struct page_view *view,
				 const bool *is_wanted, struct db_rows **found,
				 struct error *error)
{
	struct sql_build sql;
	size_t newest = 0, oldest = view->month_count - 1;
	while (newest < oldest && !is_wanted[newest])
		newest++;
	while (oldest > newest && !is_wanted[oldest])
		oldest--;
	sql_start(&sql, SQL("SELECT i.id, i.monitor_id, m.name AS monitor_name, i.cause, i.comment, "
			    "i.started_at, i.acknowledged_at, i.ended_at "
			    "FROM status_page_monitors s JOIN monitors m ON m.id = s.monitor_id "
			    "JOIN incidents i FORCE INDEX (incidents_monitor_starts) "
			    "ON i.monitor_id = s.monitor_id "
			    "AND i.started_at >= ? AND i.started_at < ? + INTERVAL 1 MONTH "
			    "WHERE s.status_page_id = ? "
			    "ORDER BY i.started_at DESC, i.id LIMIT 1000000"));
	sql_time(&sql, view->months[oldest].start);
	sql_time(&sql, view->months[newest].start);
	sql_int(&sql, view->page.id);
	return db_read(db, &sql, found, error);
}

enum result page_history_read(struct db *db, struct page_view *view, const bool *is_wanted,
			      struct arena *arena, struct error *error)
{
	struct db_rows *found CLEANUP(db_rows_cleanup) = NULL;
	struct arena row_arena CLEANUP(arena_done);
	struct page_history_reading reading = { .view = view, .is_wanted = is_wanted,
						.arena = arena };
	struct incident incident = { 0 };
	arena_init(&row_arena, 1 << 20);
	enum result result = start_reading(db, view, is_wanted, &found, error);
	if (result != OK)
		return result;
	for (; db_next(found, FIELDS(rows), &incident, &row_arena); arena_reset(&row_arena))
		page_history_take(&reading, &incident);
	page_history_end(&reading);
	return OK;
}
