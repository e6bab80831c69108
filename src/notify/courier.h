/* Sends alerts to channels, one at a time. Each thread needs a separate courier. */
#ifndef NOTIFY_COURIER_H
#define NOTIFY_COURIER_H

#include "base/config/config.h"
#include "notify/channel_request.h"

struct courier;

/* The longest time of a request. */
enum { COURIER_LIMIT_S = 30, COURIER_TEST_LIMIT_S = 10 };

/* Opens a courier, which ends each request after `limit_s` seconds. Returns E_FAILED if libcurl is
 * missing, or if the password of the mail server cannot be read. */
enum result courier_open(struct courier **courier, const struct config *config, int limit_s,
			 struct error *error) MUST_USE;
/* Makes the courier send requests to public addresses only, whatever the configuration says. */
void courier_guard(struct courier *courier);
/* Accepts NULL. */
void courier_close(struct courier *courier);

struct courier_outcome {
	struct delivery_try result;
	const char *response; /* the receiver's message, or the reason why there is no response */
};
/* Sends an alert. channel->value must be decrypted; `key` signs webhooks. Always sets *outcome; the
 * arena owns outcome->response. */
void courier_send(struct courier *courier, const struct alert_channel *channel,
		  const struct alert *alert, const struct signing_key *key, struct arena *arena,
		  struct courier_outcome *outcome);

/* Sends a complete mail. Bounces go to `sender`. */
void courier_send_mail(struct courier *courier, const char *sender, const char *to, struct str mail,
		       struct arena *arena, struct courier_outcome *outcome);
/* Sends a request to channel->value.url. Sets *body to the response's body, owned by the arena. */
void courier_send_request(struct courier *courier, const struct alert_channel *channel,
			  const struct channel_request *request, struct arena *arena,
			  struct courier_outcome *outcome, struct str *body);

#endif
