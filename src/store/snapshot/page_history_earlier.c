/* Reads the incidents that began before a month and had not ended when the month began. */
#include <stdlib.h>

#include "store/snapshot/page_history_details.h"
#include "store/snapshot/snapshot.h"

/* The LIMIT of the statement. */
enum { ROWS_MAX = 1000000 };

#define ROW(member) FIELD(struct incident, member)
static const struct field rows[] = {
	ROW(id),	 ROW(monitor_id), ROW(monitor_name), ROW(title), ROW(cause),
	ROW(started_at), ROW(ended_at),	  ROW(kind),	     ROW(phase), ROW(impact),
};

/* Orders by start, newest first. */
static int by_start(const void *a, const void *b)
{
	const struct incident *left = a, *right = b;
	if (left->started_at.s != right->started_at.s)
		return left->started_at.s < right->started_at.s ? 1 : -1;
	return (left->id > right->id) - (left->id < right->id);
}

/*
 * Builds the SELECT of the incidents that may go on at the start of a month. Detected incidents of
 * a monitor do not overlap, so only the last incident before the month can go on. The only text in
 * the SELECT is the title, because a month shows no other text of an earlier incident.
 */
static void build(struct sql_build *sql, const struct page_snapshot *snapshot, size_t newest,
		  size_t oldest, struct arena *arena)
{
	static const struct sql_rows starts = {
		.first = { "SELECT CAST(? AS DATETIME) AS start" },
		.next = { " UNION ALL SELECT CAST(? AS DATETIME)" },
		.repeats_last = true,
	};
	const struct page_month *months = snapshot->months;
	sql_start(sql,
		  SQL("SELECT i.id, COALESCE(i.monitor_id, 0) AS monitor_id, "
		      "COALESCE(m.name, '') AS monitor_name, i.title, '' AS cause, i.started_at, "
		      "i.ended_at, (i.monitor_id IS NULL) AS kind, i.phase, i.impact "
		      "FROM (SELECT (SELECT h.id "
		      "FROM incidents h FORCE INDEX (incidents_monitor_starts) "
		      "WHERE h.monitor_id = s.monitor_id AND h.started_at < later.start "
		      "ORDER BY h.started_at DESC, h.id DESC LIMIT 1) AS id "
		      "FROM status_page_monitors s JOIN ("));
	sql_rows_begin(sql, &starts, oldest - newest + 1, arena);
	for (size_t i = newest; i <= oldest; i++)
		sql_add(sql, months[i].start);
	sql_rows_end(sql);
	sql_add(sql, SQL(") later WHERE s.status_page_id = ? UNION "
			 "SELECT x.incident_id FROM status_page_monitors s "
			 "STRAIGHT_JOIN incident_monitors x ON x.monitor_id = s.monitor_id "
			 "WHERE s.status_page_id = ? AND x.started_at < ? AND x.ends_at > ? UNION "
			 "SELECT g.incident_id FROM incident_pages g WHERE g.status_page_id = ? "
			 "AND g.is_shown = 1 AND g.started_at < ? AND g.ends_at > ?) either "
			 "STRAIGHT_JOIN incidents i ON i.id = either.id "
			 "LEFT JOIN monitors m ON m.id = i.monitor_id "
			 "WHERE i.ends_at > ? LIMIT 1000000"));
	sql_add(sql, snapshot->page.id);
	for (int part = 0; part < 2; part++)
		sql_add(sql, snapshot->page.id, months[newest].start, months[oldest].start);
	sql_add(sql, months[oldest].start);
}

/* Adds incidents that began before the month and go on in it, the newest first, up to
 * PAGE_MONTH_EARLIER_MAX. They stand behind the incidents that began in the month. */
static void add_earlier(struct page_month *month, const struct db_list *list, struct instant now,
			struct arena *arena)
{
	const struct incident *sorted = list->rows;
	struct page_incident *all = ARENA_ARRAY(
		arena, month->incident_count + PAGE_MONTH_EARLIER_MAX, struct page_incident);
	for (size_t i = 0; i < month->incident_count; i++)
		all[i] = month->incidents[i];
	for (size_t i = 0; i < list->count && month->earlier_count < PAGE_MONTH_EARLIER_MAX; i++)
		if (page_month_has_earlier(month, &sorted[i], now))
			all[month->incident_count + month->earlier_count++].row = sorted[i];
	month->incidents = all;
}

enum result page_history_read_earlier(struct db *db, struct page_snapshot *snapshot, size_t from,
				      size_t to, struct arena *arena, struct error *error)
{
	struct sql_build sql;
	struct db_list list;
	build(&sql, snapshot, from, to, arena);
	enum result result = snapshot_read(db, &sql,
					   DB_SHAPE(FIELDS(rows), struct incident, ROWS_MAX),
					   "incidents of earlier months", arena, &list, error);
	if (result != OK || list.count == 0)
		return result;
	qsort(list.rows, list.count, sizeof(struct incident), by_start);
	for (size_t i = from; i <= to; i++)
		add_earlier(&snapshot->months[i], &list, snapshot->now, arena);
	return OK;
}
