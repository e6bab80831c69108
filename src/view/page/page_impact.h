/* The impact of an incident as a page shows it. */
#ifndef VIEW_PAGE_PAGE_IMPACT_H
#define VIEW_PAGE_PAGE_IMPACT_H

#include "view/page/page_parts.h"

/* The incidents of a page, including detected ones that are shown inside reported ones. */
struct page_incidents {
	const struct page_incident *first;
	size_t count;
};

/*
 * Returns the worst of the stated impact and the impacts of the detected incidents inside. While
 * the incident is open, a detected incident counts only if it is open, too. After the end of the
 * incident only the stated impact counts, unless it is "none".
 */
int page_incident_impact(const struct incident *incident, struct page_incidents all);
/* Returns the impact on each system of a reported incident, in an array of monitor_count. */
struct incident_monitor *page_incident_monitors(const struct incident *incident,
						struct page_incidents all, struct arena *arena);
/* Appends the systems that the incident affects, each with its impact if the impacts differ. */
void page_put_incident_systems(const struct page_view *view, const struct incident *incident,
			       struct page_incidents all);
/* Appends how the update changed the states of the systems, if that is known: "Checkout: Partly
 * down → Down". is_after_end: the update opened the incident again. */
void page_put_changes(const struct page_view *view, const struct incident *incident,
		      const struct posted_update *update, bool is_after_end);

#endif
