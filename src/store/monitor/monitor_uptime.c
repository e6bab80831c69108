#include "store/monitor/monitor_uptime.h"

#include <stdlib.h>

#include "store/snapshot/snapshot.h"

/* Enough for 4 * MONITOR_UPTIME_INCIDENTS_MAX incidents, as many occurrences, and as many gaps. */
enum { ARENA_MAX_BYTES = 128 << 20 };

static int by_id(const void *a, const void *b)
{
	const struct snapshot_monitor *left = a, *right = b;
	return id_order(&left->id, &right->id);
}

/* Makes a snapshot from the monitors, as if they were on a page. */
static void make_page(const struct monitor *monitors, size_t count, struct snapshot_set *set,
		      struct page_snapshot *page, struct arena *arena)
{
	page->now = set->now;
	page->calendar = uptime_calendar_until(set->now);
	page->monitors = ARENA_ARRAY(arena, count, struct page_monitor);
	page->monitor_count = count;
	set->monitors = ARENA_ARRAY(arena, count, struct snapshot_monitor);
	set->monitor_count = count;
	set->bars_start = page->calendar.starts[0];
	for (size_t i = 0; i < count; i++) {
		const struct monitor *monitor = &monitors[i];
		page->monitors[i] = (struct page_monitor){ .id = monitor->id,
							   .name = monitor->name,
							   .known_since = monitor->known_since };
		set->monitors[i] = (struct snapshot_monitor){ .id = monitor->id,
							      .incidents = monitor->incident_count,
							      .has_maintenance = true,
							      .has_gaps = monitor->gap_until.s >=
									  set->bars_start.s };
	}
	qsort(set->monitors, count, sizeof(*set->monitors), by_id);
}

static bool has_record(const struct monitor *monitors, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (monitors[i].known_since.s > 0)
			return true;
	return false;
}

/* Returns the uptime of the last `days` days. */
static struct percent uptime_of(const struct page_monitor *monitor, size_t days)
{
	int64_t share = uptime_permyriad(&monitor->days[UPTIME_DAYS - days], days);
	return (struct percent){ share >= 0, share };
}

static void set_uptimes(struct monitor *monitor, const struct page_monitor *found)
{
	if (monitor->retired_at.s > 0 || monitor->known_since.s == 0)
		return;
	monitor->uptime_1d = uptime_of(found, 1);
	monitor->uptime_7d = uptime_of(found, 7);
	monitor->uptime_30d = uptime_of(found, 30);
	monitor->uptime_90d = uptime_of(found, 90);
}

static enum result read_uptimes(struct db *db, struct monitor *monitors, size_t count,
				struct instant now, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct page_snapshot page = { 0 };
	struct snapshot_set set = { .now = now };
	arena_init(&arena, ARENA_MAX_BYTES);
	make_page(monitors, count, &set, &page, &arena);
	enum result result =
		snapshot_read_outages(db, &set, MONITOR_UPTIME_INCIDENTS_MAX, &arena, &page, error);
	if (result == OK)
		result = snapshot_read_windows(db, &set, MONITOR_UPTIME_INCIDENTS_MAX, &arena,
					       &page, error);
	if (result == OK)
		result = snapshot_read_gaps(db, &set, MONITOR_UPTIME_INCIDENTS_MAX, &arena, &page,
					    error);
	if (result != OK)
		return result;
	page_snapshot_derive(&page, &arena);
	for (size_t i = 0; i < count; i++)
		set_uptimes(&monitors[i], &page.monitors[i]);
	return OK;
}

enum result monitor_read_uptimes(struct db *db, struct monitor *monitors, size_t count,
				 struct instant now, struct error *error)
{
	if (!has_record(monitors, count))
		return OK;
	enum result result = read_uptimes(db, monitors, count, now, error);
	if (result != E_TOO_LARGE)
		return result;
	*error = (struct error){ 0 };
	return OK;
}
