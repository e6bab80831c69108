/* Incidents and maintenance windows on the HTML files of a page. Only for this folder. */
#ifndef VIEW_PAGE_INCIDENT_H
#define VIEW_PAGE_INCIDENT_H

#include "view/page_parts.h"

/* Whether it stands for itself: the others are inside of a reported incident. */
bool page_incident_stands_alone(const struct incident *incident);

/* A card, for what is open: the newest updates are whole, earlier ones fold. */
void page_put_open_incident(const struct page_view *view, const struct incident *incident);
/*
 * An entry of the log, in a list: the name, times, the newest text. Those that are inside of it are
 * looked for among `all`.
 */
void page_put_past_incident(const struct page_view *view, const struct incident *incident,
			    const struct incident *all, size_t count);

/* A line of the log: a link to an incident that goes on, or ends, on a day after that of its start.
 * `next`: when the next day begins. */
void page_put_going_on(const struct page_view *view, const struct incident *incident,
		       struct instant next);

/* The earlier occurrence whose card has its time, too; NULL: it has a card of its own. */
const struct page_maintenance *page_maintenance_repeated(const struct page_snapshot *snapshot,
							 const struct page_maintenance *one);
/* A card, for what is planned or in progress. */
void page_put_maintenance(const struct page_view *view, const struct page_maintenance *maintenance);
/* An entry of the log, with those of the incidents that it excuses. */
void page_put_past_maintenance(const struct page_view *view,
			       const struct page_maintenance *maintenance,
			       const struct incident *all, size_t count);
/* The state and the times of a window. */
void page_put_window(const struct page_view *view, const struct page_maintenance *maintenance);

/* The incidents of monitoring that an entry explains: a list that folds. */
typedef bool page_incident_filter(const struct incident *incident, const void *entry);
void page_put_explained(const struct page_view *view, const struct incident *all, size_t count,
			page_incident_filter *is_explained, const void *entry);

#endif
