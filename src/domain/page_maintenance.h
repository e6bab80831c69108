/*
 * Maintenance on a page. An outage that begins in a window of its monitor counts from the end of
 * the window on, or not at all if the outage has ended before. An outage that began before the
 * window counts. This rule needs only times, so it holds for late reports, and for windows that are
 * entered or corrected afterwards.
 */
#ifndef DOMAIN_PAGE_MAINTENANCE_H
#define DOMAIN_PAGE_MAINTENANCE_H

#include "domain/page_snapshot.h"

/*
 * The part of page_snapshot_derive() that comes first: the status of each occurrence by the clock,
 * and their order; page_monitor.maintenance. Outages lose the time of the windows in which they
 * began, and incidents begin at the end of these windows; incidents that are excused as a whole are
 * removed.
 */
void page_maintenance_derive(struct page_snapshot *snapshot);

/* The next start or end after `now`; 0: unknown. */
struct instant page_maintenance_due(const struct page_snapshot *snapshot);

/*
 * The end of the time that an outage of the monitor, which began at `at`, is excused for: the end
 * of the window, and of windows that follow it without a gap. 0: the outage began outside of
 * maintenance.
 */
struct instant page_maintenance_excuse(const struct page_windows *windows, int64_t monitor_id,
				       struct instant at);

/* Whether a monitor of the page is in the window: the rows are of several pages. */
bool page_windows_concern(const struct page_snapshot *snapshot, int64_t maintenance_id);

/*
 * The same for the page of a month, whose incidents and windows are loaded: the status of each
 * window by the clock, their order, and the incidents that are shown inside of windows. An incident
 * that outlives its window begins at the end of the window, as on the page; the rows are sorted and
 * nested again. `windows` are the windows that can excuse an incident of the month.
 */
void page_month_derive(struct page_month *month, const struct page_windows *windows,
		       struct instant now, struct arena *arena);

#endif
