#include "service/subscriptions.h"

#include "notify/notice_message.h"
#include "notify/webhook_signature.h"
#include "service/subscribers.h"
#include "store/notify/notice.h"
#include "store/page/page_link.h"

enum result service_subscription_address(struct service *service, const char *text,
					 struct subscriber *subscriber)
{
	return subscriber_set_address(subscriber, text ? text : "", service->arena,
				      service->violations)
		       ? OK
		       : E_INVALID;
}

struct subscribing {
	const char *slug;
	const struct subscriber_input *input;
	struct subscriber subscriber;
	bool asks;
};

static enum result find_page(struct service *service, const char *slug, struct status_page *page)
{
	const struct page_link_owner owner = { .slug = slug };
	enum result result =
		page_link_owner_find(service->db, &owner, service->arena, page, service->error);
	return result == OK && !page->allow_subscribers ? E_NOT_FOUND : result;
}

/* Stores a new subscriber. If the address already has a confirmed subscriber, does not change it,
 * because anybody can send this address. */
static enum result store_new(struct service *service, struct subscribing *subscribing)
{
	struct subscriber *subscriber = &subscribing->subscriber;
	const struct subscriber_place place = { .page_id = subscriber->page_id,
						.address_hash = subscriber->address_hash,
						.for_update = true };
	struct subscriber found;
	int64_t added, count;
	enum result result =
		subscribers_count(service->db, subscriber->page_id, &count, service->error);
	if (result == OK && count < SUBSCRIBERS_OF_PAGE_MAX)
		result = subscribers_add(service->db, subscriber, 1, service->arena, &added,
					 service->error);
	if (result == OK)
		result = subscriber_find(service->db, &place, service->arena, &found,
					 service->error);
	if (result == E_NOT_FOUND)
		return OK;
	if (result != OK)
		return result;
	subscriber->id = found.id;
	if (found.confirmed_at.s > 0)
		return OK;
	return service_put_subscriber_monitors(service, subscriber->monitor_ids, subscriber);
}

static enum result subscribe_work(struct service *service, void *context)
{
	struct subscribing *subscribing = context;
	struct subscriber *subscriber = &subscribing->subscriber;
	struct status_page page;
	enum result result = find_page(service, subscribing->slug, &page);
	if (result != OK)
		return result;
	subscriber->account_id = page.account_id;
	subscriber->page_id = page.id;
	subscriber->id = 0;
	subscriber->created_at = service->now;
	subscriber_set_monitors(subscriber, subscribing->input->monitor_ids);
	result = store_new(service, subscribing);
	return result == OK && subscriber->id > 0 && subscribing->asks
		       ? notice_ask(service->db, subscriber, service->now, service->error)
		       : result;
}

enum result service_subscribe(struct service *service, const char *slug,
			      const struct subscriber_input *input, bool asks)
{
	struct subscribing subscribing = { .slug = slug, .input = input, .asks = asks };
	struct signing_key key;
	enum result result =
		service_subscription_address(service, input->address, &subscribing.subscriber);
	/* Create the key of the installation if it does not exist: the process that sends messages
	 * signs links with it, but does not create it. */
	if (result == OK)
		result = service_read_key(service, &key);
	return result == OK ? service_transact(service, PERMISSION_NONE, subscribe_work,
					       &subscribing, NULL)
			    : result;
}

enum result service_subscription_form(struct service *service, const char *slug,
				      struct db_list *systems)
{
	struct status_page page;
	enum result result = find_page(service, slug, &page);
	return result == OK ? subscribers_systems(service->db, page.id, service->arena, systems,
						  service->error)
			    : result;
}

/* The subscription of a link */

struct changing {
	struct subscription *subscription;
	const struct id_list *monitor_ids; /* NULL: do not change the systems */
	bool confirms, ends;
};

static enum result read_systems(struct service *service, struct subscription *subscription)
{
	struct db_list found = { 0 };
	enum result result = subscribers_systems(service->db, subscription->subscriber.page_id,
						 service->arena, &found, service->error);
	subscription->systems = found.rows;
	subscription->system_count = found.count;
	if (subscription->subscriber.type == SUBSCRIBER_WEBHOOK) {
		subscription->secret =
			notice_secret(&subscription->key, subscription->id, service->arena);
		subscription->public_key = webhook_public_key(&subscription->key, service->arena);
	}
	return result;
}

/* Finds the subscription by its signed id, and the page of the subscription. Ignores the slug in
 * the link, because it may be a former slug, and links in old messages must work for ever. */
static enum result find(struct service *service, struct subscription *subscription, bool for_update)
{
	const struct subscriber_place place = { .id = subscription->id, .for_update = for_update };
	enum result result = subscriber_find(service->db, &place, service->arena,
					     &subscription->subscriber, service->error);
	const struct page_link_owner owner = { .page_id = subscription->subscriber.page_id };
	return result == OK ? page_link_owner_find(service->db, &owner, service->arena,
						   &subscription->page, service->error)
			    : result;
}

enum result service_show_subscription(struct service *service, struct subscription *subscription)
{
	enum result result = find(service, subscription, false);
	return result == OK ? read_systems(service, subscription) : result;
}

static enum result change_work(struct service *service, void *context)
{
	const struct changing *changing = context;
	struct subscription *subscription = changing->subscription;
	enum result result = find(service, subscription, true);
	if (result == OK && changing->ends)
		return subscriber_delete(service->db, subscription->id, service->error);
	bool is_new = result == OK && (subscription->subscriber.confirmed_at.s == 0 ||
				       subscription->subscriber.suspended_at.s > 0);
	if (result == OK && changing->confirms && is_new) {
		result = subscriber_confirm(service->db, subscription->id, service->now,
					    service->error);
		subscription->subscriber.confirmed_at = service->now;
	}
	if (result == OK && changing->monitor_ids)
		result = service_put_subscriber_monitors(service, *changing->monitor_ids,
							 &subscription->subscriber);
	return result == OK ? read_systems(service, subscription) : result;
}

static enum result change(struct service *service, struct changing *changing)
{
	return service_transact(service, PERMISSION_NONE, change_work, changing, NULL);
}

enum result service_confirm_subscription(struct service *service, struct subscription *subscription)
{
	return change(service,
		      &(struct changing){ .subscription = subscription, .confirms = true });
}

enum result service_change_subscription(struct service *service, const struct id_list *monitor_ids,
					struct subscription *subscription)
{
	return change(service, &(struct changing){ .subscription = subscription,
						   .monitor_ids = monitor_ids });
}

enum result service_end_subscription(struct service *service, struct subscription *subscription)
{
	enum result result =
		change(service, &(struct changing){ .subscription = subscription, .ends = true });
	return result == E_NOT_FOUND ? OK : result;
}
