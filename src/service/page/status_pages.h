/*
 * The operations on status pages. Each runs in one transaction, appends an event, and publishes the
 * page. Does slow work before the transaction: checks pictures, looks up the proof of a domain in
 * DNS, and hashes a password.
 *
 * The page must be in the principal's account. All operations may return E_INVALID (violations),
 * E_NOT_FOUND, E_RATE_LIMITED (look-ups of domains), E_BUSY (passwords), and the results of
 * service_transact(). The response renders the page.
 */
#ifndef SERVICE_PAGE_STATUS_PAGES_H
#define SERVICE_PAGE_STATUS_PAGES_H

#include "domain/page/status_page.h"
#include "service/service.h"

/* The values to set. Texts and files must stay in memory until the operation returns. */
struct status_page_change {
	struct status_page_input input;
	struct field_set sent; /* rows of status_page_update_fields */
};

/* Calls service_admit() with NULL, because there is no page yet. */
enum result service_create_status_page(struct service *service, struct status_page_change *change,
				       struct status_page *page) MUST_USE;
enum result service_update_status_page(struct service *service, int64_t id,
				       struct status_page_change *change, struct status_page *page)
	MUST_USE;
enum result service_delete_status_page(struct service *service, int64_t id,
				       struct status_page *page) MUST_USE;

#endif
