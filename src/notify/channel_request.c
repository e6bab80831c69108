#include "notify/channel_request.h"

#include <string.h>

#include "base/buf.h"
#include "notify/channel_body.h"
#include "notify/webhook_signature.h"
#include "wire/json.h"

enum { CHANNEL_BODY_MAX_BYTES = 4 << 20 };

void making_add_header(struct making *making, const char *header)
{
	making->request->headers[making->header_count++] = header;
}

/* Returns the former secret for ALERT_CHANNEL_FORMER_S seconds after a new secret has replaced it;
 * later NULL. */
static const char *former_secret(const struct alert_channel_value *value, struct instant now)
{
	struct instant rotated_at;
	bool is_known = instant_parse(str_from(value->rotated_at), &rotated_at);
	return is_known && now.s - rotated_at.s < ALERT_CHANNEL_FORMER_S ? value->former_secret
									 : NULL;
}

/* Adds the headers of a webhook, with the signatures of the body. */
static void sign(struct making *making, const struct signing_key *key)
{
	const struct alert_channel_value *value = &making->channel->value;
	const char *const secrets[] = { value->secret, former_secret(value, making->now) };
	const struct webhook_message message = { making->alert->id, making->now,
						 making->request->body };
	const char *signature = webhook_signature(&message, secrets, key, making->arena);
	making_add_header(making, arena_printf(making->arena, "webhook-id: %s", message.id));
	making_add_header(making, arena_printf(making->arena, "webhook-timestamp: %lld",
					       (long long)message.at.s));
	making_add_header(making, arena_printf(making->arena, "webhook-signature: %s", signature));
}

/* Indexed by enum alert_channel_type. */
static const struct {
	make_body *body; /* NULL: use the template of the channel */
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

/* Adds the text in the escaped form that it has in a JSON string, without the quotes. */
static void add_escaped(struct buf *out, const char *text)
{
	struct json_object *array = json_array_tree();
	struct buf printed CLEANUP(buf_done) = BUF_INIT(CHANNEL_BODY_MAX_BYTES);
	json_append_text(array, text);
	json_print(&printed, array);
	json_free(array);
	if (buf_ok(&printed) && printed.len >= 4)
		buf_add(out, printed.data + 2, printed.len - 4);
	else
		out->is_failed = true;
}

/* Appends the text that replaces {{name}} in a template. For the name "title" this is the title of
 * the alert. Returns false if the name is unknown. */
static bool add_word(struct buf *out, struct str name, const struct alert *alert)
{
	char at[INSTANT_TEXT_SIZE];
	const struct {
		const char *name, *text;
	} words[] = {
		{ "title", alert->title },
		{ "text", alert->text },
		{ "event", alert->kind },
		{ "systems", alert->systems },
		{ "cause", alert->cause },
		{ "url", alert->url ? alert->url : "" },
		{ "id", alert->id },
		{ "at", instant_format(alert->at, at) },
		{ "dependents", alert->dependents },
	};
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (str_eq(name, str_from(words[i].name))) {
			add_escaped(out, words[i].text);
			return true;
		}
	return false;
}

/*
 * Appends the operator's template of a custom channel. Replaces {{title}} and the other names by
 * texts of the alert, escaped for a JSON string. Keeps unknown names. The buffer fails if memory is
 * short.
 */
static void fill_template(const char *template, const struct alert *alert, struct buf *out)
{
	for (const char *at = template; at && *at;) {
		const char *open = strstr(at, "{{"), *close = open ? strstr(open, "}}") : NULL;
		if (!close) {
			buf_puts(out, at);
			return;
		}
		const struct str name = { open + 2, (size_t)(close - open - 2) };
		buf_add(out, at, (size_t)(open - at));
		if (!add_word(out, str_trim(name), alert))
			buf_add(out, open, (size_t)(close + 2 - open));
		at = close + 2;
	}
}

bool channel_request_make(const struct alert_channel *channel, const struct alert *alert,
			  const struct signing_key *key, struct instant now, struct arena *arena,
			  struct channel_request *request)
{
	struct making making = { channel, alert, now, arena, request, 0 };
	struct buf out CLEANUP(buf_done) = BUF_INIT(CHANNEL_BODY_MAX_BYTES);
	*request = (struct channel_request){ .url = channel->value.url };
	if (services[channel->type].body) {
		struct json_object *body = services[channel->type].body(&making);
		json_print(&out, body);
		json_free(body);
	} else {
		fill_template(channel->value.body, alert, &out);
	}
	if (!buf_ok(&out))
		return false;
	request->body =
		(struct str){ arena_strndup(arena, out.data ? out.data : "", out.len), out.len };
	making_add_header(&making, "Content-Type: application/json");
	/* Remove the Expect header of libcurl: with this header libcurl waits up to a second for
	 * the server's permission to send the body. */
	making_add_header(&making, "Expect:");
	if (services[channel->type].is_signed)
		sign(&making, key);
	return true;
}
