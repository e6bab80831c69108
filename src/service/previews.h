/*
 * Previews of pages as they would be after an operation. An operation with a preview is only tried:
 * its transaction reads the page when all rows are written, and is rolled back. No key is claimed,
 * no event stored, no response rendered and nothing published. Ids of new rows stay used.
 */
#ifndef SERVICE_PREVIEWS_H
#define SERVICE_PREVIEWS_H

#include "domain/page/page_snapshot.h"
#include "domain/maintenance/maintenance.h"
#include "service/service.h"
#include "store/page/status_page.h"

/* The object that the operation changes. */
enum preview_of { PREVIEW_OF_PAGE, PREVIEW_OF_INCIDENT, PREVIEW_OF_MAINTENANCE };

struct service_preview {
	enum preview_of of; /* set by the caller, like page_id */
	int64_t page_id;    /* 0: a new page, or the first that shows the incident or the window */
	const void *object; /* the incident or the window; NULL: the outcome begins with it */
	int64_t object_id;  /* its id */
	struct maintenance_shown *window; /* the outcome; NULL: it is no window */
	struct event_change *events;	  /* of the operation, if subscribers hear of them */
	size_t event_count;
	struct db_list pages; /* struct incident_page: those that show the incident or window */
	struct page_snapshot *snapshot; /* ready to be rendered; NULL: no page shows it */
	struct page_file pictures[STATUS_PAGE_PICTURES];
	size_t picture_count;
};
/* Names the incident or the window that the operation changes. Needed only if the outcome of the
 * operation does not begin with this object. */
void service_preview_object(const struct service *service, const void *object);
/* For service_transact(). */
enum result service_read_preview(struct service *service, const void *outcome) MUST_USE;

#endif
