/* The operations of operators on the subscribers of a page (contract section 14). */
#ifndef SERVICE_SUBSCRIBERS_H
#define SERVICE_SUBSCRIBERS_H

#include "base/buf.h"
#include "service/service.h"
#include "store/notify/subscriber.h"

/*
 * Adds a confirmed subscriber: the operator answers for the consent. *subscriber is the outcome.
 * E_NOT_FOUND: the principal has no such page; E_INVALID, with violations, also if the page has
 * this subscriber or SUBSCRIBERS_OF_PAGE_MAX.
 */
enum result service_add_subscriber(struct service *service, int64_t page_id,
				   const struct subscriber_input *input,
				   struct subscriber *subscriber) MUST_USE;
/* Deletes a subscriber, with all messages. E_NOT_FOUND. */
enum result service_delete_subscriber(struct service *service, int64_t page_id, int64_t id,
				      struct subscriber *subscriber) MUST_USE;

/*
 * Adds the confirmed subscribers of a CSV file, whose header names the column `address`. Leaves out
 * a row whose column `state` has another word than "confirmed". Leaves out an address that the page
 * has already. The column `monitor_ids` has the systems of which a subscriber hears; none: the
 * whole page. E_INVALID, with a violation of `file` that names the line: nothing is added.
 */
enum { SUBSCRIBERS_IMPORT_MAX = 20000, SUBSCRIBERS_IMPORT_SYSTEMS_MAX = 100000 };
struct subscriber_import {
	struct str csv;
	int64_t added;
	int64_t skipped; /* the page had them, or they were not confirmed */
};
extern const struct fields subscriber_import_fields; /* the outcome */
enum result service_import_subscribers(struct service *service, int64_t page_id,
				       struct subscriber_import *import) MUST_USE;
/* Appends all subscribers of the page as CSV, as service_import_subscribers() reads them. An
 * address that spreadsheets would take for a formula has an apostrophe before it. E_NOT_FOUND. */
enum result service_export_subscribers(struct service *service, int64_t page_id, struct buf *out)
	MUST_USE;

/* In a transaction: stores the systems of which a stored subscriber hears; no ids: the whole page.
 * E_INVALID, with a violation: the page does not show one of the systems. */
enum result service_put_subscriber_monitors(struct service *service, struct id_list monitor_ids,
					    struct subscriber *subscriber) MUST_USE;

#endif
