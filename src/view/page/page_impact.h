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
 * Returns the impact of an incident:
 * - of an open incident: the worst of its own impact and of the open incidents inside it;
 * - of a resolved incident: its own impact; if that is none, the worst of the incidents inside it.
 */
int page_incident_impact(const struct incident *incident, struct page_incidents all);
/* Returns a copy of incident->monitors, in which the impacts also include the incidents inside. */
struct incident_monitor *page_incident_monitors(const struct incident *incident,
						struct page_incidents all, struct arena *arena);
/* Appends the systems that the incident affects, each with its impact if the impacts differ. */
void page_put_incident_systems(const struct page_view *view, const struct incident *incident,
			       struct page_incidents all);
/* Appends the changes of systems' states that are stored in the update: "Checkout: Partly down →
 * Down". is_after_end: the incident was resolved before the update, so systems were operational. */
void page_put_changes(const struct page_view *view, const struct incident *incident,
		      const struct posted_update *update, bool is_after_end);

#endif
