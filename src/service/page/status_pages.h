/*
 * The operations on status pages. Each runs in one transaction, appends an event, and publishes
 * the page. What is slow is done before the transaction: pictures are checked, DNS is asked for
 * the proof of a domain, a password is hashed.
 *
 * A page is the principal's account's. Results that all may have: E_INVALID (violations),
 * E_NOT_FOUND, E_RATE_LIMITED (look-ups of domains), E_BUSY (passwords), and those of
 * service_transact(). Outcome for rendering: the page.
 */
#ifndef SERVICE_PAGE_STATUS_PAGES_H
#define SERVICE_PAGE_STATUS_PAGES_H

#include "domain/status_page.h"
#include "service/service.h"

/* What is to be set. Texts and files must live until the operation returns. */
struct status_page_change {
	struct status_page_input input;
	struct field_set sent; /* rows of status_page_update_fields */
};

/* The caller admits NULL: there is no page yet. */
enum result service_create_status_page(struct service *service, struct status_page_change *change,
				       struct status_page *page) MUST_USE;
enum result service_update_status_page(struct service *service, int64_t id,
				       struct status_page_change *change, struct status_page *page)
	MUST_USE;
enum result service_delete_status_page(struct service *service, int64_t id,
				       struct status_page *page) MUST_USE;

#endif
