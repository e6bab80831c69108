#include "notify/courier.h"

#include <stdlib.h>

#include "base/memory.h"
#include "probe/address.h"

struct courier {
	struct http_client *client;
	int limit_s;
};

enum result courier_open(struct courier **courier, const struct config *config, struct error *error)
{
	struct courier *opened = memory_needed(calloc(1, sizeof(*opened)));
	opened->limit_s = COURIER_LIMIT_S;
	enum result result = http_client_open(&opened->client, config->check_ca_file, error);
	if (result != OK) {
		free(opened);
		opened = NULL;
	} else if (!config->check_allow_private) {
		http_client_guard(opened->client, address_is_public);
	}
	*courier = opened;
	return result;
}

void courier_close(struct courier *courier)
{
	if (!courier)
		return;
	http_client_close(courier->client);
	free(courier);
}

void courier_limit(struct courier *courier, int limit_s)
{
	courier->limit_s = limit_s;
}

void courier_send(struct courier *courier, const struct alert_channel *channel,
		  const struct alert *alert, struct arena *arena, struct courier_outcome *outcome)
{
	struct channel_request request;
	struct http_client_response response = { 0 };
	struct error error = { 0 };
	*outcome = (struct courier_outcome){ .response = "no memory for the message" };
	if (!channel_request_make(channel, alert, clock_now(), arena, &request))
		return;
	const struct http_client_request sent = {
		.method = "POST",
		.url = request.url,
		.headers = request.headers,
		.body = request.body,
		.timeout_s = courier->limit_s,
		.limit_s = courier->limit_s,
		.response_max = CHANNEL_RESPONSE_MAX_BYTES,
	};
	if (http_client_send(courier->client, &sent, arena, &response, &error) == OK) {
		outcome->result = channel_response_judge(channel, &response);
		outcome->response = channel_response_words(channel, response.body, arena);
	} else {
		outcome->response =
			channel_response_words(channel, str_from(error_text(&error)), arena);
	}
}
