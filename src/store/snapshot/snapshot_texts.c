/* Chooses the incidents that each page of a set shows, and reads their texts. */
#include <stdlib.h>
#include <string.h>

#include "domain/incident/incident_report.h"
#include "store/incident/incident_update.h"
#include "store/snapshot/snapshot_incidents.h"

struct incident_text {
	int64_t id;
	const char *title;
	const char *cause;
	const char *comment;
	int phase;
	int impact;
	struct instant next_update_at;
	const char *postmortem;
};

#define ROW(member) FIELD(struct incident_text, member)
static const struct field rows[] = {
	ROW(id),    ROW(title),	 ROW(cause),	      ROW(comment),
	ROW(phase), ROW(impact), ROW(next_update_at), ROW(postmortem),
};

/* The incidents whose texts are to be read. Several pages may show the same incident. */
struct wanted {
	int64_t *ids;
	size_t count;
	size_t room;
};

static void add_wanted(struct wanted *wanted, int64_t id, struct arena *arena)
{
	wanted->ids =
		arena_grow(arena, wanted->ids, wanted->count, &wanted->room, sizeof(*wanted->ids));
	wanted->ids[wanted->count++] = id;
}

static int by_id(const void *a, const void *b)
{
	const int64_t *left = a, *right = b;
	return (*left > *right) - (*left < *right);
}

static void sort_wanted(struct wanted *wanted)
{
	size_t kept = 0;
	if (wanted->count > 0)
		qsort(wanted->ids, wanted->count, sizeof(*wanted->ids), by_id);
	for (size_t i = 0; i < wanted->count; i++)
		if (kept == 0 || wanted->ids[kept - 1] != wanted->ids[i])
			wanted->ids[kept++] = wanted->ids[i];
	wanted->count = kept;
}

static bool ends_since(const struct incident_times *times, struct instant since)
{
	return times->ended_at.s == 0 || times->ended_at.s >= since.s;
}

/* Makes an incident without texts. Its cause is "", which means that its texts are not read. The
 * caller sets the cause to NULL if the texts are to be read. */
static struct page_incident incident_of(const struct incident_times *times)
{
	struct incident row = {
		.id = times->id,
		.kind = times->reported ? INCIDENT_REPORTED : INCIDENT_DETECTED,
		.monitor_id = times->monitor_id > 0 ? times->monitor_id : 0,
		.cause = "",
		.started_at = times->started_at,
		.ended_at = times->ended_at,
		.acknowledged_at = times->acknowledged_at,
		.updated_at = times->updated_at,
		.impact = times->impact,
		.exclude_from_uptime = times->exclude_from_uptime,
	};
	incident_settle(&row);
	return (struct page_incident){ .row = row };
}

static int newest_first(const void *a, const void *b)
{
	const struct incident *left = &((const struct page_incident *)a)->row;
	const struct incident *right = &((const struct page_incident *)b)->row;
	if (left->started_at.s != right->started_at.s)
		return left->started_at.s > right->started_at.s ? -1 : 1;
	return (right->id > left->id) - (right->id < left->id);
}

/* Inserts the incident into page->newest, in order, if it is among the newest. */
static void add_newest(struct page_snapshot *page, struct page_incident incident)
{
	incident.row.cause = NULL;
	size_t at = page->newest_count;
	if (at == PAGE_NEWEST_MAX && newest_first(&incident, &page->newest[at - 1]) > 0)
		return;
	if (at < PAGE_NEWEST_MAX)
		page->newest_count++;
	else
		at--;
	for (; at > 0 && newest_first(&incident, &page->newest[at - 1]) < 0; at--)
		page->newest[at] = page->newest[at - 1];
	page->newest[at] = incident;
}

/* Returns the incidents of the page's monitor at the index `place`. For the index after the last
 * monitor, returns the notices that name the page. */
static struct times_list page_times(const struct page_snapshot *page, const struct times_list *list,
				    size_t place)
{
	return times_of(list, place < page->monitor_ids.count ? page->monitor_ids.ids[place]
							      : snapshot_notice_key(page->page.id));
}

struct page_counts {
	size_t outages;
	size_t recent;
	size_t reported;
};

static struct page_counts count_incidents(const struct page_snapshot *page,
					  const struct times_list *list)
{
	struct page_counts counts = { 0 };
	for (size_t i = 0; i <= page->monitor_ids.count; i++) {
		struct times_list times = page_times(page, list, i);
		for (size_t j = 0; j < times.count; j++) {
			const struct incident_times *row = &times.rows[j];
			counts.outages += ends_since(row, page->calendar.starts[0]) *
					  (row->course ? INCIDENT_MONITOR_TIMES_MAX : 1);
			counts.recent += ends_since(row, page_recent_start(page));
			counts.reported += row->reported != NULL;
		}
	}
	return counts;
}

static void add_outages(struct page_snapshot *page, const struct incident_times *times)
{
	struct uptime_interval intervals[INCIDENT_MONITOR_TIMES_MAX] = {
		{ times->started_at, times->ended_at, times->impact, false }
	};
	size_t count = 1;
	if (times->course)
		count = incident_monitor_times(times->course, times->started_at, times->ended_at,
					       intervals);
	for (size_t i = 0; i < count; i++) {
		intervals[i].is_excluded = times->exclude_from_uptime;
		page->outages[page->outage_count++] =
			(struct page_outage){ .monitor_id = times->monitor_id,
					      .interval = intervals[i],
					      .is_reported = times->reported != NULL,
					      .is_rest = i > 0,
					      .began_at = times->started_at,
					      .title = times->title,
					      .incident_id = times->id,
					      .ended_at = times->ended_at };
	}
}

void snapshot_fill_outages(struct page_snapshot *page, const struct times_list *list,
			   struct arena *arena)
{
	size_t count = 0;
	for (size_t i = 0; i < list->count; i++)
		count += list->rows[i].course ? INCIDENT_MONITOR_TIMES_MAX : 1;
	page->outages = ARENA_ARRAY(arena, count, struct page_outage);
	for (size_t i = 0; i < list->count; i++)
		add_outages(page, &list->rows[i]);
}

static void add_month_id(struct page_snapshot *page, const struct incident *incident)
{
	struct id_list *list = &page->month_ids;
	bool is_of_month = incident->started_at.s >= page->month_start.s &&
			   incident->started_at.s < page->month_end.s;
	if (is_of_month && list->count <= PAGE_MONTH_IDS_MAX)
		list->ids[list->count++] = incident->id;
}

static void add_incident(struct page_snapshot *page, const struct incident_times *times,
			 const struct page_incident *incident)
{
	add_month_id(page, &incident->row);
	page->has_earlier |= incident->row.started_at.s < page->month_start.s &&
			     (times->ended_at.s == 0 || times->ended_at.s > page->month_start.s);
	if (ends_since(times, page_recent_start(page)))
		page->incidents[page->incident_count++] = *incident;
	add_newest(page, *incident);
}

/* Orders by incident, then by the position of the monitor in the incident's list of monitors. */
static int by_position(const void *a, const void *b)
{
	const struct incident_times *left = *(const struct incident_times *const *)a,
				    *right = *(const struct incident_times *const *)b;
	if (left->id != right->id)
		return left->id < right->id ? -1 : 1;
	return (left->reported->monitor.position > right->reported->monitor.position) -
	       (left->reported->monitor.position < right->reported->monitor.position);
}

/* Adds each reported incident once, with a list of its monitors that the page shows. `found` has a
 * row for each monitor. The row of a notice that names the page has no monitor. */
static void add_reported(struct page_snapshot *page, const struct incident_times **found,
			 size_t count, struct arena *arena)
{
	if (count > 0)
		qsort(found, count, sizeof(*found), by_position);
	for (size_t from = 0, to; from < count; from = to) {
		struct page_incident incident = incident_of(found[from]);
		struct incident *row = &incident.row;
		for (to = from; to < count && found[to]->id == found[from]->id;)
			to++;
		row->monitors = ARENA_ARRAY(arena, to - from, struct incident_monitor);
		for (size_t i = from; i < to; i++)
			if (found[i]->monitor_id > 0)
				row->monitors[row->monitor_count++] = found[i]->reported->monitor;
		row->monitor_id = row->monitor_count > 0 ? row->monitors[0].id : 0;
		add_incident(page, found[from], &incident);
	}
}

/* Returns the day on which a recent incident is listed. An incident that began before the recent
 * days is listed on the first of them. */
static size_t day_of(const struct page_snapshot *page, const struct incident *incident)
{
	size_t day = uptime_day_of(&page->calendar, incident->started_at);
	size_t first = UPTIME_DAYS - PAGE_RECENT_DAYS;
	return day > first ? day : first;
}

/*
 * Chooses the incidents whose texts are read: the newest incidents, open incidents, and up to
 * PAGE_DAY_INCIDENTS_MAX of each recent day. Incidents inside another incident are counted
 * separately, up to the same limit.
 */
static void want_texts(struct page_snapshot *page, struct wanted *wanted, struct arena *arena)
{
	size_t day = UPTIME_DAYS + 1, alone = 0, inside = 0;
	for (size_t i = 0; i < page->newest_count; i++)
		add_wanted(wanted, page->newest[i].row.id, arena);
	page_incidents_nest(page->incidents, page->incident_count, arena);
	for (size_t i = 0; i < page->incident_count; i++) {
		struct page_incident *incident = &page->incidents[i];
		struct incident *row = &incident->row;
		if (day_of(page, row) != day)
			alone = inside = 0;
		day = day_of(page, row);
		size_t place = incident->inside ? inside++ : alone++;
		/* page_snapshot_derive() sets `inside` again when the rows have their final
		 * order. */
		incident->inside = NULL;
		incident->lacks_texts = row->ended_at.s > 0 && place >= PAGE_DAY_INCIDENTS_MAX;
		if (incident->lacks_texts)
			continue;
		row->cause = NULL;
		add_wanted(wanted, row->id, arena);
	}
}

static enum result fill_page(struct page_snapshot *page, const struct times_list *list,
			     struct arena *arena, struct error *error)
{
	struct page_counts counts = count_incidents(page, list);
	size_t reported_count = 0;
	const struct incident_times **reported =
		ARENA_ARRAY(arena, counts.reported, const struct incident_times *);
	page->outages = ARENA_ARRAY(arena, counts.outages, struct page_outage);
	page->incidents = ARENA_ARRAY(arena, counts.recent, struct page_incident);
	page->newest = ARENA_ARRAY(arena, PAGE_NEWEST_MAX, struct page_incident);
	/* If the list has one id more than the limit, the month has too many incidents. */
	page->month_ids =
		(struct id_list){ ARENA_ARRAY(arena, PAGE_MONTH_IDS_MAX + 1, int64_t), 0 };
	for (size_t i = 0; i <= page->monitor_ids.count; i++) {
		struct times_list times = page_times(page, list, i);
		for (size_t j = 0; j < times.count; j++) {
			const struct incident_times *row = &times.rows[j];
			const struct page_incident incident = incident_of(row);
			if (ends_since(row, page->calendar.starts[0]))
				add_outages(page, row);
			if (row->reported)
				reported[reported_count++] = row;
			else
				add_incident(page, row, &incident);
		}
	}
	add_reported(page, reported, reported_count, arena);
	if (page->incident_count > 0)
		qsort(page->incidents, page->incident_count, sizeof(*page->incidents),
		      newest_first);
	return arena_has_room(arena)
		       ? OK
		       : error_log(
				 error, E_FAILED,
				 "publish: the recent incidents take more memory than a page may");
}

/* Copies the texts of the list to the incidents whose texts are to be read (cause NULL). */
static void set_texts(struct page_incident *incidents, size_t count, const struct db_list *list)
{
	const struct incident_text *texts = list->rows;
	for (size_t i = 0; i < count; i++) {
		struct incident *row = &incidents[i].row;
		const struct incident_text *text = NULL;
		if (!row->cause && list->count > 0)
			text = bsearch(&row->id, texts, list->count, sizeof(*texts), by_id);
		if (!text)
			continue;
		row->title = text->title;
		row->cause = text->cause ? text->cause : "";
		row->comment = text->comment;
		row->phase = text->phase;
		row->impact = text->impact;
		row->next_update_at = text->next_update_at;
		row->postmortem = text->postmortem;
		incident_settle(row);
	}
}

static void set_updates(struct page_incident *incidents, size_t count, const struct db_list *list,
			struct arena *arena)
{
	for (size_t i = 0; i < count; i++)
		if (incidents[i].row.comment && !incidents[i].updates.rows)
			incidents[i].updates = incident_updates_of(&incidents[i].row, list, arena,
								   &incidents[i].update_total);
}

/* Whether the list may lack updates: whether it has no room for one more update with the longest
 * body, at four bytes a character. */
static bool is_cut(const struct db_list *list)
{
	const struct incident_update_row *updates = list->rows;
	size_t bytes = 4 * INCIDENT_COMMENT_MAX_CHARS;
	for (size_t i = 0; i < list->count; i++)
		bytes += strlen(updates[i].update.body);
	return bytes > INCIDENT_UPDATES_SHOWN_MAX_BYTES;
}

/* Reads the updates of the wanted incidents that have updates. */
static enum result read_updates(struct db *db, struct snapshot_set *set,
				const struct db_list *texts, struct arena *arena,
				struct error *error)
{
	const struct incident_text *text = texts->rows;
	struct db_list list;
	int64_t *ids = ARENA_ARRAY(arena, texts->count, int64_t);
	size_t count = 0;
	for (size_t i = 0; i < texts->count; i++)
		if (text[i].comment)
			ids[count++] = text[i].id;
	if (count == 0)
		return OK;
	enum result result = incident_updates_list(db, ids, count, arena, &list, error);
	/* Fail if there are several pages: the caller then reads them one by one, so that no page
	 * loses updates because of another page. */
	bool lacks_updates = result == OK && is_cut(&list);
	if (set->count > 1 && lacks_updates)
		return error_log(error, E_FAILED, "publish: the pages have too many updates");
	for (size_t i = 0; result == OK && i < set->count; i++) {
		struct page_snapshot *page = &set->contents[i].view;
		page->lacks_updates |= lacks_updates;
		set_updates(page->incidents, page->incident_count, &list, arena);
		set_updates(page->newest, page->newest_count, &list, arena);
	}
	if (result == OK && !arena_has_room(arena))
		return error_log(error, E_FAILED,
				 "publish: the updates take more memory than a page may");
	return result;
}

static enum result read_texts(struct db *db, struct snapshot_set *set, const int64_t *ids,
			      size_t count, struct arena *arena, struct error *error)
{
	struct sql_build sql;
	struct db_list list;
	sql_start(&sql, SQL("SELECT id, title, cause, comment, phase, impact, next_update_at, "
			    "postmortem FROM incidents WHERE id IN ("));
	sql_list_ints(&sql, ids, count, arena);
	sql_add(&sql, SQL(") ORDER BY id LIMIT ?"), SNAPSHOT_LIST_MAX);
	enum result result = snapshot_read(
		db, &sql, DB_SHAPE(FIELDS(rows), struct incident_text, SNAPSHOT_LIST_MAX),
		"texts of incidents", arena, &list, error);
	for (size_t i = 0; result == OK && i < set->count; i++) {
		struct page_snapshot *page = &set->contents[i].view;
		set_texts(page->incidents, page->incident_count, &list);
		set_texts(page->newest, page->newest_count, &list);
	}
	return result == OK ? read_updates(db, set, &list, arena, error) : result;
}

enum result snapshot_fill_incidents(struct db *db, struct snapshot_set *set,
				    const struct times_list *list, struct arena *arena,
				    struct error *error)
{
	struct wanted wanted = { 0 };
	enum result result = OK;
	for (size_t i = 0; result == OK && i < set->count; i++) {
		struct page_snapshot *page = &set->contents[i].view;
		if (!set->contents[i].is_found)
			continue;
		result = fill_page(page, list, arena, error);
		if (result == OK)
			want_texts(page, &wanted, arena);
	}
	sort_wanted(&wanted);
	for (size_t from = 0; result == OK && from < wanted.count; from += SNAPSHOT_LIST_MAX) {
		size_t left = wanted.count - from;
		result = read_texts(db, set, &wanted.ids[from],
				    left < SNAPSHOT_LIST_MAX ? left : SNAPSHOT_LIST_MAX, arena,
				    error);
	}
	return result;
}
