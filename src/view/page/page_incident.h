/* Incidents and maintenance windows on the HTML files of a page. Only for src/view. */
#ifndef VIEW_PAGE_PAGE_INCIDENT_H
#define VIEW_PAGE_PAGE_INCIDENT_H

#include "view/page/page_parts.h"

/*
 * Returns whether the incident is shown by itself, and not inside a reported incident or a window.
 */
bool page_incident_stands_alone(const struct page_incident *incident);

/* Appends a card for an open incident. Shows the newest updates, and folds the earlier ones. */
void page_put_open_incident(const struct page_view *view, const struct page_incident *shown);
/* Appends the incident as an entry of the log: its name, times and newest text. The entry lists
 * those incidents of `all` that are inside it. */
void page_put_past_incident(const struct page_view *view, const struct page_incident *shown,
			    const struct page_incident *all, size_t count);

/* Appends a line of the log for a day: a link to an incident that is open, or that began before the
 * day. `next`: the end of the day. */
void page_put_going_on(const struct page_view *view, const struct incident *incident,
		       struct instant next);

/* A card can show several occurrences of a window. Returns the earlier occurrence whose card also
 * shows the times of `one`; NULL: `one` has a separate card. */
const struct page_maintenance *page_maintenance_repeated(const struct page_snapshot *snapshot,
							 const struct page_maintenance *one);
/* Appends a card for a window that is planned or in progress. */
void page_put_maintenance(const struct page_view *view, const struct page_maintenance *maintenance);
/* Appends a line for a window that does not begin soon. Such a window has no card. */
void page_put_later_window(const struct page_view *view,
			   const struct page_maintenance *maintenance);
/* Appends a paragraph with a link to the card of a window. */
void page_put_soon_window(const struct page_view *view, const struct page_maintenance *maintenance);
/* Appends the window as an entry of the log, with those incidents of `all` that it excuses. */
void page_put_past_maintenance(const struct page_view *view,
			       const struct page_maintenance *maintenance,
			       const struct page_incident *all, size_t count);
/* Appends the state and the times of a window. */
void page_put_window(const struct page_view *view, const struct page_maintenance *maintenance);

/* Appends, as a folded list, the incidents for which is_explained(incident, entry) is true. */
typedef bool page_incident_filter(const struct page_incident *incident, const void *entry);
void page_put_explained(const struct page_view *view, const struct page_incident *all, size_t count,
			page_incident_filter *is_explained, const void *entry);

#endif
