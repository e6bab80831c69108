/*
 * The operations of visitors on subscriptions to a page (contract section 14). A visitor is no
 * principal: a signed link gives access to a subscription, and the caller has checked that the
 * visitor may see the page.
 */
#ifndef SERVICE_SUBSCRIPTIONS_H
#define SERVICE_SUBSCRIPTIONS_H

#include "service/service.h"
#include "store/notify/subscriber.h"

/*
 * Stores an unconfirmed subscriber, and asks the receiver to confirm: queues a message with a link,
 * or a challenge for a webhook. The result is the same for known and unknown addresses. The caller
 * sets `asks` to false if this address was asked too often; then nothing is sent. E_INVALID, with
 * violations; E_NOT_FOUND: the page accepts no subscribers.
 */
enum result service_subscribe(struct service *service, const char *slug,
			      const struct subscriber_input *input, bool asks) MUST_USE;
/* Reads an address, and sets the hash that identifies it: see subscriber_set_address(). The caller
 * limits the requests for each address by this hash. E_INVALID. */
enum result service_subscription_address(struct service *service, const char *text,
					 struct subscriber *subscriber) MUST_USE;

/* Reads the systems of the page, for the form. E_NOT_FOUND: the page accepts no subscribers. */
enum result service_subscription_form(struct service *service, const char *slug,
				      struct db_list *systems) MUST_USE;

/* The subscription that a link names, and its page. */
struct subscription {
	int64_t id;
	struct signing_key key;
	struct status_page page; /* with its name and language */
	struct subscriber subscriber;
	struct subscriber_system *systems; /* the systems of the page, in their order on the page */
	size_t system_count;
	const char *secret; /* the secret for the signatures of a webhook; NULL: the subscriber is
			       no webhook */
	const char *public_key;
};
/* The functions below set all members but id and key. E_NOT_FOUND: there is no such subscriber,
 * because the subscription has ended. */
enum result service_show_subscription(struct service *service, struct subscription *subscription)
	MUST_USE;
enum result service_confirm_subscription(struct service *service, struct subscription *subscription)
	MUST_USE;
/* Stores the systems about which the subscriber is notified; no ids: the whole page. E_INVALID. */
enum result service_change_subscription(struct service *service, const struct id_list *monitor_ids,
					struct subscription *subscription) MUST_USE;
/* Deletes the subscriber, with all messages that wait. OK if the subscriber does not exist any
 * more. */
enum result service_end_subscription(struct service *service, struct subscription *subscription)
	MUST_USE;

#endif
