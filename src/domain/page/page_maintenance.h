/*
 * Maintenance on a page. An outage that begins in a window of its monitor counts only from the end
 * of the window on. If the outage also ends in the window, it does not count. An outage that began
 * before the window counts. The rules use only times, so they also apply to outages that are
 * reported late, and to windows that people enter or correct afterwards.
 */
#ifndef DOMAIN_PAGE_PAGE_MAINTENANCE_H
#define DOMAIN_PAGE_PAGE_MAINTENANCE_H

#include "domain/page/page_snapshot.h"

/*
 * The first part of page_snapshot_derive(). Sets the status of each occurrence by the clock, the
 * order of occurrences, and page_monitor.maintenance. Removes the time of a window from an outage
 * that began in the window, and moves the start of its incident to the end of the window. Removes
 * incidents that windows excuse as a whole.
 */
void page_maintenance_derive(struct page_snapshot *snapshot);

/* The step of page_maintenance_derive() for outages. Removes the time of windows from outages.
 * Moves outages that windows excuse completely to the end of the array. */
void page_maintenance_excuse_outages(struct page_snapshot *snapshot);

/* Returns whether the window is planned, or was cancelled and its planned start is still ahead. */
bool page_maintenance_is_ahead(const struct page_maintenance *maintenance);
/* Returns whether a window that is ahead begins within PAGE_MAINTENANCE_SOON_S seconds. Then the
 * page shows all its details. */
enum { PAGE_MAINTENANCE_SOON_S = 24 * 3600 };
bool page_maintenance_is_soon(const struct page_maintenance *maintenance, struct instant now);

/* Returns the next moment after `now` at which a window begins, ends, or is exactly
 * PAGE_MAINTENANCE_SOON_S ahead; 0: none is known. */
struct instant page_maintenance_due(const struct page_snapshot *snapshot);

/* Returns the time until which windows excuse an outage of the monitor that began at `at`: the end
 * of the window, or of the last window that follows without a gap. 0: the outage began outside of
 * maintenance. */
struct instant page_maintenance_excuse(const struct page_windows *windows, int64_t monitor_id,
				       struct instant at);

/* Returns whether the window is for a monitor of this page. A caller may pass windows of other
 * pages. */
bool page_windows_concern(const struct page_snapshot *snapshot, int64_t maintenance_id);

/*
 * Does for the page of a month what page_maintenance_derive() does for the page itself. The
 * incidents and windows of the month must be loaded. Sets the status of each window by the clock,
 * sorts the windows, and shows incidents inside of windows. The start of an incident that lasts
 * longer than its window moves to the window's end. Then sorts and nests the incidents again.
 * `windows` are the windows that can excuse an incident of the month.
 */
void page_month_derive(struct page_month *month, const struct page_windows *windows,
		       struct instant now, struct arena *arena);

#endif
