/* Makes the bodies of requests. Each service that has a JSON format of its own has a function. */
#ifndef NOTIFY_CHANNEL_BODY_H
#define NOTIFY_CHANNEL_BODY_H

#include "notify/channel_request.h"

/* The arguments and the result of these functions. They may set the URL and add headers. */
struct making {
	const struct alert_channel *channel;
	const struct alert *alert;
	struct instant now;
	struct arena *arena;
	struct channel_request *request;
	size_t header_count;
};
void making_add_header(struct making *making, const char *header);

struct json_object;
typedef struct json_object *make_body(struct making *making);
make_body webhook_body, slack_body, teams_body, discord_body, mattermost_body, telegram_body,
	ntfy_body, pagerduty_body, google_chat_body;

#endif
