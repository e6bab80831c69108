/*
 * What a page would show after an operation. An operation with a preview is only tried: its
 * transaction reads the page when all rows are written, and is rolled back. No key is claimed, no
 * event stored, no response rendered and nothing published. Ids of new rows stay used.
 */
#ifndef SERVICE_PREVIEWS_H
#define SERVICE_PREVIEWS_H

#include "domain/page_snapshot.h"
#include "service/service.h"
#include "store/page/status_page.h"

struct service_preview {
	int64_t page_id;     /* given; 0: the first page that shows the incident of the outcome */
	int64_t incident_id; /* of the outcome */
	struct posted_update update;	/* that the operation posts; at 0: none */
	struct db_list pages;		/* struct incident_page: those that show the incident */
	struct page_snapshot *snapshot; /* ready to be rendered; NULL: no page shows the incident */
	struct page_file pictures[STATUS_PAGE_PICTURES];
	size_t picture_count;
};
/* For service_transact(). An outcome without page_id begins with its incident. */
enum result service_read_preview(struct service *service, const void *outcome) MUST_USE;

#endif
