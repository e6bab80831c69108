#include "domain/page/page_snapshot.h"

#include <stdlib.h>

#include "base/sorted.h"
#include "domain/incident/incident_report.h"
#include "domain/page/page_maintenance.h"
#include "domain/page/page_texts.h"

static int compare_ints(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_monitor_and_start(const void *a, const void *b)
{
	const struct page_outage *left = a, *right = b;
	int order = compare_ints(left->monitor_id, right->monitor_id);
	return order != 0 ? order : compare_ints(left->interval.from.s, right->interval.from.s);
}

static int by_monitor_id(const void *a, const void *b)
{
	struct page_monitor *const *left = a, *const *right = b;
	return compare_ints((*left)->id, (*right)->id);
}

static int compare_id_with_monitor(const void *id, const void *monitor)
{
	return compare_ints(*(const int64_t *)id, (*(struct page_monitor *const *)monitor)->id);
}

struct page_monitor_index page_monitor_index_of(const struct page_snapshot *snapshot,
						struct arena *arena)
{
	struct page_monitor_index index = { .count = snapshot->monitor_count };
	index.by_id = ARENA_ARRAY(arena, index.count, struct page_monitor *);
	for (size_t i = 0; i < index.count; i++)
		index.by_id[i] = &snapshot->monitors[i];
	if (index.count > 0)
		qsort(index.by_id, index.count, sizeof(*index.by_id), by_monitor_id);
	return index;
}

struct page_monitor *page_monitor_find(const struct page_monitor_index *index, int64_t id)
{
	struct page_monitor **found = index->count > 0 ? bsearch(&id, index->by_id, index->count,
								 sizeof(*index->by_id),
								 compare_id_with_monitor)
						       : NULL;
	return found ? *found : NULL;
}

static int newest_first(const void *a, const void *b)
{
	const struct incident *left = &((const struct page_incident *)a)->row;
	const struct incident *right = &((const struct page_incident *)b)->row;
	int order = compare_ints(right->started_at.s, left->started_at.s);
	return order != 0 ? order : compare_ints(right->id, left->id);
}

void page_incidents_sort(struct page_incident *incidents, size_t count)
{
	if (count > 0)
		qsort(incidents, count, sizeof(*incidents), newest_first);
}

static const char *name_of(const struct page_monitor_index *index, int64_t id)
{
	const struct page_monitor *monitor = page_monitor_find(index, id);
	return monitor ? monitor->name : "";
}

/* Sets the names of the incident's monitors. Sets the incident's impact to the worst impact on its
 * monitors on this page, if it has any. */
static void finish_monitors(const struct page_monitor_index *index, struct incident *incident)
{
	for (size_t i = 0; i < incident->monitor_count; i++)
		incident->monitors[i].name = name_of(index, incident->monitors[i].id);
	incident_sum_up_impact(incident);
}

static void finish_incidents(const struct page_monitor_index *index,
			     struct page_incident *incidents, size_t count, struct arena *arena)
{
	page_incidents_sort(incidents, count);
	for (size_t i = 0; i < count; i++) {
		struct incident *incident = &incidents[i].row;
		incident->monitor_name = name_of(index, incident->monitor_id);
		finish_monitors(index, incident);
	}
	page_incidents_nest(incidents, count, arena);
}

static bool is_among(const struct page_incident *rows, size_t count, int64_t id)
{
	for (size_t i = 0; i < count; i++)
		if (rows[i].row.id == id)
			return true;
	return false;
}

/* Adds the open incidents that are missing in `newest`. */
static void add_open_ones(struct page_snapshot *snapshot, struct arena *arena)
{
	const size_t count = snapshot->newest_count;
	struct page_incident *newest =
		ARENA_ARRAY(arena, count + snapshot->incident_count, struct page_incident);
	for (size_t i = 0; i < count; i++)
		newest[i] = snapshot->newest[i];
	for (size_t i = 0; i < snapshot->incident_count; i++)
		if (snapshot->incidents[i].row.ended_at.s == 0 &&
		    !is_among(newest, count, snapshot->incidents[i].row.id))
			newest[snapshot->newest_count++] = snapshot->incidents[i];
	snapshot->newest = newest;
}

/* A monitor and a reported incident that covers it. */
struct cover {
	int64_t monitor_id;
	const struct page_incident *incident;
};

static int by_cover(const void *a, const void *b)
{
	const struct cover *left = a, *right = b;
	int order = compare_ints(left->monitor_id, right->monitor_id);
	return order != 0 ? order : newest_first(left->incident, right->incident);
}

static bool overlaps(const struct incident *a, const struct incident *b)
{
	return (a->ended_at.s == 0 || b->started_at.s <= a->ended_at.s) &&
	       (b->ended_at.s == 0 || a->started_at.s <= b->ended_at.s);
}

/* Returns whether the page can show the detected incident inside the reported incident. An ended
 * incident must not hide an open incident. */
static bool can_hold(const struct incident *reported, const struct incident *detected)
{
	return overlaps(reported, detected) &&
	       (reported->ended_at.s == 0 || detected->ended_at.s > 0);
}

static const struct page_incident *find_cover(const struct cover *covers, size_t count,
					      const struct incident *incident)
{
	size_t from = SORTED_PLACE(struct cover, monitor_id, covers, count, incident->monitor_id);
	for (; from < count && covers[from].monitor_id == incident->monitor_id; from++)
		if (can_hold(&covers[from].incident->row, incident))
			return covers[from].incident;
	return NULL;
}

void page_incidents_nest(struct page_incident *incidents, size_t count, struct arena *arena)
{
	size_t covers_count = 0, at = 0;
	for (size_t i = 0; i < count; i++)
		if (incidents[i].row.kind == INCIDENT_REPORTED)
			covers_count += incidents[i].row.monitor_count;
	if (covers_count == 0)
		return;
	struct cover *covers = ARENA_ARRAY(arena, covers_count, struct cover);
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; incidents[i].row.kind == INCIDENT_REPORTED &&
				   j < incidents[i].row.monitor_count;
		     j++)
			covers[at++] =
				(struct cover){ incidents[i].row.monitors[j].id, &incidents[i] };
	qsort(covers, covers_count, sizeof(*covers), by_cover);
	for (size_t i = 0; i < count; i++)
		if (incidents[i].row.kind == INCIDENT_DETECTED)
			incidents[i].inside = find_cover(covers, covers_count, &incidents[i].row);
}

/* Sets monitor->open to this open incident, unless an open incident with the same or a worse impact
 * on the monitor was found before. */
static void mark_monitor(struct page_snapshot *snapshot, const struct page_monitor_index *index,
			 const struct incident *incident, const struct incident_monitor *covered)
{
	struct page_monitor *monitor = page_monitor_find(index, covered->id);
	/* An open incident of a retired monitor is listed, but does not change the state of the
	 * page. */
	if (!monitor || monitor->is_retired || covered->impact == INCIDENT_IMPACT_NONE)
		return;
	snapshot->down_count += monitor->open == NULL;
	if (monitor->open && monitor->impact >= covered->impact)
		return;
	monitor->open = incident;
	monitor->impact = covered->impact;
}

static void mark_open(struct page_snapshot *snapshot, const struct page_monitor_index *index)
{
	for (size_t i = 0; i < snapshot->incident_count; i++) {
		const struct incident *incident = &snapshot->incidents[i].row;
		const struct incident_monitor own = { .id = incident->monitor_id,
						      .impact = incident->impact };
		if (incident->ended_at.s > 0)
			continue;
		if (incident->kind == INCIDENT_DETECTED)
			mark_monitor(snapshot, index, incident, &own);
		for (size_t j = 0;
		     incident->kind == INCIDENT_REPORTED && j < incident->monitor_count; j++)
			mark_monitor(snapshot, index, incident, &incident->monitors[j]);
	}
}

/* Returns the start of the record, or `now` if the clock was set back to before the record. */
static struct instant record_start(const struct page_monitor *monitor, struct instant now)
{
	return monitor->known_since.s < now.s ? monitor->known_since : now;
}

static int by_start(const void *a, const void *b)
{
	const struct uptime_interval *left = a, *right = b;
	return compare_ints(left->from.s, right->from.s);
}

static int by_gap(const void *a, const void *b)
{
	const struct page_gap *left = a, *right = b;
	int order = compare_ints(left->monitor_id, right->monitor_id);
	return order != 0 ? order : by_start(&left->interval, &right->interval);
}

/* Adds the gaps of the monitor to its intervals. *at is the position in the sorted gaps. It only
 * advances. */
static void add_gaps(const struct page_snapshot *snapshot, struct page_monitor *monitor, size_t *at,
		     struct uptime_interval *intervals, size_t *count)
{
	const struct page_gap *gaps = snapshot->gaps;
	size_t before = *count;
	while (*at < snapshot->gap_count && gaps[*at].monitor_id < monitor->id)
		++*at;
	for (; *at < snapshot->gap_count && gaps[*at].monitor_id == monitor->id; ++*at) {
		const struct uptime_interval *gap = &gaps[*at].interval;
		bool goes_on = gap->to.s == 0 || gap->to.s > snapshot->now.s;
		if (goes_on && monitor->unobserved_since.s == 0)
			monitor->unobserved_since = gap->from;
		intervals[(*count)++] = *gap;
	}
	if (*count > before)
		qsort(intervals, *count, sizeof(*intervals), by_start);
}

/* Fills the days of all monitors. Walks the sorted arrays once, in the order of the monitors'
 * ids. */
static void fill_days(struct page_snapshot *snapshot, const struct page_monitor_index *index,
		      struct arena *arena)
{
	const struct page_outage *outages = snapshot->outages;
	size_t total = snapshot->outage_count, at = 0, gap_at = 0;
	struct uptime_interval *intervals =
		ARENA_ARRAY(arena, total + snapshot->gap_count, struct uptime_interval);
	if (snapshot->gap_count > 0)
		qsort(snapshot->gaps, snapshot->gap_count, sizeof(*snapshot->gaps), by_gap);
	if (total > 0)
		qsort(snapshot->outages, total, sizeof(*outages), by_monitor_and_start);
	for (size_t i = 0; i < index->count; i++) {
		struct page_monitor *monitor = index->by_id[i];
		size_t count = 0;
		while (at < total && outages[at].monitor_id < monitor->id)
			at++;
		while (at < total && outages[at].monitor_id == monitor->id)
			intervals[count++] = outages[at++].interval;
		add_gaps(snapshot, monitor, &gap_at, intervals, &count);
		monitor->is_down = uptime_is_down(intervals, count, snapshot->now);
		uptime_fill(intervals, count, record_start(monitor, snapshot->now), snapshot->now,
			    &snapshot->calendar, monitor->days);
	}
}

static void drop_retired(struct page_snapshot *snapshot)
{
	size_t kept = 0;
	for (size_t i = 0; i < snapshot->monitor_count; i++) {
		const struct page_monitor *monitor = &snapshot->monitors[i];
		if (monitor->is_retired)
			continue;
		snapshot->no_data_count += page_monitor_state(monitor) == SYSTEM_NO_DATA;
		if (kept != i)
			snapshot->monitors[kept] = *monitor;
		kept++;
	}
	snapshot->monitor_count = kept;
}

void page_snapshot_set_calendar(struct page_snapshot *snapshot)
{
	struct instant_parts parts = instant_split(snapshot->now);
	snapshot->calendar = uptime_calendar_of(status_page_zone(&snapshot->page), snapshot->now);
	snapshot->month_start = instant_of(
		&(struct instant_parts){ .year = parts.year, .month = parts.month, .day = 1 });
	snapshot->month_end =
		page_month_end(&(struct page_month){ .start = snapshot->month_start });
}

void page_snapshot_derive(struct page_snapshot *snapshot, struct arena *arena)
{
	if (snapshot->calendar.starts[0].s == 0)
		page_snapshot_set_calendar(snapshot);
	/* page_texts_limit() needs the occurrences sorted by window, so call it first. */
	page_texts_limit(snapshot);
	page_maintenance_derive(snapshot);
	add_open_ones(snapshot, arena);
	struct page_monitor_index index = page_monitor_index_of(snapshot, arena);
	finish_incidents(&index, snapshot->incidents, snapshot->incident_count, arena);
	finish_incidents(&index, snapshot->newest, snapshot->newest_count, arena);
	mark_open(snapshot, &index);
	fill_days(snapshot, &index, arena);
	drop_retired(snapshot);
}

struct instant page_month_end(const struct page_month *month)
{
	struct instant_parts parts = instant_split(month->start);
	parts.year += parts.month / 12;
	parts.month = parts.month % 12 + 1;
	return instant_of(&parts);
}

bool page_month_has_earlier(const struct page_month *month, const struct incident *incident,
			    struct instant now)
{
	return incident->started_at.s < month->start.s &&
	       page_incident_touches(incident, month->start, page_month_end(month), now);
}

enum system_state page_monitor_state(const struct page_monitor *monitor)
{
	static const enum system_state states[] = {
		[INCIDENT_DEGRADED_PERFORMANCE] = SYSTEM_DEGRADED_PERFORMANCE,
		[INCIDENT_PARTIAL_OUTAGE] = SYSTEM_PARTIAL_OUTAGE,
		[INCIDENT_MAJOR_OUTAGE] = SYSTEM_MAJOR_OUTAGE,
	};
	if (monitor->open)
		return states[monitor->impact];
	if (monitor->maintenance)
		return SYSTEM_UNDER_MAINTENANCE;
	return monitor->known_since.s > 0 && monitor->unobserved_since.s == 0 ? SYSTEM_OPERATIONAL
									      : SYSTEM_NO_DATA;
}

struct instant page_monitor_changed_at(const struct page_monitor *monitor)
{
	return monitor->updated_at.s > monitor->maintained_at.s ? monitor->updated_at
								: monitor->maintained_at;
}

enum page_impact page_snapshot_impact(const struct page_snapshot *snapshot, size_t affected)
{
	if (affected == 0)
		return IMPACT_NONE;
	if (2 * affected >= snapshot->monitor_count)
		return IMPACT_CRITICAL;
	return 10 * affected >= snapshot->monitor_count ? IMPACT_MAJOR : IMPACT_MINOR;
}

struct instant page_response_end(struct instant now)
{
	int64_t stored_s = now.s - PAGE_RESPONSE_DELAY_S;
	return (struct instant){ stored_s - stored_s % 3600 };
}

struct instant page_recent_start(const struct page_snapshot *snapshot)
{
	return snapshot->calendar.starts[UPTIME_DAYS - PAGE_RECENT_DAYS];
}

bool page_incident_touches(const struct incident *incident, struct instant from, struct instant to,
			   struct instant now)
{
	int64_t started = incident->started_at.s, ended = incident->ended_at.s;
	if (ended > 0)
		return started < to.s && (ended > from.s || started >= from.s);
	return (started < now.s ? started : now.s) < to.s && from.s <= now.s;
}
