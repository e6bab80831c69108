/*
 * Makes the requests that bring messages to services, and judges the responses. A row of the table
 * in channel_request.c describes a service.
 */
#ifndef NOTIFY_CHANNEL_REQUEST_H
#define NOTIFY_CHANNEL_REQUEST_H

#include "access/signing_key.h"
#include "domain/notify/delivery.h"
#include "notify/alert.h"
#include "wire/http_client.h"

enum { CHANNEL_HEADERS_MAX = 6, CHANNEL_RESPONSE_MAX_BYTES = 64 * 1024 };

/* A request. The arena owns its texts. */
struct channel_request {
	const char *url;
	const char *headers[CHANNEL_HEADERS_MAX + 1];
	struct str body;
};
/* Makes the request. channel->value must be decrypted; `key` signs webhooks. Returns false if
 * memory is short. */
bool channel_request_make(const struct alert_channel *channel, const struct alert *alert,
			  const struct signing_key *key, struct instant now, struct arena *arena,
			  struct channel_request *request) MUST_USE;

/* Returns the outcome of an attempt, according to a complete response of the service. */
struct delivery_try channel_response_judge(const struct alert_channel *channel,
					   const struct http_client_response *response);

/* Returns the new id of the channel's chat if the response says that the id has changed (Telegram);
 * otherwise NULL. */
const char *channel_response_moved(const struct alert_channel *channel,
				   const struct http_client_response *response,
				   struct arena *arena);

/* Returns the service's message for people: one line of printable text. Secrets of the channel are
 * hidden. */
const char *channel_response_words(const struct alert_channel *channel, struct str body,
				   struct arena *arena);

#endif
