/*
 * Loads the incidents of pages: all incidents in the days of the bars, the recent incidents, and
 * the newest. First reads the times of all these incidents. Then reads texts only for incidents
 * that a page shows, so that a busy monitor costs no more than other monitors.
 */
#include "store/snapshot/snapshot_incidents.h"

#include <stdlib.h>

enum {
	OUTAGES_MAX = PAGE_OUTAGES_MAX,
	/* The most incidents for several pages together. If there are more, the caller reads the
	 * pages one by one. */
	SET_OUTAGES_MAX = 50000,
	FEW_IN_ALL = 4 * PAGE_NEWEST_MAX,
};

/* Whether at least PAGE_NEWEST_MAX detected incidents of the page began in the days of the bars.
 * Does not count reported incidents, because each of them has a row for each monitor. */
static bool has_newest(const struct snapshot_set *set, const struct page_snapshot *page,
		       const struct times_list *list)
{
	struct instant since = set->bars_start;
	size_t count = 0;
	for (size_t i = 0; i < page->monitor_ids.count && count < PAGE_NEWEST_MAX; i++) {
		struct times_list times = times_of(list, page->monitor_ids.ids[i]);
		for (size_t j = 0; j < times.count; j++)
			count += !times.rows[j].reported && times.rows[j].started_at.s >= since.s;
	}
	return count >= PAGE_NEWEST_MAX;
}

/* Returns the monitors of the pages that have fewer than PAGE_NEWEST_MAX incidents in the days of
 * the bars. Older incidents of these monitors must be read. */
static struct old_monitors monitors_to_look_back(const struct times_loading *loading)
{
	const struct snapshot_set *set = loading->set;
	struct arena *arena = loading->arena;
	struct old_monitors old = { { ARENA_ARRAY(arena, set->monitor_count, int64_t), 0 },
				    { ARENA_ARRAY(arena, set->monitor_count, int64_t), 0 } };
	bool *is_wanted = ARENA_ARRAY(arena, set->monitor_count, bool);
	for (size_t i = 0; i < set->count; i++) {
		const struct page_snapshot *page = &set->contents[i].view;
		if (!set->contents[i].is_found || has_newest(set, page, &loading->list))
			continue;
		for (size_t j = 0; j < page->monitor_ids.count; j++) {
			const struct snapshot_monitor *monitor =
				bsearch(&page->monitor_ids.ids[j], set->monitors,
					set->monitor_count, sizeof(*monitor), id_order);
			is_wanted[monitor - set->monitors] = !times_are_few(loading, monitor);
		}
	}
	for (size_t i = 0; i < set->monitor_count; i++) {
		struct id_list *list = set->monitors[i].incidents <= TIMES_FEW ? &old.few
									       : &old.many;
		if (is_wanted[i])
			list->ids[list->count++] = set->monitors[i].id;
	}
	return old;
}

enum result snapshot_read_outages(struct db *db, struct snapshot_set *set, size_t most,
				  struct arena *arena, struct page_snapshot *page,
				  struct error *error)
{
	struct times_loading loading = {
		.db = db,
		.set = set,
		.arena = arena,
		.most = most,
		.over = E_TOO_LARGE,
		.is_old_left = true,
	};
	enum result result = times_read_bars(&loading, error);
	if (result == OK)
		snapshot_fill_outages(page, &loading.list, arena);
	return result;
}

static bool has_many_in_all(const struct snapshot_set *set)
{
	int64_t sum = 0;
	for (size_t i = 0; i < set->monitor_count; i++)
		sum += set->monitors[i].incidents <= TIMES_FEW ? set->monitors[i].incidents : 0;
	return sum > (int64_t)set->count * FEW_IN_ALL;
}

enum result snapshot_load_incidents(struct db *db, struct snapshot_set *set, struct arena *arena,
				    struct error *error)
{
	struct times_loading loading = {
		.db = db,
		.set = set,
		.arena = arena,
		.most = set->count > 1 ? SET_OUTAGES_MAX : OUTAGES_MAX,
		.over = E_FAILED,
		.is_old_left = has_many_in_all(set),
	};
	enum result result = times_read_bars(&loading, error);
	if (result != OK)
		return result;
	const struct old_monitors old = monitors_to_look_back(&loading);
	result = times_read_old(&loading, &old, error);
	return result == OK ? snapshot_fill_incidents(db, set, &loading.list, arena, error)
			    : result;
}
