/* Everything that a page shows, at one moment. */
#ifndef DOMAIN_PAGE_VIEW_H
#define DOMAIN_PAGE_VIEW_H

#include "domain/incident.h"
#include "domain/status_page.h"
#include "domain/uptime.h"

enum { PAGE_RECENT_DAYS = 14 };

struct page_monitor {
	int64_t id;
	const char *name;
	struct instant created_at;
	const struct incident *open; /* its open incident; NULL: it is up */
	struct uptime_day days[UPTIME_DAYS];
};

struct page_view {
	struct status_page page; /* without custom code */
	struct instant now;	 /* as of when */
	const char *url;	 /* of the page, with a slash at its end */

	struct page_monitor *monitors; /* in display order */
	size_t monitor_count;
	size_t down_count;

	/* Open ones, and those that ended in the last PAGE_RECENT_DAYS: newest first. */
	const struct incident **incidents;
	size_t incident_count;
};

/* "All systems operational", and so on. Owned by the arena. */
const char *page_view_summary(const struct page_view *view, struct arena *arena);

#endif
