#include "domain/page_snapshot.h"

#include <stdlib.h>

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

/* The monitors, retired ones too, for look-ups by id. */
struct monitor_index {
	struct page_monitor **by_id;
	size_t count;
};

static struct monitor_index index_monitors(const struct page_snapshot *snapshot,
					   struct arena *arena)
{
	struct monitor_index index = { .count = snapshot->monitor_count };
	index.by_id = ARENA_ARRAY(arena, index.count, struct page_monitor *);
	for (size_t i = 0; i < index.count; i++)
		index.by_id[i] = &snapshot->monitors[i];
	if (index.count > 0)
		qsort(index.by_id, index.count, sizeof(*index.by_id), by_monitor_id);
	return index;
}

static struct page_monitor *find_monitor(const struct monitor_index *index, int64_t id)
{
	struct page_monitor **found = index->count > 0 ? bsearch(&id, index->by_id, index->count,
								 sizeof(*index->by_id),
								 compare_id_with_monitor)
						       : NULL;
	return found ? *found : NULL;
}

static int newest_first(const void *a, const void *b)
{
	const struct incident *left = a, *right = b;
	int order = compare_ints(right->started_at.s, left->started_at.s);
	return order != 0 ? order : compare_ints(right->id, left->id);
}

static void finish_incidents(const struct monitor_index *index, struct incident *incidents,
			     size_t count)
{
	if (count > 0)
		qsort(incidents, count, sizeof(*incidents), newest_first);
	for (size_t i = 0; i < count; i++) {
		const struct page_monitor *monitor = find_monitor(index, incidents[i].monitor_id);
		incidents[i].monitor_name = monitor ? monitor->name : "";
	}
}

static void mark_open(struct page_snapshot *snapshot, const struct monitor_index *index)
{
	for (size_t i = 0; i < snapshot->incident_count; i++) {
		const struct incident *incident = &snapshot->incidents[i];
		struct page_monitor *monitor = find_monitor(index, incident->monitor_id);
		/* An open incident of a retired monitor is listed, but no state of the page. */
		if (incident->ended_at.s > 0 || !monitor || monitor->is_retired)
			continue;
		monitor->open = incident;
		snapshot->down_count++;
	}
}

static struct instant record_start(const struct page_monitor *monitor, struct instant now)
{
	if (monitor->known_since.s == 0)
		return now;
	/* A record that starts now has one second: its day is not without data. */
	return monitor->known_since.s < now.s ? monitor->known_since
					      : (struct instant){ now.s - 1 };
}

/* Fills the days of all monitors. Both arrays are walked once, by the monitors' ids. */
static void fill_days(struct page_snapshot *snapshot, const struct monitor_index *index,
		      struct arena *arena)
{
	const struct page_outage *outages = snapshot->outages;
	size_t total = snapshot->outage_count, at = 0;
	struct uptime_interval *intervals = ARENA_ARRAY(arena, total, struct uptime_interval);
	if (total > 0)
		qsort(snapshot->outages, total, sizeof(*outages), by_monitor_and_start);
	for (size_t i = 0; i < index->count; i++) {
		struct page_monitor *monitor = index->by_id[i];
		size_t count = 0;
		while (at < total && outages[at].monitor_id < monitor->id)
			at++;
		while (at < total && outages[at].monitor_id == monitor->id)
			intervals[count++] = outages[at++].interval;
		uptime_fill(intervals, count, record_start(monitor, snapshot->now), snapshot->now,
			    monitor->days);
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

void page_snapshot_derive(struct page_snapshot *snapshot, struct arena *arena)
{
	struct monitor_index index = index_monitors(snapshot, arena);
	finish_incidents(&index, snapshot->incidents, snapshot->incident_count);
	finish_incidents(&index, snapshot->newest, snapshot->newest_count);
	mark_open(snapshot, &index);
	fill_days(snapshot, &index, arena);
	drop_retired(snapshot);
}

enum system_state page_monitor_state(const struct page_monitor *monitor)
{
	if (monitor->open)
		return SYSTEM_MAJOR_OUTAGE;
	return monitor->known_since.s > 0 ? SYSTEM_OPERATIONAL : SYSTEM_NO_DATA;
}

enum page_impact page_snapshot_impact(const struct page_snapshot *snapshot, size_t affected)
{
	if (affected == 0)
		return IMPACT_NONE;
	if (2 * affected >= snapshot->monitor_count)
		return IMPACT_CRITICAL;
	return 10 * affected >= snapshot->monitor_count ? IMPACT_MAJOR : IMPACT_MINOR;
}

struct instant page_recent_start(struct instant now)
{
	return uptime_day_start(now, UPTIME_DAYS - PAGE_RECENT_DAYS);
}

/* Every three minutes in the first hour, every quarter of an hour later. */
static int64_t refresh_interval_s(int64_t age_s)
{
	enum { YOUNG_S = 3600, YOUNG_INTERVAL_S = 180, INTERVAL_S = 900 };
	return age_s < YOUNG_S ? YOUNG_INTERVAL_S : INTERVAL_S;
}

struct instant page_snapshot_due(const struct page_snapshot *snapshot)
{
	struct instant due = { uptime_midnight(snapshot->now).s + DAY_S };
	for (size_t i = 0; i < snapshot->monitor_count; i++) {
		const struct incident *open = snapshot->monitors[i].open;
		if (!open)
			continue;
		int64_t then =
			snapshot->now.s + refresh_interval_s(snapshot->now.s - open->started_at.s);
		if (then < due.s)
			due.s = then;
	}
	return due;
}
