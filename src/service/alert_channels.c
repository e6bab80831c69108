#include "service/alert_channels.h"

#include <string.h>

#include "base/secret.h"
#include "notify/channel_value.h"
#include "notify/courier.h"
#include "notify/webhook_signature.h"
#include "store/notify/notice.h"
#include "store/notify/subscriber.h"

static void add_event(struct service *service, const struct alert_channel *channel,
		      enum event_kind kind)
{
	service_add_event(service, &(struct event_change){
					   .kind = kind,
					   .account_id = channel->account_id,
					   .object_id = channel->id,
					   .detail = channel->name,
				   });
}

/* A new channel, or a change of a channel. */
struct changing {
	int64_t id; /* 0: a new channel */
	struct alert_channel_input input;
	struct field_set sent;
	struct signing_key key;
	struct alert_channel *channel;
};

#define IS_SENT(name) field_set_has(changing->sent, ALERT_CHANNEL_FIELD_##name)

/* Applies the input to the channel, checks the changed channel, and encrypts its value. The value
 * of the channel must be decrypted. */
static enum result apply(struct service *service, const struct changing *changing)
{
	struct alert_channel *channel = changing->channel;
	int type = channel->type;
	alert_channel_merge(channel, &changing->input, changing->sent);
	if (IS_SENT(value) || channel->type != type || changing->id == 0)
		alert_channel_merge_value(channel,
					  IS_SENT(value) ? &changing->input.value
							 : &(struct alert_channel_value){ 0 },
					  channel->type != type, service->now, service->arena);
	channel->updated_at = service->now;
	channel->suspended_at = (struct instant){ 0 };
	channel->suspension = NULL;
	alert_channel_check_whole(channel, service->violations);
	if (service->violations->count > 0)
		return E_INVALID;
	return channel_value_seal(channel, &changing->key, service->arena, service->error);
}

static enum result add_work(struct service *service, void *context)
{
	const struct changing *changing = context;
	struct alert_channel *channel = changing->channel;
	struct alert_channel_list before = { 0 };
	const int64_t account_id = channel->account_id;
	*channel = (struct alert_channel){ .account_id = account_id,
					   .is_enabled = true,
					   .created_at = service->now };
	enum result result = alert_channels_after(service->db, account_id, 0, service->arena,
						  &before, service->error);
	if (result == OK && before.count >= ALERT_CHANNELS_OF_ACCOUNT_MAX) {
		violations_add(service->violations, "alert_channels",
			       "The account may have at most %d alert channels.",
			       ALERT_CHANNELS_OF_ACCOUNT_MAX);
		return E_QUOTA_EXCEEDED;
	}
	if (result == OK)
		result = apply(service, changing);
	if (result == OK)
		result = alert_channel_add(service->db, channel, service->error);
	if (result == OK)
		add_event(service, channel, EVENT_CHANNEL_CREATED);
	alert_channel_hide(channel);
	return result;
}

static enum result begin_change(struct service *service, struct changing *changing,
				struct fields form)
{
	alert_channel_check(&changing->input, form, changing->sent, service->arena,
			    service->violations);
	return service_read_key(service, &changing->key);
}

enum result service_add_alert_channel(struct service *service, int64_t account_id,
				      const struct alert_channel_input *input,
				      struct field_set sent, struct alert_channel *channel)
{
	struct changing changing = { .input = *input, .sent = sent, .channel = channel };
	channel->account_id = account_id;
	enum result result = begin_change(service, &changing, alert_channel_create_fields);
	if (result == OK)
		result = service_admit(service, NULL);
	return result == OK
		       ? service_transact(service, PERMISSION_MANAGE, add_work, &changing, channel)
		       : result;
}

/* Locks the channel, and decrypts its value. service_admit() then checks the request against the
 * channel without its secrets. */
static enum result find(struct service *service, const struct changing *changing)
{
	struct alert_channel *channel = changing->channel;
	enum result result = alert_channel_find(service->db, service->principal.account_id,
						changing->id, true, service->arena, channel,
						service->error);
	if (result != OK)
		return result;
	/* If the value was encrypted with another key, it becomes empty. apply() then requires a
	 * new value. */
	channel_value_open(&channel->value, channel->account_id, channel->sealed_value,
			   &changing->key, service->arena);
	struct alert_channel shown = *channel;
	alert_channel_hide(&shown);
	return service_admit(service, &shown);
}

static enum result update_work(struct service *service, void *context)
{
	const struct changing *changing = context;
	struct alert_channel *channel = changing->channel;
	enum result result = find(service, changing);
	if (result == OK)
		result = apply(service, changing);
	if (result == OK)
		result = alert_channel_put(service->db, channel, service->error);
	if (result == OK)
		result = channel->is_enabled ? deliveries_resume(service->db, channel->id,
								 service->now, service->error)
					     : deliveries_suspend(service->db, channel->id,
								  service->now, service->error);
	if (result == OK)
		add_event(service, channel, EVENT_CHANNEL_UPDATED);
	alert_channel_hide(channel);
	return result;
}

enum result service_update_alert_channel(struct service *service, int64_t id,
					 const struct alert_channel_input *input,
					 struct field_set sent, struct alert_channel *channel)
{
	struct changing changing = { .id = id, .input = *input, .sent = sent, .channel = channel };
	enum result result = begin_change(service, &changing, alert_channel_update_fields);
	return result == OK ? service_transact(service, PERMISSION_MANAGE, update_work, &changing,
					       channel)
			    : result;
}

static enum result delete_work(struct service *service, void *context)
{
	const struct changing *changing = context;
	enum result result = find(service, changing);
	if (result == OK)
		result = alert_channel_delete(service->db, changing->id, service->error);
	if (result == OK)
		add_event(service, changing->channel, EVENT_CHANNEL_DELETED);
	return result;
}

enum result service_delete_alert_channel(struct service *service, int64_t id,
					 struct alert_channel *channel)
{
	struct changing changing = { .id = id, .channel = channel };
	enum result result = service_read_key(service, &changing.key);
	return result == OK ? service_transact(service, PERMISSION_MANAGE, delete_work, &changing,
					       channel)
			    : result;
}

enum result alert_channels_present(struct service *service, struct alert_channel *rows,
				   size_t count)
{
	struct signing_key key;
	enum result result = count > 0 ? service_read_key(service, &key) : OK;
	for (size_t i = 0; result == OK && i < count; i++) {
		channel_value_open(&rows[i].value, rows[i].account_id, rows[i].sealed_value, &key,
				   service->arena);
		alert_channel_hide(&rows[i]);
	}
	return result;
}

const char *service_webhook_key(struct service *service)
{
	struct signing_key key;
	/* Only load the key: do not create another key if the pages folder is missing. */
	return service->config->has_outbox && signing_key_load(service->config->pages_dir, &key)
		       ? webhook_public_key(&key, service->arena)
		       : NULL;
}

/* Testing */

#define TEST(member, ...) FIELD(struct alert_test, member, __VA_ARGS__)
static const struct field test_rows[] = {
	TEST(is_accepted, .text = "Whether the receiver has accepted the message."),
	TEST(status, .flags = FIELD_ZERO_IS_NULL, .max = 999,
	     .text = "The status of its response; null: none came."),
	TEST(response, .text = "What the receiver said, or why there was no response."),
};
const struct fields alert_test_fields = { test_rows, ARRAY_LEN(test_rows) };

enum result service_test_alert_channel(struct service *service, int64_t id, struct alert_test *test)
{
	struct alert_channel channel;
	struct signing_key key;
	struct courier *courier = NULL;
	if (!principal_may(&service->principal, PERMISSION_MANAGE))
		return E_FORBIDDEN;
	enum result result = alert_channel_find(service->db, service->principal.account_id, id,
						false, service->arena, &channel, service->error);
	if (result == OK)
		result = service_read_key(service, &key);
	if (result != OK)
		return result;
	*test = (struct alert_test){ .response = "the value of the channel cannot be decrypted" };
	if (!channel_value_open(&channel.value, channel.account_id, channel.sealed_value, &key,
				service->arena))
		return OK;
	result = courier_open(&courier, service->config, COURIER_TEST_LIMIT_S, service->error);
	if (result != OK)
		return result;
	if (service->caller && service->caller->pause)
		service->caller->pause(service->caller_context);
	struct alert alert = alert_of_test(service->now, service->arena);
	struct courier_outcome outcome;
	courier_send(courier, &channel, &alert, &key, service->arena, &outcome);
	courier_close(courier);
	*test = (struct alert_test){ outcome.result.is_accepted, outcome.result.status,
				     outcome.response };
	return OK;
}

struct retrying {
	int64_t id;
	struct delivery *delivery;
};

/* Checks that a message may be sent again. It must not be queued, and its subscriber must be
 * confirmed. It must not be a request to confirm a subscription: only visitors may cause such
 * requests. */
static enum result admit_notice(struct service *service, const struct delivery *delivery)
{
	const struct subscriber_place place = { .id = delivery->subscriber_id };
	struct subscriber subscriber;
	enum result result =
		subscriber_find(service->db, &place, service->arena, &subscriber, service->error);
	if (result != OK)
		return result;
	if (delivery->state == DELIVERY_QUEUED)
		return error_client(service->error, E_CONFLICT, "The message waits to be sent.");
	return subscriber.state == SUBSCRIBER_CONFIRMED && strcmp(delivery->kind, NOTICE_ASKS) != 0
		       ? OK
		       : error_client(service->error, E_CONFLICT,
				      "The subscriber takes no messages now.");
}

static enum result retry_work(struct service *service, void *context)
{
	const struct retrying *retrying = context;
	int64_t account_id = service->principal.account_id;
	enum result result = delivery_find(service->db, account_id, retrying->id, true,
					   service->arena, retrying->delivery, service->error);
	if (result == OK)
		result = service_admit(service, retrying->delivery);
	if (result == OK && retrying->delivery->subscriber_id > 0)
		result = admit_notice(service, retrying->delivery);
	if (result == OK)
		result = delivery_retry(service->db, retrying->id, service->now, service->error);
	return result == OK ? delivery_find(service->db, account_id, retrying->id, false,
					    service->arena, retrying->delivery, service->error)
			    : result;
}

enum result service_retry_delivery(struct service *service, int64_t id, struct delivery *delivery)
{
	struct retrying retrying = { id, delivery };
	return service_transact(service, PERMISSION_RESPOND, retry_work, &retrying, delivery);
}
