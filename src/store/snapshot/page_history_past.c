/* Reads outages, maintenance windows and gaps from before a page's bars, for reports. */
#include <stdlib.h>

#include "domain/page/page_maintenance.h"
#include "store/snapshot/page_history.h"
#include "store/snapshot/snapshot.h"

static int by_id(const void *a, const void *b)
{
	const struct snapshot_monitor *left = a, *right = b;
	return id_order(&left->id, &right->id);
}

static void list_monitors(struct snapshot_set *set, const struct page_snapshot *snapshot,
			  struct arena *arena)
{
	set->monitors = ARENA_ARRAY(arena, snapshot->monitor_count, struct snapshot_monitor);
	set->monitor_count = snapshot->monitor_count;
	for (size_t i = 0; i < snapshot->monitor_count; i++)
		set->monitors[i] =
			(struct snapshot_monitor){ .id = snapshot->monitors[i].id,
						   .has_maintenance = snapshot->has_maintenance,
						   .has_gaps = true };
	if (set->monitor_count > 0)
		qsort(set->monitors, set->monitor_count, sizeof(*set->monitors), by_id);
}

enum result page_history_read_past(struct db *db, const struct page_snapshot *snapshot,
				   struct instant since, struct arena *arena,
				   struct page_snapshot *past, struct error *error)
{
	struct snapshot_set set = { .now = snapshot->now, .bars_start = since };
	*past = *snapshot;
	past->windows = (struct page_windows){ 0 };
	past->gap_count = past->outage_count = past->excused_count = 0;
	list_monitors(&set, snapshot, arena);
	enum result result = snapshot_read_outages(db, &set, PAGE_OUTAGES_MAX, arena, past, error);
	if (result == OK)
		result = snapshot_read_windows(db, &set, PAGE_WINDOWS_MAX, arena, past, error);
	if (result == OK)
		result = snapshot_read_gaps(db, &set, PAGE_GAPS_MAX, arena, past, error);
	if (result == OK && !arena_has_room(arena))
		return E_TOO_LARGE;
	if (result == OK)
		page_maintenance_excuse_outages(past);
	return result;
}
