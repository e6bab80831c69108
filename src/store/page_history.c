#include "store/page_history.h"

/* The texts that one statement reads, unless a single month has more. */
enum { READ_MAX_BYTES = 8 << 20, ROW_BYTES = 300 };

struct history_row {
	struct incident incident;
	int64_t total; /* incidents of its month */
};

#define ROW(member)		    FIELD(struct history_row, member)
#define OF_INCIDENT(column, member) FIELD_NAMED(struct history_row, incident.member, column)
static const struct field rows[] = {
	OF_INCIDENT("id", id),
	OF_INCIDENT("monitor_id", monitor_id),
	OF_INCIDENT("monitor_name", monitor_name),
	OF_INCIDENT("title", title),
	OF_INCIDENT("cause", cause),
	OF_INCIDENT("comment", comment),
	OF_INCIDENT("started_at", started_at),
	OF_INCIDENT("acknowledged_at", acknowledged_at),
	OF_INCIDENT("ended_at", ended_at),
	ROW(total),
};

/* The last of the wanted months that follow `from` without a gap. */
static size_t last_wanted(const struct page_snapshot *view, const bool *is_wanted, size_t from)
{
	while (from + 1 < view->month_count && is_wanted[from + 1])
		from++;
	return from;
}

/*
 * The newest incidents of each month, as many as its page shows; and of whole months, as many
 * as one statement may read. By place in the month first, so that the texts of the others are
 * not looked at.
 */
static enum result start_reading(struct db *db, const struct page_snapshot *view, size_t newest,
				 size_t oldest, struct db_rows **found, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql,
		  SQL("SELECT i.id, i.monitor_id, m.name AS monitor_name, i.title, i.cause, "
		      "i.comment, "
		      "i.started_at, i.acknowledged_at, i.ended_at, kept.total "
		      "FROM (SELECT placed.id, placed.month, placed.place, placed.total, "
		      "SUM(? + LENGTH(t.cause) + COALESCE(LENGTH(t.comment), 0)) OVER "
		      "(PARTITION BY placed.month ORDER BY placed.place "
		      "ROWS UNBOUNDED PRECEDING) AS month_bytes, "
		      "SUM(? + LENGTH(t.cause) + COALESCE(LENGTH(t.comment), 0)) OVER "
		      "(ORDER BY placed.month DESC) AS all_bytes "
		      "FROM (SELECT h.id, EXTRACT(YEAR_MONTH FROM h.started_at) AS month, "
		      "ROW_NUMBER() OVER (PARTITION BY EXTRACT(YEAR_MONTH FROM h.started_at) "
		      "ORDER BY h.started_at DESC, h.id) AS place, "
		      "COUNT(*) OVER (PARTITION BY EXTRACT(YEAR_MONTH FROM h.started_at)) AS total "
		      "FROM status_page_monitors s "
		      "JOIN incidents h FORCE INDEX (incidents_monitor_starts) "
		      "ON h.monitor_id = s.monitor_id "
		      "AND h.started_at >= ? AND h.started_at < ? + INTERVAL 1 MONTH "
		      "WHERE s.status_page_id = ?) placed "
		      "JOIN incidents t ON t.id = placed.id "
		      "WHERE placed.place <= ?) kept "
		      "JOIN incidents i ON i.id = kept.id "
		      "JOIN monitors m ON m.id = i.monitor_id "
		      "WHERE (kept.month_bytes <= ? OR kept.place = 1) "
		      "AND (kept.all_bytes <= ? OR kept.month = EXTRACT(YEAR_MONTH FROM ?)) "
		      "ORDER BY i.started_at DESC, i.id LIMIT 1000000"));
	sql_int(&sql, ROW_BYTES);
	sql_int(&sql, ROW_BYTES);
	sql_time(&sql, view->months[oldest].start);
	sql_time(&sql, view->months[newest].start);
	sql_int(&sql, view->page.id);
	sql_int(&sql, PAGE_MONTH_INCIDENTS_MAX);
	sql_int(&sql, PAGE_MONTH_TEXT_MAX_BYTES);
	sql_int(&sql, READ_MAX_BYTES);
	sql_time(&sql, view->months[newest].start);
	return db_read(db, &sql, found, error);
}

/* Copies the incident into its month, which is `*at` or a later one. */
static void take(struct page_snapshot *view, const struct history_row *row, size_t *at,
		 size_t *room, struct arena *arena)
{
	for (;
	     *at + 1 < view->month_count && row->incident.started_at.s < view->months[*at].start.s;
	     ++*at)
		*room = 0;
	struct page_month *month = &view->months[*at];
	struct incident *kept = ARENA_NEW(arena, struct incident);
	*kept = row->incident;
	kept->monitor_name = arena_strdup(arena, kept->monitor_name);
	kept->title = kept->title ? arena_strdup(arena, kept->title) : NULL;
	kept->cause = arena_strdup(arena, kept->cause);
	kept->comment = kept->comment ? arena_strdup(arena, kept->comment) : NULL;
	month->total = (size_t)row->total;
	month->incidents = arena_grow(arena, month->incidents, month->incident_count, room,
				      sizeof(*month->incidents));
	month->incidents[month->incident_count++] = kept;
}

enum result page_history_read(struct db *db, struct page_snapshot *view, const bool *is_wanted,
			      size_t from, struct arena *arena, struct error *error)
{
	struct db_rows *found CLEANUP(db_rows_cleanup) = NULL;
	struct arena row_arena CLEANUP(arena_done);
	struct history_row row = { 0 };
	size_t oldest = last_wanted(view, is_wanted, from), at = from, room = 0;
	arena_init(&row_arena, 1 << 20);
	enum result result = start_reading(db, view, from, oldest, &found, error);
	if (result != OK)
		return result;
	for (; db_next(found, FIELDS(rows), &row, &row_arena); arena_reset(&row_arena)) {
		if (!arena_has_room(arena))
			return error_log(error, E_FAILED,
					 "publish: a month takes more memory than a page may");
		take(view, &row, &at, &room, arena);
	}
	for (size_t i = from; i <= at; i++)
		view->months[i].is_read = true;
	return OK;
}
