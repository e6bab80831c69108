/*
 * The operations of visitors on subscriptions to a page (contract section 14). Visitors are no
 * principals: a signed link admits to a subscription, and the caller has checked that the visitor
 * may see the page.
 */
#ifndef SERVICE_SUBSCRIPTIONS_H
#define SERVICE_SUBSCRIPTIONS_H

#include "service/service.h"
#include "store/notify/subscriber.h"

/*
 * Asks the receiver to confirm: queues a message with a link, or a challenge of a webhook. The
 * outcome is the same for addresses that are known and unknown. E_INVALID, with violations;
 * E_NOT_FOUND: the page takes no subscribers. `asks`: false if the address was asked too often, so
 * that nothing is sent.
 */
enum result service_subscribe(struct service *service, const char *slug,
			      const struct subscriber_input *input, bool asks) MUST_USE;
/* Reads an address, with the hash of subscriber_set_address() that identifies it, for limits.
 * E_INVALID. */
enum result service_subscription_address(struct service *service, const char *text,
					 struct subscriber *subscriber) MUST_USE;

/* The systems of the page, for the form. E_NOT_FOUND: the page takes no subscribers. */
enum result service_subscription_form(struct service *service, const char *slug,
				      struct db_list *systems) MUST_USE;

/* The subscription that a link names, and its page. */
struct subscription {
	int64_t id;
	struct signing_key key;
	struct status_page page; /* with its name and language */
	struct subscriber subscriber;
	struct subscriber_system *systems; /* of the page, by their position */
	size_t system_count;
	const char *secret; /* of the signatures of a webhook; NULL: not a webhook */
	const char *public_key;
};
/* The functions below set all members but id and key. E_NOT_FOUND: there is no such subscriber,
 * because the subscription has ended. */
enum result service_show_subscription(struct service *service, struct subscription *subscription)
	MUST_USE;
enum result service_confirm_subscription(struct service *service, struct subscription *subscription)
	MUST_USE;
/* Stores the systems of which the subscriber hears; no ids: the whole page. E_INVALID. */
enum result service_change_subscription(struct service *service, const struct id_list *monitor_ids,
					struct subscription *subscription) MUST_USE;
/* Deletes the subscriber, with all messages that wait. OK if the subscriber does not exist any
 * more. */
enum result service_end_subscription(struct service *service, struct subscription *subscription)
	MUST_USE;

#endif
