/* The operations on alert channels and deliveries (contract section 14). */
#ifndef SERVICE_ALERT_CHANNELS_H
#define SERVICE_ALERT_CHANNELS_H

#include "domain/notify/delivery.h"
#include "service/service.h"
#include "store/notify/alert_channel.h"

/* The most alert channels of an account. */
enum { ALERT_CHANNELS_OF_ACCOUNT_MAX = 100 };

/*
 * Adds a channel to the account. `sent`: which rows of alert_channel_create_fields the request has.
 * *channel is the stored channel, without secrets. E_INVALID; E_QUOTA_EXCEEDED, with a violation at
 * "alert_channels"; E_NOT_FOUND. E_FAILED and E_UNAVAILABLE: the installation's key cannot be read.
 */
enum result service_add_alert_channel(struct service *service, int64_t account_id,
				      const struct alert_channel_input *input,
				      struct field_set sent, struct alert_channel *channel)
	MUST_USE;
/*
 * Changes a channel. `sent`: which rows of alert_channel_update_fields the request has. Ends a
 * suspension, and queues the suspended deliveries of the last day. Has the same results as
 * service_add_alert_channel().
 */
enum result service_update_alert_channel(struct service *service, int64_t id,
					 const struct alert_channel_input *input,
					 struct field_set sent, struct alert_channel *channel)
	MUST_USE;
/* Deletes the channel and its deliveries. E_NOT_FOUND. */
enum result service_delete_alert_channel(struct service *service, int64_t id,
					 struct alert_channel *channel) MUST_USE;

/* The receiver's response to a test message. */
struct alert_test {
	bool is_accepted;
	int64_t status;	      /* 0: no response came */
	const char *response; /* the receiver's message, or the reason why there was no response */
};
extern const struct fields alert_test_fields;
/* Sends a test message now, even if the channel is disabled or suspended. Does not change the
 * channel. */
enum result service_test_alert_channel(struct service *service, int64_t id, struct alert_test *test)
	MUST_USE;

/*
 * Queues a message again, due now, whatever its state. A message to a subscriber has two
 * conditions, otherwise E_CONFLICT:
 * - It must not be queued yet.
 * - The subscriber must be confirmed, and the message must not ask for a confirmation.
 */
enum result service_retry_delivery(struct service *service, int64_t id, struct delivery *delivery)
	MUST_USE;

/* Sets row.value of each channel: decrypts the stored value, and hides the secrets in it. */
enum result alert_channels_present(struct service *service, struct alert_channel *rows,
				   size_t count) MUST_USE;

/* Returns the public key with which receivers verify webhooks (notify/webhook_signature.h); NULL:
 * the installation sends no messages, or has no key yet. */
const char *service_webhook_key(struct service *service);

#endif
