#include "store/page_history.h"

#include <stdlib.h>

#include "store/page_history_details.h"
#include "store/snapshot.h"

/* The bytes of texts, and of each row besides, that one statement reads; a single month may
 * have more. */
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
	OF_INCIDENT("kind", kind),
	OF_INCIDENT("phase", phase),
	OF_INCIDENT("impact", impact),
	OF_INCIDENT("next_update_at", next_update_at),
	OF_INCIDENT("exclude_from_uptime", exclude_from_uptime),
	OF_INCIDENT("postmortem", postmortem),
	OF_INCIDENT("updated_at", updated_at),
	ROW(total),
};

/* The index of the last wanted month that follows `from` without a gap. */
static size_t last_wanted(const struct page_snapshot *snapshot, const bool *is_wanted, size_t from)
{
	while (from + 1 < snapshot->month_count && is_wanted[from + 1])
		from++;
	return from;
}

/* Adds a condition for the page's monitors: "(h.monitor_id IN (…) OR h.monitor_id IN (…)) ". */
static void add_monitors(struct sql_build *sql, const struct id_list *monitors, struct arena *arena)
{
	size_t from = 0;
	sql_add(sql, SQL("(h.monitor_id IN ("));
	/* Once also for a page without monitors: the list has a NULL then. */
	do {
		size_t left = monitors->count - from;
		if (from > 0)
			sql_add(sql, SQL(") OR h.monitor_id IN ("));
		sql_list_ints(sql, &monitors->ids[from],
			      left < SNAPSHOT_LIST_MAX ? left : SNAPSHOT_LIST_MAX, arena);
		from += SNAPSHOT_LIST_MAX;
	} while (from < monitors->count);
	sql_add(sql, SQL(")) "));
}

#define SHOWN \
	"SELECT i.id, COALESCE(i.monitor_id, 0) AS monitor_id, " \
	"COALESCE(m.name, '') AS monitor_name, i.title, i.cause, i.comment, " \
	"i.started_at, i.acknowledged_at, i.ended_at, (i.monitor_id IS NULL) AS kind, i.phase, " \
	"i.impact, i.next_update_at, i.exclude_from_uptime, i.postmortem, i.updated_at, "
#define TEXT_BYTES \
	"? + LENGTH(t.cause) + COALESCE(LENGTH(t.comment), 0) + " \
	"COALESCE(LENGTH(t.postmortem), 0)"
#define BY_INDEX "FROM incidents h FORCE INDEX (incidents_monitor_starts) WHERE "
/* The reported incidents of the page: of its monitors, and those that name it. */
#define REPORTED \
	"SELECT x.incident_id AS id, x.started_at FROM status_page_monitors s " \
	"STRAIGHT_JOIN incident_monitors x ON x.monitor_id = s.monitor_id " \
	"WHERE s.status_page_id = ? AND x.started_at >= ? AND x.started_at < ? + INTERVAL 1 " \
	"MONTH " \
	"UNION SELECT g.incident_id, g.started_at FROM incident_pages g " \
	"WHERE g.status_page_id = ? AND g.is_shown = 1 AND g.started_at >= ? " \
	"AND g.started_at < ? + INTERVAL 1 MONTH"

/* Adds the condition for detected incidents of the page that began in the months. */
static void add_range(struct sql_build *sql, const struct page_snapshot *snapshot, size_t newest,
		      size_t oldest, struct arena *arena)
{
	add_monitors(sql, &snapshot->monitor_ids, arena);
	sql_add(sql, SQL("AND h.started_at >= ? AND h.started_at < ? + INTERVAL 1 MONTH "));
	sql_time(sql, snapshot->months[oldest].start);
	sql_time(sql, snapshot->months[newest].start);
}

/* The arguments of REPORTED. */
static void add_reported(struct sql_build *sql, const struct page_snapshot *snapshot, size_t newest,
			 size_t oldest)
{
	for (int part = 0; part < 2; part++) {
		sql_int(sql, snapshot->page.id);
		sql_time(sql, snapshot->months[oldest].start);
		sql_time(sql, snapshot->months[newest].start);
	}
}

/*
 * Selects the newest incidents of one month, as most publishes do. A window over all of the month's
 * incidents, or one that reads texts, would be a table on the database's disk. So would be a sort
 * of the selected rows: they come in any order.
 */
static void build_month(struct sql_build *sql, const struct page_snapshot *snapshot, size_t month,
			struct arena *arena)
{
	sql_start(sql, SQL(SHOWN "(SELECT COUNT(*) " BY_INDEX));
	add_range(sql, snapshot, month, month, arena);
	sql_add(sql, SQL(") + (SELECT COUNT(*) FROM (" REPORTED ") reported) "));
	add_reported(sql, snapshot, month, month);
	sql_add(sql, SQL("AS total FROM (SELECT sized.id, "
			 "ROW_NUMBER() OVER (ORDER BY sized.started_at DESC, sized.id) AS place, "
			 "SUM(sized.bytes) OVER (ORDER BY sized.started_at DESC, sized.id "
			 "ROWS UNBOUNDED PRECEDING) AS month_bytes "
			 "FROM (SELECT t.id, t.started_at, " TEXT_BYTES " AS bytes "
			 "FROM (SELECT either.id FROM ((SELECT h.id, h.started_at " BY_INDEX));
	sql_int(sql, ROW_BYTES);
	add_range(sql, snapshot, month, month, arena);
	sql_add(sql, SQL("ORDER BY h.started_at DESC, h.id LIMIT ?) UNION ALL "
			 "(SELECT reported.id, reported.started_at FROM (" REPORTED ") reported "
			 "ORDER BY reported.started_at DESC, reported.id LIMIT ?)) either "));
	sql_int(sql, PAGE_MONTH_INCIDENTS_MAX);
	add_reported(sql, snapshot, month, month);
	sql_int(sql, PAGE_MONTH_INCIDENTS_MAX);
	/* Because of the second limit the database does not read the texts in the windows. */
	sql_add(sql, SQL("ORDER BY either.started_at DESC, either.id LIMIT ?) placed "
			 "STRAIGHT_JOIN incidents t ON t.id = placed.id LIMIT ?) sized) kept "
			 "STRAIGHT_JOIN incidents i ON i.id = kept.id "
			 "LEFT JOIN monitors m ON m.id = i.monitor_id "
			 "WHERE kept.month_bytes <= ? OR kept.place = 1 LIMIT 1000000"));
	sql_int(sql, PAGE_MONTH_INCIDENTS_MAX);
	sql_int(sql, PAGE_MONTH_INCIDENTS_MAX);
	sql_int(sql, PAGE_MONTH_TEXT_MAX_BYTES);
}

/*
 * Selects the newest incidents of each month, as many as the page of the month shows, and only
 * as many whole months as READ_MAX_BYTES allows. The place in the month comes first, so that the
 * database does not read the texts of the other incidents.
 */
static void build_months(struct sql_build *sql, const struct page_snapshot *snapshot, size_t newest,
			 size_t oldest, struct arena *arena)
{
	sql_start(sql,
		  SQL(SHOWN "kept.total FROM (SELECT placed.id, placed.month, placed.place, "
			    "placed.total, SUM(" TEXT_BYTES ") OVER "
			    "(PARTITION BY placed.month ORDER BY placed.place "
			    "ROWS UNBOUNDED PRECEDING) AS month_bytes, "
			    "SUM(" TEXT_BYTES ") OVER "
			    "(ORDER BY placed.month DESC) AS all_bytes "
			    "FROM (SELECT h.id, EXTRACT(YEAR_MONTH FROM h.started_at) AS month, "
			    "ROW_NUMBER() OVER (PARTITION BY "
			    "EXTRACT(YEAR_MONTH FROM h.started_at) "
			    "ORDER BY h.started_at DESC, h.id) AS place, "
			    "COUNT(*) OVER (PARTITION BY "
			    "EXTRACT(YEAR_MONTH FROM h.started_at)) AS total "
			    "FROM (SELECT h.id, h.started_at " BY_INDEX));
	sql_int(sql, ROW_BYTES);
	sql_int(sql, ROW_BYTES);
	add_range(sql, snapshot, newest, oldest, arena);
	sql_add(sql, SQL("UNION ALL SELECT reported.id, reported.started_at FROM (" REPORTED
			 ") reported) h"));
	add_reported(sql, snapshot, newest, oldest);
	sql_add(sql, SQL(") placed "
			 "JOIN incidents t ON t.id = placed.id "
			 "WHERE placed.place <= ?) kept "
			 "JOIN incidents i ON i.id = kept.id "
			 "LEFT JOIN monitors m ON m.id = i.monitor_id "
			 "WHERE (kept.month_bytes <= ? OR kept.place = 1) "
			 "AND (kept.all_bytes <= ? OR kept.month = EXTRACT(YEAR_MONTH FROM ?)) "
			 "LIMIT 1000000"));
	sql_int(sql, PAGE_MONTH_INCIDENTS_MAX);
	sql_int(sql, PAGE_MONTH_TEXT_MAX_BYTES);
	sql_int(sql, READ_MAX_BYTES);
	sql_time(sql, snapshot->months[newest].start);
}

/* The newest first. */
static int by_start(const void *a, const void *b)
{
	const struct incident *left = &((const struct history_row *)a)->incident;
	const struct incident *right = &((const struct history_row *)b)->incident;
	if (left->started_at.s != right->started_at.s)
		return left->started_at.s < right->started_at.s ? 1 : -1;
	return (left->id > right->id) - (left->id < right->id);
}

/* Adds the incident to its month, which is `*at` or a later one of the array. */
static void add_incident(struct page_snapshot *snapshot, const struct history_row *row, size_t *at,
			 size_t *room, struct arena *arena)
{
	for (; *at + 1 < snapshot->month_count &&
	       row->incident.started_at.s < snapshot->months[*at].start.s;
	     ++*at)
		*room = 0;
	struct page_month *month = &snapshot->months[*at];
	month->total = (size_t)row->total;
	month->incidents = arena_grow(arena, month->incidents, month->incident_count, room,
				      sizeof(*month->incidents));
	month->incidents[month->incident_count++] = row->incident;
}

enum result page_history_read(struct db *db, struct page_snapshot *snapshot, const bool *is_wanted,
			      size_t from, struct arena *arena, struct error *error)
{
	struct db_rows *found CLEANUP(db_rows_cleanup) = NULL;
	struct sql_build sql;
	size_t oldest = last_wanted(snapshot, is_wanted, from), at = from, room = 0;
	if (from == oldest)
		build_month(&sql, snapshot, from, arena);
	else
		build_months(&sql, snapshot, from, oldest, arena);
	enum result result = db_read(db, &sql, &found, error);
	if (result != OK)
		return result;
	size_t count = 0, found_count = db_rows_count(found);
	struct history_row *list = ARENA_ARRAY(arena, found_count, struct history_row);
	while (arena_has_room(arena) && count < found_count &&
	       db_next(found, FIELDS(rows), &list[count], arena))
		count++;
	if (count > 1)
		qsort(list, count, sizeof(*list), by_start);
	for (size_t i = 0; i < count; i++)
		add_incident(snapshot, &list[i], &at, &room, arena);
	db_rows_close(found);
	found = NULL;
	result = page_history_read_details(db, snapshot, from, at, arena, error);
	if (result != OK)
		return result;
	if (!arena_has_room(arena))
		return error_log(error, E_FAILED,
				 "publish: a month takes more memory than a page may");
	for (size_t i = from; i <= at; i++)
		snapshot->months[i].is_read = true;
	return OK;
}
