/* The operations of operators on the subscribers of a page (contract section 14). */
#ifndef SERVICE_SUBSCRIBERS_H
#define SERVICE_SUBSCRIBERS_H

#include "base/buf.h"
#include "service/service.h"
#include "store/notify/subscriber.h"

/*
 * Adds a subscriber as confirmed: the operator is responsible for the receiver's consent.
 * *subscriber is the new subscriber. E_NOT_FOUND: the principal has no such page; E_INVALID, with
 * violations, also if the page already has this subscriber, or has SUBSCRIBERS_OF_PAGE_MAX
 * subscribers.
 */
enum result service_add_subscriber(struct service *service, int64_t page_id,
				   const struct subscriber_input *input,
				   struct subscriber *subscriber) MUST_USE;
/* Deletes a subscriber, with all messages. E_NOT_FOUND. */
enum result service_delete_subscriber(struct service *service, int64_t page_id, int64_t id,
				      struct subscriber *subscriber) MUST_USE;

/*
 * Adds the confirmed subscribers of a CSV file, whose header names the column `address`. Skips a
 * row whose column `state` is not "confirmed". Skips an address that the page already has. The
 * column `monitor_ids` has the systems about which the subscriber is notified; if it is empty, the
 * subscriber is notified about the whole page. E_INVALID, with a violation of `file` that names the
 * line: no subscriber was added.
 */
enum { SUBSCRIBERS_IMPORT_MAX = 20000, SUBSCRIBERS_IMPORT_SYSTEMS_MAX = 100000 };
struct subscriber_import {
	struct str csv;
	int64_t added;
	int64_t skipped; /* rows that were skipped */
};
extern const struct fields subscriber_import_fields; /* the outcome */
enum result service_import_subscribers(struct service *service, int64_t page_id,
				       struct subscriber_import *import) MUST_USE;
/* Appends all subscribers of the page as CSV, as service_import_subscribers() reads them. Puts an
 * apostrophe before an address that a spreadsheet would treat as a formula. E_NOT_FOUND. */
enum result service_export_subscribers(struct service *service, int64_t page_id, struct buf *out)
	MUST_USE;

/* Stores the systems about which a stored subscriber is notified; no ids: the whole page. Call it
 * in a transaction. E_INVALID, with a violation: the page does not show one of the systems. */
enum result service_put_subscriber_monitors(struct service *service, struct id_list monitor_ids,
					    struct subscriber *subscriber) MUST_USE;

#endif
