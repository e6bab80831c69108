#include "domain/notify/delivery.h"

#include "base/attr.h"
#include "base/backoff.h"
#include "domain/event.h"

const char *const delivery_state_words[] = { "queued",	  "sent",      "failed",
					     "suspended", "withdrawn", NULL };

#define DELIVERY(member, ...) FIELD(struct delivery, member, __VA_ARGS__)
/* clang-format off */
#define RESOURCE_ROWS \
	DELIVERY(id, .min = 1, .max = INT64_MAX), \
	DELIVERY(channel_id, .flags = FIELD_ZERO_IS_NULL, .max = INT64_MAX, \
		 .text = "The alert channel; null: the message is for a subscriber."), \
	DELIVERY(channel_name, .text = "The name of the channel."), \
	DELIVERY(subscriber_id, .flags = FIELD_ZERO_IS_NULL, .max = INT64_MAX, \
		 .text = "The subscriber of a page; null: the message is for a channel."), \
	DELIVERY(kind, .flags = FIELD_NOT_EMPTY, .choices = event_kind_words, \
		 .text = "What happened, as in the list of events."), \
	DELIVERY(object_id, .max = INT64_MAX, \
		 .text = "The incident, maintenance window or monitor to which it happened."), \
	DELIVERY(state, .flags = FIELD_AS_WORD, .choices = delivery_state_words, \
		 .text = "queued: to be sent, or to be tried again. sent: the receiver has " \
			 "accepted the message. failed: the message is not tried again. " \
			 "suspended: the receiver refuses the channel, or the channel is " \
			 "disabled. withdrawn: what the message says was over before it was " \
			 "sent."), \
	DELIVERY(tries, .max = INT64_MAX, .text = "How often the message was sent."), \
	DELIVERY(status, .flags = FIELD_ZERO_IS_NULL, .max = 999, \
		 .text = "The status of the last response; null: none came."), \
	DELIVERY(response, .text = "What the receiver said last, or why no response came."), \
	DELIVERY(created_at, .flags = FIELD_NOT_EMPTY), \
	DELIVERY(due_at, .text = "When the message is sent next; null: it is not."), \
	DELIVERY(tried_at, .text = "When the message was sent last; null: never.")
/* clang-format on */
static const struct field resource_rows[] = { RESOURCE_ROWS };
static const struct field operator_rows[] = { RESOURCE_ROWS, DELIVERY(account_id),
					      DELIVERY(subscriber_address) };
const struct fields delivery_resource_fields = { resource_rows, ARRAY_LEN(resource_rows) };
const struct fields delivery_fields = { operator_rows, ARRAY_LEN(operator_rows) };

/* Returns whether the receiver may accept the same message later. */
static bool may_pass(const struct delivery_try *result)
{
	int status = result->status;
	/* The replies 53x concern the login at our own mail server (RFC 4954), not the receiver. */
	if (result->is_mail)
		return status < 500 || (status >= 530 && status < 540);
	return status == 0 || status == 408 || status == 425 || status == 429 || status >= 500;
}

struct delivery_verdict delivery_judge(const struct delivery_try *result, int64_t tries,
				       int64_t age_s, uint32_t random)
{
	static const struct backoff_rule rule = { 5000, 3600000, BACKOFF_SPREAD };
	int status = result->status;
	if (result->is_accepted)
		return (struct delivery_verdict){ .state = DELIVERY_SENT };
	if (!result->is_mail && (status == 401 || status == 403 || status == 404 || status == 410))
		return (struct delivery_verdict){ .state = DELIVERY_SUSPENDED,
						  .suspends_channel = true };
	if (result->is_final || !may_pass(result))
		return (struct delivery_verdict){ .state = DELIVERY_FAILED };
	int64_t wait_s = backoff_wait_ms(&rule, (unsigned)tries, random) / 1000;
	if (wait_s < result->retry_after_s)
		wait_s = result->retry_after_s;
	if (wait_s < 1)
		wait_s = 1;
	if (age_s + wait_s > DELIVERY_TRIED_S)
		return (struct delivery_verdict){ .state = DELIVERY_FAILED };
	return (struct delivery_verdict){ .state = DELIVERY_QUEUED, .wait_s = wait_s };
}
