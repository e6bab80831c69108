#include "notify/channel_request.h"

#include <string.h>

#include "base/buf.h"
#include "base/secret.h"
#include "notify/channel_template.h"
#include "probe/excerpt.h"
#include "wire/json.h"
#include "wire/json_read.h"

#define ELLIPSIS "\u2026"
enum { RESPONSE_MAX_CHARS = 200, NTFY_DOWN = 5, NTFY_MINOR = 4, NTFY_OTHER = 3 };

/* What the makers of bodies work with. */
struct making {
	const struct alert_channel *channel;
	const struct alert *alert;
	struct instant now;
	struct arena *arena;
	struct channel_request *request;
	size_t header_count;
};

typedef struct json_object *make_body(struct making *making);

static void add_header(struct making *making, const char *header)
{
	making->request->headers[making->header_count++] = header;
}

/* The text, cut to so many characters (4 bytes each at most) and bytes. */
static const char *cut(const struct making *making, const char *text, size_t max_chars,
		       size_t max_bytes)
{
	size_t len = 0, chars = 0;
	for (; text[len] && chars < max_chars; chars++) {
		size_t next = len + 1;
		while ((text[next] & 0xc0) == 0x80)
			next++;
		if (next + strlen(ELLIPSIS) > max_bytes)
			break;
		len = next;
	}
	if (!text[len])
		return text;
	return arena_printf(making->arena, "%.*s" ELLIPSIS, (int)len, text);
}

static const char *cut_chars(const struct making *making, const char *text, size_t max_chars)
{
	return cut(making, text, max_chars, SIZE_MAX);
}

/* Title and text, of at most `max_chars` characters. */
static const char *plain(const struct making *making, const char *between, size_t max_chars)
{
	const struct alert *alert = making->alert;
	const char *text = arena_printf(making->arena, "%s%s%s", alert->title,
					*alert->text ? between : "", alert->text);
	return cut_chars(making, text, max_chars);
}

/* Whether the message is good news, bad news, or neither: 1, -1, 0. */
static int mood_of(const struct alert *alert)
{
	return alert->event == ALERT_UP ? 1 : alert->event == ALERT_DOWN ? -1 : 0;
}

/* The text with these characters replaced: Slack and Google Chat read & < > as markup. */
static const char *escaped(struct arena *arena, const char *text)
{
	struct buf out CLEANUP(buf_done) = BUF_INIT(CHANNEL_BODY_MAX_BYTES);
	for (; *text; text++)
		if (*text == '&')
			buf_puts(&out, "&amp;");
		else if (*text == '<')
			buf_puts(&out, "&lt;");
		else if (*text == '>')
			buf_puts(&out, "&gt;");
		else
			buf_putc(&out, *text);
	return buf_ok(&out) ? arena_strndup(arena, out.data, out.len) : "";
}

static struct json_object *text_body(const char *text)
{
	struct json_object *body = json_object_tree();
	json_put_text(body, "text", text);
	return body;
}

static struct json_object *section(const char *text)
{
	struct json_object *block = json_object_tree(), *inner = json_object_tree();
	json_put_text(block, "type", "section");
	json_put_text(inner, "type", "mrkdwn");
	json_put_text(inner, "text", text);
	json_put(block, "text", inner);
	return block;
}

static struct json_object *slack_body(struct making *making)
{
	enum { SECTION_MAX_CHARS = 2900 };
	const char *text = escaped(making->arena, plain(making, "\n", SECTION_MAX_CHARS));
	struct json_object *body = text_body(escaped(making->arena, making->alert->title)),
			   *blocks = json_array_tree();
	json_append(blocks, section(cut_chars(making, text, SECTION_MAX_CHARS)));
	json_put(body, "blocks", blocks);
	return body;
}

static struct json_object *text_block(const char *text, bool is_title)
{
	struct json_object *block = json_object_tree();
	json_put_text(block, "type", "TextBlock");
	json_put_text(block, "text", text);
	json_put_bool(block, "wrap", true);
	if (is_title)
		json_put_text(block, "weight", "Bolder");
	return block;
}

/* An adaptive card, of less than 20 KB: Teams counts more bytes than are sent. */
static struct json_object *teams_body(struct making *making)
{
	enum { TITLE_MAX_CHARS = 500, TEXT_MAX_CHARS = 4000 };
	const struct alert *alert = making->alert;
	struct json_object *body = json_object_tree(), *list = json_array_tree();
	struct json_object *attachment = json_object_tree(), *card = json_object_tree();
	struct json_object *blocks = json_array_tree(), *teams = json_object_tree();
	json_append(blocks, text_block(cut_chars(making, alert->title, TITLE_MAX_CHARS), true));
	if (*alert->text)
		json_append(blocks,
			    text_block(cut_chars(making, alert->text, TEXT_MAX_CHARS), false));
	json_put_text(card, "$schema", "http://adaptivecards.io/schemas/adaptive-card.json");
	json_put_text(card, "type", "AdaptiveCard");
	json_put_text(card, "version", "1.2");
	json_put(card, "body", blocks);
	json_put_text(teams, "width", "full");
	json_put(card, "msteams", teams);
	json_put_text(attachment, "contentType", "application/vnd.microsoft.card.adaptive");
	json_put_null(attachment, "contentUrl");
	json_put(attachment, "content", card);
	json_append(list, attachment);
	json_put_text(body, "type", "message");
	json_put(body, "attachments", list);
	return body;
}

static struct json_object *discord_body(struct making *making)
{
	enum { TITLE_MAX_CHARS = 256, TEXT_MAX_CHARS = 4000 };
	static const int64_t colours[] = { 0xd9403a, 0x2f6fdb, 0x2c8a4b };
	const struct alert *alert = making->alert;
	struct json_object *body = json_object_tree(), *embeds = json_array_tree();
	struct json_object *embed = json_object_tree(), *mentions = json_object_tree();
	const char *url = making->request->url;
	json_put_text(embed, "title", cut_chars(making, alert->title, TITLE_MAX_CHARS));
	if (*alert->text)
		json_put_text(embed, "description", cut_chars(making, alert->text, TEXT_MAX_CHARS));
	json_put_int(embed, "color", colours[mood_of(alert) + 1]);
	json_put_time(embed, "timestamp", alert->at);
	json_append(embeds, embed);
	json_put(body, "embeds", embeds);
	/* A name such as @everyone mentions nobody. */
	json_put(mentions, "parse", json_array_tree());
	json_put(body, "allowed_mentions", mentions);
	/* Otherwise a message that Discord does not keep is no error. */
	making->request->url =
		arena_printf(making->arena, "%s%cwait=true", url, strchr(url, '?') ? '&' : '?');
	return body;
}

static struct json_object *mattermost_body(struct making *making)
{
	enum { MAX_CHARS = 16000 };
	return text_body(plain(making, "\n", MAX_CHARS));
}

static struct json_object *telegram_body(struct making *making)
{
	enum { MAX_CHARS = 4000 };
	const struct alert_channel_value *value = &making->channel->value;
	struct json_object *body = json_object_tree(), *preview = json_object_tree();
	making->request->url = arena_printf(making->arena,
					    "https://api.telegram.org/bot%s/"
					    "sendMessage",
					    value->token);
	json_put_text(body, "chat_id", value->chat_id);
	json_put_text(body, "text", plain(making, "\n\n", MAX_CHARS));
	json_put_bool(preview, "is_disabled", true);
	json_put(body, "link_preview_options", preview);
	return body;
}

static struct json_object *ntfy_body(struct making *making)
{
	enum { TITLE_MAX_CHARS = 250, TEXT_MAX_BYTES = 3900 };
	const struct alert *alert = making->alert;
	const struct alert_channel_value *value = &making->channel->value;
	struct json_object *body = json_object_tree(), *tags = json_array_tree();
	const char *text = *alert->text ? alert->text : alert->title;
	making->request->url = value->server ? value->server : "https://ntfy.sh";
	if (value->token)
		add_header(making,
			   arena_printf(making->arena, "Authorization: Bearer %s", value->token));
	json_put_text(body, "topic", value->topic);
	json_put_text(body, "title", cut_chars(making, alert->title, TITLE_MAX_CHARS));
	json_put_text(body, "message", cut(making, text, SIZE_MAX, TEXT_MAX_BYTES));
	json_put_int(body, "priority",
		     mood_of(alert) >= 0 ? NTFY_OTHER
		     : alert->is_minor	 ? NTFY_MINOR
					 : NTFY_DOWN);
	json_append_text(tags, mood_of(alert) < 0   ? "rotating_light"
			       : mood_of(alert) > 0 ? "white_check_mark"
						    : "information_source");
	json_put(body, "tags", tags);
	return body;
}

/* Trigger, acknowledge and resolve of one incident have one key, so that repeats do no harm. */
static struct json_object *pagerduty_body(struct making *making)
{
	enum { SUMMARY_MAX_CHARS = 1000 };
	const struct alert *alert = making->alert;
	struct json_object *body = json_object_tree(), *payload = json_object_tree();
	struct json_object *details = json_object_tree();
	const char *action = alert->event == ALERT_UP				 ? "resolve"
			     : strcmp(alert->kind, "incident.acknowledged") == 0 ? "acknowledge"
										 : "trigger";
	making->request->url = "https://events.pagerduty.com/v2/enqueue";
	json_put_text(body, "routing_key", making->channel->value.routing_key);
	json_put_text(body, "event_action", action);
	json_put_text(body, "dedup_key", alert->subject);
	json_put_text(payload, "summary", cut_chars(making, alert->title, SUMMARY_MAX_CHARS));
	json_put_text(payload, "source", *alert->systems ? alert->systems : "daymark");
	json_put_text(payload, "severity",
		      alert->event != ALERT_DOWN ? "info"
		      : alert->is_minor		 ? "warning"
						 : "critical");
	json_put_time(payload, "timestamp", alert->at);
	json_put_text(details, "text", alert->text);
	json_put(payload, "custom_details", details);
	json_put(body, "payload", payload);
	return body;
}

static struct json_object *google_chat_body(struct making *making)
{
	enum { MAX_CHARS = 4000 };
	struct json_object *body = text_body(plain(making, "\n", MAX_CHARS));
	struct json_object *thread = json_object_tree();
	const char *url = making->request->url;
	json_put_text(thread, "threadKey", making->alert->subject);
	json_put(body, "thread", thread);
	making->request->url = arena_printf(
		making->arena, "%s%cmessageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD", url,
		strchr(url, '?') ? '&' : '?');
	return body;
}

static struct json_object *webhook_body(struct making *making)
{
	const struct alert *alert = making->alert;
	struct json_object *body = json_object_tree(), *data = NULL;
	struct error error = { 0 };
	if (!alert->payload || json_read_file(str_from(alert->payload), &data, &error) != OK)
		data = json_object_tree();
	json_put_text(data, "title", alert->title);
	json_put_text(body, "type", alert->kind);
	json_put_time(body, "timestamp", alert->at);
	json_put(body, "data", data);
	return body;
}

/* The webhook's signature, of the body that is sent (Standard Webhooks 1.0.2). */
static void sign(struct making *making)
{
	const char *secret = making->channel->value.secret, *id = making->alert->id;
	const char *start = arena_printf(making->arena, "%s.%lld.", id, (long long)making->now.s);
	const struct str pieces[] = { str_from(start), making->request->body };
	char mac[SECRET_MAC_SIZE];
	add_header(making, arena_printf(making->arena, "webhook-id: %s", id));
	add_header(making, arena_printf(making->arena, "webhook-timestamp: %lld",
					(long long)making->now.s));
	if (secret &&
	    secret_mac(str_from(secret + strlen("whsec_")), pieces, ARRAY_LEN(pieces), mac))
		add_header(making, arena_printf(making->arena, "webhook-signature: v1,%s", mac));
}

/* Success */

static bool says_ok(const struct http_client_response *response)
{
	return str_eq(str_trim(response->body), str_from("ok"));
}

static bool says_ok_in_json(const struct http_client_response *response)
{
	struct json_object *root = NULL;
	struct error error = { 0 };
	bool is_ok = false;
	if (json_read(response->body, &root, &error) != OK)
		return false;
	(void)json_truth(json_member(root, "ok"), &is_ok);
	json_free(root);
	return is_ok;
}

/* In the order of enum alert_channel_type. NULL: any response of 2xx is success. */
static const struct channel_service {
	make_body *body; /* NULL: the template of the channel */
	bool (*is_success)(const struct http_client_response *response);
	bool is_signed;
} services[ALERT_CHANNEL_TYPES] = {
	[ALERT_WEBHOOK] = { webhook_body, NULL, .is_signed = true },
	[ALERT_SLACK] = { slack_body, says_ok },
	[ALERT_TEAMS] = { teams_body, NULL },
	[ALERT_DISCORD] = { discord_body, NULL },
	[ALERT_MATTERMOST] = { mattermost_body, says_ok },
	[ALERT_TELEGRAM] = { telegram_body, says_ok_in_json },
	[ALERT_NTFY] = { ntfy_body, NULL },
	[ALERT_PAGERDUTY] = { pagerduty_body, NULL },
	[ALERT_GOOGLE_CHAT] = { google_chat_body, NULL },
	[ALERT_CUSTOM] = { NULL, NULL },
};

bool channel_request_make(const struct alert_channel *channel, const struct alert *alert,
			  struct instant now, struct arena *arena, struct channel_request *request)
{
	const struct channel_service *service = &services[channel->type];
	struct making making = { channel, alert, now, arena, request, 0 };
	struct buf out CLEANUP(buf_done) = BUF_INIT(CHANNEL_BODY_MAX_BYTES);
	*request = (struct channel_request){ .url = channel->value.url };
	if (service->body) {
		struct json_object *body = service->body(&making);
		json_print(&out, body);
		json_free(body);
	} else {
		channel_template_fill(channel->value.body, alert, &out);
	}
	if (!buf_ok(&out))
		return false;
	request->body =
		(struct str){ arena_strndup(arena, out.data ? out.data : "", out.len), out.len };
	add_header(&making, "Content-Type: application/json");
	if (service->is_signed)
		sign(&making);
	return true;
}

/* When the service wants the next try: the header, or a member of its JSON, in seconds. */
static int64_t retry_after_of(const struct http_client_response *response)
{
	struct json_object *root = NULL;
	struct error error = { 0 };
	int64_t s = response->retry_after_s;
	if (s > 0 || json_read(response->body, &root, &error) != OK)
		return s;
	struct json_object *told = json_member(root, "retry_after");
	if (!told)
		told = json_member(json_member(root, "parameters"), "retry_after");
	(void)json_number_up(told, &s);
	json_free(root);
	return s;
}

struct delivery_try channel_response_judge(const struct alert_channel *channel,
					   const struct http_client_response *response)
{
	const struct channel_service *service = &services[channel->type];
	struct delivery_try result = { .status = response->status };
	result.is_accepted = response->status >= 200 && response->status < 300 &&
			     (!service->is_success || service->is_success(response));
	if (!result.is_accepted)
		result.retry_after_s = retry_after_of(response);
	return result;
}

const char *channel_response_words(const struct alert_channel *channel, struct str body,
				   struct arena *arena)
{
	char text[DELIVERY_RESPONSE_MAX_BYTES];
	excerpt_print(text, sizeof(text), body, RESPONSE_MAX_CHARS);
	for (size_t i = 0; i < ALERT_CHANNEL_SECRETS; i++) {
		const char *secret = *FIELD_AT_CONST(
			&channel->value, &alert_channel_value_fields.rows[i], const char *);
		for (char *found = text; secret && (found = strstr(found, secret));)
			memset(found, '*', strlen(secret));
	}
	return arena_strdup(arena, text);
}
