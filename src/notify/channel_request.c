#include "notify/channel_request.h"

#include <string.h>

#include "base/buf.h"
#include "base/secret.h"
#include "notify/channel_body.h"
#include "notify/channel_template.h"
#include "wire/json.h"

void making_add_header(struct making *making, const char *header)
{
	making->request->headers[making->header_count++] = header;
}

/* The webhook's signature, of the body that is sent (Standard Webhooks 1.0.2). */
static void sign(struct making *making)
{
	const char *secret = making->channel->value.secret, *id = making->alert->id;
	const char *start = arena_printf(making->arena, "%s.%lld.", id, (long long)making->now.s);
	const struct str pieces[] = { str_from(start), making->request->body };
	char mac[SECRET_MAC_SIZE];
	making_add_header(making, arena_printf(making->arena, "webhook-id: %s", id));
	making_add_header(making, arena_printf(making->arena, "webhook-timestamp: %lld",
					       (long long)making->now.s));
	if (secret &&
	    secret_mac(str_from(secret + strlen("whsec_")), pieces, ARRAY_LEN(pieces), mac))
		making_add_header(making,
				  arena_printf(making->arena, "webhook-signature: v1,%s", mac));
}

/* In the order of enum alert_channel_type. */
static const struct {
	make_body *body; /* NULL: the template of the channel */
	bool is_signed;
} services[ALERT_CHANNEL_TYPES] = {
	[ALERT_WEBHOOK] = { webhook_body, true },
	[ALERT_SLACK] = { slack_body, false },
	[ALERT_TEAMS] = { teams_body, false },
	[ALERT_DISCORD] = { discord_body, false },
	[ALERT_MATTERMOST] = { mattermost_body, false },
	[ALERT_TELEGRAM] = { telegram_body, false },
	[ALERT_NTFY] = { ntfy_body, false },
	[ALERT_PAGERDUTY] = { pagerduty_body, false },
	[ALERT_GOOGLE_CHAT] = { google_chat_body, false },
};

bool channel_request_make(const struct alert_channel *channel, const struct alert *alert,
			  struct instant now, struct arena *arena, struct channel_request *request)
{
	struct making making = { channel, alert, now, arena, request, 0 };
	struct buf out CLEANUP(buf_done) = BUF_INIT(CHANNEL_BODY_MAX_BYTES);
	*request = (struct channel_request){ .url = channel->value.url };
	if (services[channel->type].body) {
		struct json_object *body = services[channel->type].body(&making);
		json_print(&out, body);
		json_free(body);
	} else {
		channel_template_fill(channel->value.body, alert, &out);
	}
	if (!buf_ok(&out))
		return false;
	request->body =
		(struct str){ arena_strndup(arena, out.data ? out.data : "", out.len), out.len };
	making_add_header(&making, "Content-Type: application/json");
	/* libcurl would ask before it sends the body, and wait a second for servers that say
	 * nothing. */
	making_add_header(&making, "Expect:");
	if (services[channel->type].is_signed)
		sign(&making);
	return true;
}
