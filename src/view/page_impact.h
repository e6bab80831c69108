/* How much an incident affects what a page shows. */
#ifndef VIEW_PAGE_IMPACT_H
#define VIEW_PAGE_IMPACT_H

#include "view/page_parts.h"

/* Incidents of a page, with those that are shown inside others. */
struct page_incidents {
	const struct incident *first;
	size_t count;
};

/*
 * What people have stated, or what monitoring has found inside: the worse of both while that is
 * open, as in the states of the systems; afterwards what people have stated, if it is any impact.
 */
int page_incident_impact(const struct incident *incident, struct page_incidents all);
/* The same for each system of a reported incident: monitor_count of them. */
struct incident_monitor *page_incident_monitors(const struct incident *incident,
						struct page_incidents all, struct arena *arena);
/* The systems that the incident affects; each with its impact, if it is not that of all. */
void page_put_incident_systems(const struct page_view *view, const struct incident *incident,
			       struct page_incidents all);

#endif
