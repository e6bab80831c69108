/*
 * Maintenance on a page. An outage that begins in a window of its monitor counts only from the end
 * of the window on. If the outage also ends in the window, it does not count. An outage that began
 * before the window counts. These rules need only times. So they also hold for late reports, and
 * for windows that are entered or corrected afterwards.
 */
#ifndef DOMAIN_PAGE_PAGE_MAINTENANCE_H
#define DOMAIN_PAGE_PAGE_MAINTENANCE_H

#include "domain/page/page_snapshot.h"

/*
 * The first part of page_snapshot_derive(). Sets the status of each occurrence by the clock, the
 * order of occurrences, and page_monitor.maintenance. An outage that began in a window loses the
 * window's time, and its incident begins at the end of the window. Removes incidents that are
 * wholly excused.
 */
void page_maintenance_derive(struct page_snapshot *snapshot);

/* The part of page_maintenance_derive() for outages: removes the time of windows from them, and
 * moves outages that windows excuse as a whole behind the others. */
void page_maintenance_excuse_outages(struct page_snapshot *snapshot);

/* Whether the window is planned; or was cancelled, and its planned time has not come yet. */
bool page_maintenance_is_ahead(const struct page_maintenance *maintenance);
/* Whether a window ahead begins so soon that the page shows all of it. */
enum { PAGE_MAINTENANCE_SOON_S = 24 * 3600 };
bool page_maintenance_is_soon(const struct page_maintenance *maintenance, struct instant now);

/* The next moment after `now` at which a window begins, ends, or becomes soon; 0: unknown. */
struct instant page_maintenance_due(const struct page_snapshot *snapshot);

/* Returns the time until which an outage of the monitor that began at `at` is excused: the end of
 * the window, and of windows that follow it without a gap. 0: the outage began outside of
 * maintenance. */
struct instant page_maintenance_excuse(const struct page_windows *windows, int64_t monitor_id,
				       struct instant at);

/* Whether the window is for a monitor of this page: the rows may be of other pages. */
bool page_windows_concern(const struct page_snapshot *snapshot, int64_t maintenance_id);

/*
 * Derives the page of a month, whose incidents and windows are loaded, as page_maintenance_derive()
 * derives the page itself. Sets the status of each window by the clock, sorts the windows, and
 * shows incidents inside of windows. An incident that outlives its window begins at the window's
 * end. Then sorts and nests the incidents again. `windows` are the windows that can excuse an
 * incident of the month.
 */
void page_month_derive(struct page_month *month, const struct page_windows *windows,
		       struct instant now, struct arena *arena);

#endif
