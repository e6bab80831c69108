#include "store/snapshot/page_history.h"

#include <stdlib.h>
#include <string.h>

#include "store/incident/incident_update.h"
#include "store/snapshot/page_history_details.h"
#include "store/snapshot/snapshot.h"

/* One statement reads as many months as have at most READ_MAX_BYTES of texts together. Each
 * incident counts as ROW_BYTES more than its texts. A single month is read even if it has more
 * bytes. */
enum { READ_MAX_BYTES = 8 << 20, ROW_BYTES = 300 };

struct history_row {
	struct page_incident incident;
	int64_t total; /* how many incidents its month has */
};

#define ROW(member)		    FIELD(struct history_row, member)
#define OF_INCIDENT(column, member) FIELD_NAMED(struct history_row, incident.row.member, column)
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

/* The LIMIT of the statements. */
enum { ROWS_MAX = 1000000 };

struct history {
	struct db *db;
	struct page_snapshot *snapshot;
	struct arena *arena;
};

static enum result read_rows(const struct history *history, const struct sql_build *sql,
			     struct db_list *list, struct error *error)
{
	return snapshot_read(history->db, sql, DB_SHAPE(FIELDS(rows), struct history_row, ROWS_MAX),
			     "incidents of months", history->arena, list, error);
}

/* Returns the index of the last month of the run of wanted months that begins with `from`. */
static size_t last_wanted(const struct page_snapshot *snapshot, const bool *is_wanted, size_t from)
{
	while (from + 1 < snapshot->month_count && is_wanted[from + 1])
		from++;
	return from;
}

/* Adds a condition on the page's monitors: "(h.monitor_id IN (…) OR h.monitor_id IN (…)) ". */
static void add_monitors(struct sql_build *sql, const struct id_list *monitors, struct arena *arena)
{
	size_t from = 0;
	sql_add(sql, SQL("(h.monitor_id IN ("));
	/* Runs even for a page without monitors: sql_list_ints() then adds a NULL to the list. */
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
/* The number of bytes of an incident's texts, plus ROW_BYTES (the argument). text_bytes() computes
 * the same. */
#define TEXT_BYTES \
	"? + LENGTH(t.cause) + COALESCE(LENGTH(t.comment), 0) + " \
	"COALESCE(LENGTH(t.postmortem), 0)"
#define BY_INDEX "FROM incidents h FORCE INDEX (incidents_monitor_starts) WHERE "
/* The reported incidents of the page: incidents of its monitors, and notices that name the page. */
#define REPORTED \
	"SELECT x.incident_id AS id, x.started_at FROM status_page_monitors s " \
	"STRAIGHT_JOIN incident_monitors x ON x.monitor_id = s.monitor_id " \
	"WHERE s.status_page_id = ? AND x.started_at >= ? AND x.started_at < ? + INTERVAL 1 " \
	"MONTH " \
	"UNION SELECT g.incident_id, g.started_at FROM incident_pages g " \
	"WHERE g.status_page_id = ? AND g.is_shown = 1 AND g.started_at >= ? " \
	"AND g.started_at < ? + INTERVAL 1 MONTH"

/* Adds the condition for detected incidents of the page that began in the months from `oldest` to
 * `newest`. */
static void add_range(struct sql_build *sql, const struct page_snapshot *snapshot, size_t newest,
		      size_t oldest, struct arena *arena)
{
	add_monitors(sql, &snapshot->monitor_ids, arena);
	sql_add(sql, SQL("AND h.started_at >= ? AND h.started_at < ? + INTERVAL 1 MONTH "),
		snapshot->months[oldest].start, snapshot->months[newest].start);
}

/* Adds the arguments of REPORTED. */
static void add_reported(struct sql_build *sql, const struct page_snapshot *snapshot, size_t newest,
			 size_t oldest)
{
	for (int part = 0; part < 2; part++)
		sql_add(sql, snapshot->page.id, snapshot->months[oldest].start,
			snapshot->months[newest].start);
}

/*
 * Builds the SELECT of the newest incidents of one month, which is all that most publishes need.
 * The window functions and ORDER BY handle only ids, times and sizes. With texts, the database
 * would write temporary tables to its disk. So the rows of the result are not sorted.
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
	sql_add(sql, ROW_BYTES);
	add_range(sql, snapshot, month, month, arena);
	sql_add(sql, SQL("ORDER BY h.started_at DESC, h.id LIMIT ?) UNION ALL "
			 "(SELECT reported.id, reported.started_at FROM (" REPORTED ") reported "
			 "ORDER BY reported.started_at DESC, reported.id LIMIT ?)) either "));
	sql_add(sql, PAGE_MONTH_INCIDENTS_MAX);
	add_reported(sql, snapshot, month, month);
	sql_add(sql, PAGE_MONTH_INCIDENTS_MAX);
	/* The LIMIT of `sized` keeps texts out of the window functions, because the database cannot
	 * merge a derived table that has a LIMIT. */
	sql_add(sql, SQL("ORDER BY either.started_at DESC, either.id LIMIT ?) placed "
			 "STRAIGHT_JOIN incidents t ON t.id = placed.id LIMIT ?) sized) kept "
			 "STRAIGHT_JOIN incidents i ON i.id = kept.id "
			 "LEFT JOIN monitors m ON m.id = i.monitor_id "
			 "WHERE kept.month_bytes <= ? OR kept.place = 1 LIMIT 1000000"));
	sql_add(sql, PAGE_MONTH_INCIDENTS_MAX, PAGE_MONTH_INCIDENTS_MAX, PAGE_MONTH_TEXT_MAX_BYTES);
}

/*
 * Builds the SELECT of the newest incidents of several months: all whole months that fit into
 * READ_MAX_BYTES, and of each month as many incidents as its page shows. The inner SELECT first
 * numbers the incidents within their month. So the database reads the texts of only those incidents
 * that the page shows.
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
	sql_add(sql, ROW_BYTES, ROW_BYTES);
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
	sql_add(sql, PAGE_MONTH_INCIDENTS_MAX, PAGE_MONTH_TEXT_MAX_BYTES, READ_MAX_BYTES,
		snapshot->months[newest].start);
}

/* Orders by start, newest first. */
static int by_start(const void *a, const void *b)
{
	const struct incident *left = &((const struct history_row *)a)->incident.row;
	const struct incident *right = &((const struct history_row *)b)->incident.row;
	if (left->started_at.s != right->started_at.s)
		return left->started_at.s < right->started_at.s ? 1 : -1;
	return (left->id > right->id) - (left->id < right->id);
}

/* Adds the incident to its month. This is months[*at], or a month after it in the array, which has
 * the newest month first. Sets *at to the index of this month. */
static void add_incident(struct page_snapshot *snapshot, const struct history_row *row, size_t *at,
			 size_t *room, struct arena *arena)
{
	for (; *at + 1 < snapshot->month_count &&
	       row->incident.row.started_at.s < snapshot->months[*at].start.s;
	     ++*at)
		*room = 0;
	struct page_month *month = &snapshot->months[*at];
	month->total = (size_t)row->total;
	month->incidents = arena_grow(arena, month->incidents, month->incident_count, room,
				      sizeof(*month->incidents));
	month->incidents[month->incident_count++] = row->incident;
}

static void sort_rows(struct db_list *list)
{
	if (list->count > 1)
		qsort(list->rows, list->count, sizeof(struct history_row), by_start);
}

/* Adds the sorted rows to their months, from months[*at] on. Sets *at to the index of the last
 * month that got a row. */
static void add_rows(const struct history *history, const struct db_list *list, size_t *at)
{
	const struct history_row *sorted = list->rows;
	size_t room = 0;
	for (size_t i = 0; i < list->count; i++)
		add_incident(history->snapshot, &sorted[i], at, &room, history->arena);
}

/* Reads months, from index *at on and at most to `oldest`. Sets *at to the index of the last month
 * with an incident that was read. */
static enum result read_months(const struct history *history, size_t *at, size_t oldest,
			       struct error *error)
{
	struct db_list list;
	struct sql_build sql;
	if (*at == oldest)
		build_month(&sql, history->snapshot, *at, history->arena);
	else
		build_months(&sql, history->snapshot, *at, oldest, history->arena);
	enum result result = read_rows(history, &sql, &list, error);
	if (result != OK)
		return result;
	sort_rows(&list);
	add_rows(history, &list, at);
	return OK;
}

/* Whether months[at] is the current month, and the snapshot has the ids of all its incidents. */
static bool is_at_hand(const struct page_snapshot *snapshot, size_t at)
{
	return snapshot->months[at].start.s == snapshot->month_start.s &&
	       snapshot->month_ids.count <= PAGE_MONTH_IDS_MAX;
}

/* Whether the snapshot has as many updates of the incident as a month shows. */
static bool has_updates(const struct page_snapshot *snapshot, const struct page_incident *incident)
{
	size_t most = incident->update_total < INCIDENT_UPDATES_SHOWN_MAX
			      ? incident->update_total
			      : INCIDENT_UPDATES_SHOWN_MAX;
	return incident->updates.count == most && (most > 0 || !snapshot->lacks_updates);
}

/* Returns the snapshot's incident with this id, if the snapshot has everything that a month shows
 * of the incident; otherwise NULL. */
static const struct page_incident *find_shown(const struct page_snapshot *snapshot, int64_t id)
{
	for (size_t i = 0; i < snapshot->newest_count; i++)
		if (snapshot->newest[i].row.id == id)
			return has_updates(snapshot, &snapshot->newest[i]) ? &snapshot->newest[i]
									   : NULL;
	return NULL;
}

static enum result read_missing(const struct history *history, const struct id_list *ids,
				struct db_list *list, struct error *error)
{
	struct sql_build sql;
	*list = (struct db_list){ 0 };
	if (ids->count == 0)
		return OK;
	sql_start(&sql, SQL(SHOWN "0 AS total FROM incidents i "
				  "LEFT JOIN monitors m ON m.id = i.monitor_id WHERE i.id IN ("));
	sql_list_ints(&sql, ids->ids, ids->count, history->arena);
	sql_add(&sql, SQL(") LIMIT ?"), PAGE_MONTH_IDS_MAX);
	return read_rows(history, &sql, list, error);
}

/* Returns the number of bytes of the incident's texts, plus ROW_BYTES, like TEXT_BYTES in SQL. */
static size_t text_bytes(const struct incident *incident)
{
	return ROW_BYTES + strlen(incident->cause) +
	       (incident->comment ? strlen(incident->comment) : 0) +
	       (incident->postmortem ? strlen(incident->postmortem) : 0);
}

/* If the month's texts are too large, drops the oldest incidents, but keeps at least one incident.
 * build_month() and build_months() do the same in SQL. */
static void limit_texts(struct db_list *list)
{
	const struct history_row *sorted = list->rows;
	size_t bytes = 0, fitting = 0;
	while (fitting < list->count) {
		bytes += text_bytes(&sorted[fitting].incident.row);
		if (fitting > 0 && bytes > PAGE_MONTH_TEXT_MAX_BYTES)
			break;
		fitting++;
	}
	list->count = fitting;
}

/* Copies incidents of the current month from the snapshot, which has those that the page itself
 * shows. Lists the ids of the month's other incidents in `missing`. */
static void take_shown(const struct page_snapshot *snapshot, struct db_list *list,
		       struct id_list *missing)
{
	struct history_row *shown_rows = list->rows;
	for (size_t i = 0; i < snapshot->month_ids.count; i++) {
		const struct page_incident *shown =
			find_shown(snapshot, snapshot->month_ids.ids[i]);
		if (!shown) {
			missing->ids[missing->count++] = snapshot->month_ids.ids[i];
			continue;
		}
		struct history_row *row = &shown_rows[list->count++];
		row->incident = *shown;
		row->incident.inside = NULL;
	}
}

/* Fills the current month from the snapshot, and reads only the missing incidents. Most publishes
 * write only this month, and the page itself shows most of its incidents. */
static enum result take_current(const struct history *history, size_t *at, struct error *error)
{
	const size_t total = history->snapshot->month_ids.count;
	struct arena *arena = history->arena;
	struct history_row *all = ARENA_ARRAY(arena, total, struct history_row);
	struct id_list missing = { ARENA_ARRAY(arena, total, int64_t), 0 };
	struct db_list list = { all, 0 }, rest;
	take_shown(history->snapshot, &list, &missing);
	enum result result = read_missing(history, &missing, &rest, error);
	if (result != OK)
		return result;
	const struct history_row *read = rest.rows;
	for (size_t i = 0; i < rest.count; i++)
		all[list.count++] = read[i];
	for (size_t i = 0; i < list.count; i++)
		all[i].total = (int64_t)total;
	sort_rows(&list);
	limit_texts(&list);
	add_rows(history, &list, at);
	return OK;
}

enum result page_history_read(struct db *db, struct page_snapshot *snapshot, const bool *is_wanted,
			      size_t from, struct arena *arena, struct error *error)
{
	const struct history history = { db, snapshot, arena };
	size_t oldest = last_wanted(snapshot, is_wanted, from), at = from;
	bool is_current = from == oldest && is_at_hand(snapshot, from);
	enum result result = is_current ? take_current(&history, &at, error)
					: read_months(&history, &at, oldest, error);
	if (result == OK && (!is_current || snapshot->has_earlier))
		result = page_history_read_earlier(db, snapshot, from, at, arena, error);
	if (result == OK)
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
