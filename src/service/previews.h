/*
 * Previews of pages as they would be after an operation. An operation with a preview has no effect:
 * its transaction writes all rows, reads the page, and is then rolled back. It claims no
 * Idempotency-Key, stores no event, renders no response, and publishes nothing. The ids of the rows
 * that were rolled back are never used again.
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
	int64_t page_id;    /* 0: the new page, or the first page that shows the object */
	const void *object; /* the incident or the window; NULL: it is the first member of the
			       operation's outcome */
	int64_t object_id;  /* the id of the object */
	struct maintenance_shown *window; /* the outcome if it is a window, otherwise NULL */
	struct event_change *events;	  /* the events about which subscribers are notified */
	size_t event_count;
	struct db_list pages; /* struct incident_page: the pages that show the incident or window */
	struct page_snapshot *snapshot; /* ready to be rendered; NULL: no page shows it */
	struct page_file pictures[STATUS_PAGE_PICTURES];
	size_t picture_count;
};
/* Sets preview->object to the incident or window that the operation changes. Needed only if the
 * operation's outcome does not begin with this object. */
void service_preview_object(const struct service *service, const void *object);
/* Reads the preview, before service_transact() rolls back. */
enum result service_read_preview(struct service *service, const void *outcome) MUST_USE;

#endif
