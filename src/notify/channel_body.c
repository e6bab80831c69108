#include "notify/channel_body.h"

#include <string.h>

#include "base/str.h"
#include "notify/channel_text.h"
#include "wire/json.h"
#include "wire/json_read.h"

/* U+200B, an invisible space. Inside "@everyone" it keeps the service from notifying everyone. */
#define BREAK "\u200b"
/* A longer address of an incident is omitted to save room for the text. Addresses of pages are
 * shorter. */
enum { URL_MAX_BYTES = 1000 };

static const char *fitted(const struct making *making, const char *text, size_t units, size_t bytes)
{
	const struct channel_text_rule rule = { units, bytes, { { 0 } } };
	return channel_text(making->arena, text, &rule);
}

/* Returns the text, and the incident's address in a separate line. If they are too long together,
 * cuts only the text. */
static const char *with_url(const struct making *making, const char *text,
			    const struct channel_text_rule *rule)
{
	const char *url = making->alert->url;
	struct channel_text_rule rest = *rule;
	size_t len = url ? strlen(url) + strlen("\n") : 0;
	if (!url || len > URL_MAX_BYTES)
		return channel_text(making->arena, text, rule);
	rest.units -= rest.units > len ? len : 0;
	rest.bytes -= rest.bytes > len ? len : 0;
	return arena_printf(making->arena, "%s\n%s", channel_text(making->arena, text, &rest), url);
}

/* Returns title, text and address as one text. */
static const char *whole(const struct making *making, const char *between,
			 const struct channel_text_rule *rule)
{
	const struct alert *alert = making->alert;
	const char *text = arena_printf(making->arena, "%s%s%s", alert->title,
					*alert->text ? between : "", alert->text);
	return with_url(making, text, rule);
}

/* Returns the URL of `path` below the channel's server, or below `initial` if the channel has no
 * server. The server's URL may end in a slash. */
static const char *below(const struct making *making, const char *initial, const char *path)
{
	const char *server = making->channel->value.server;
	struct str start = str_from(server ? server : initial);
	while (start.len > 0 && start.data[start.len - 1] == '/')
		start.len--;
	return arena_printf(making->arena, "%.*s%s", (int)start.len, start.data, path);
}

/* Returns the address of the hook with one more parameter. */
static const char *with_parameter(const struct making *making, const char *parameter)
{
	const char *url = making->request->url;
	return arena_printf(making->arena, "%s%c%s", url, strchr(url, '?') ? '&' : '?', parameter);
}

/* Returns 1 for good news, -1 for bad news, and 0 for other messages. */
static int mood_of(const struct alert *alert)
{
	return alert->event == ALERT_UP ? 1 : alert->event == ALERT_DOWN ? -1 : 0;
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

struct json_object *slack_body(struct making *making)
{
	static const struct channel_text_rule escapes = {
		3000, 0, { { '&', "&amp;" }, { '<', "&lt;" }, { '>', "&gt;" } }
	};
	const char *text = whole(making, "\n", &escapes);
	struct json_object *body =
		text_body(channel_text(making->arena, making->alert->title, &escapes));
	struct json_object *blocks = json_array_tree();
	json_append(blocks, section(text));
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

/* Returns an adaptive card of less than 20 KB. Teams counts more bytes for a card than the body of
 * the request has. */
struct json_object *teams_body(struct making *making)
{
	enum { TITLE_MAX = 500, TITLE_MAX_BYTES = 2000, TEXT_MAX = 4000, TEXT_MAX_BYTES = 16000 };
	const struct alert *alert = making->alert;
	struct json_object *body = json_object_tree(), *list = json_array_tree();
	struct json_object *attachment = json_object_tree(), *card = json_object_tree();
	struct json_object *blocks = json_array_tree(), *teams = json_object_tree();
	json_append(blocks,
		    text_block(fitted(making, alert->title, TITLE_MAX, TITLE_MAX_BYTES), true));
	if (*alert->text)
		json_append(
			blocks,
			text_block(fitted(making, alert->text, TEXT_MAX, TEXT_MAX_BYTES), false));
	if (alert->url)
		json_append(blocks, text_block(alert->url, false));
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

struct json_object *discord_body(struct making *making)
{
	enum { TITLE_MAX = 256, TEXT_MAX = 4000 };
	static const int64_t colours[] = { 0xd9403a, 0x2f6fdb, 0x2c8a4b };
	const struct alert *alert = making->alert;
	struct json_object *body = json_object_tree(), *embeds = json_array_tree();
	struct json_object *embed = json_object_tree(), *mentions = json_object_tree();
	json_put_text(embed, "title", fitted(making, alert->title, TITLE_MAX, 0));
	if (*alert->text)
		json_put_text(embed, "description", fitted(making, alert->text, TEXT_MAX, 0));
	if (alert->url)
		json_put_text(embed, "url", alert->url);
	json_put_int(embed, "color", colours[mood_of(alert) + 1]);
	json_put_time(embed, "timestamp", alert->at);
	json_append(embeds, embed);
	json_put(body, "embeds", embeds);
	/* A name such as @everyone in the text must not notify anybody. */
	json_put(mentions, "parse", json_array_tree());
	json_put(body, "allowed_mentions", mentions);
	/* Without wait=true Discord reports success even if it does not store the message. */
	making->request->url = with_parameter(making, "wait=true");
	return body;
}

struct json_object *mattermost_body(struct making *making)
{
	static const struct channel_text_rule rule = { 16000, 0, { { '@', "@" BREAK } } };
	return text_body(whole(making, "\n", &rule));
}

struct json_object *telegram_body(struct making *making)
{
	static const struct channel_text_rule rule = { 4000, 0, { { 0 } } };
	const struct alert_channel_value *value = &making->channel->value;
	struct json_object *body = json_object_tree(), *preview = json_object_tree();
	making->request->url =
		below(making, "https://api.telegram.org",
		      arena_printf(making->arena, "/bot%s/sendMessage", value->token));
	json_put_text(body, "chat_id", value->chat_id);
	json_put_text(body, "text", whole(making, "\n\n", &rule));
	json_put_bool(preview, "is_disabled", true);
	json_put(body, "link_preview_options", preview);
	return body;
}

struct json_object *ntfy_body(struct making *making)
{
	/* The limits keep the whole JSON below 8,192 bytes. */
	enum { DOWN = 5, MINOR = 4, OTHER = 3, TITLE_MAX_BYTES = 1000, TEXT_MAX_BYTES = 3900 };
	const struct alert *alert = making->alert;
	const struct alert_channel_value *value = &making->channel->value;
	struct json_object *body = json_object_tree(), *tags = json_array_tree();
	const char *text = *alert->text ? alert->text : alert->title;
	making->request->url = value->server ? value->server : "https://ntfy.sh";
	if (value->token)
		making_add_header(making, arena_printf(making->arena, "Authorization: Bearer %s",
						       value->token));
	json_put_text(body, "topic", value->topic);
	json_put_text(body, "title", fitted(making, alert->title, 0, TITLE_MAX_BYTES));
	json_put_text(body, "message", fitted(making, text, 0, TEXT_MAX_BYTES));
	json_put_int(body, "priority",
		     mood_of(alert) >= 0 ? OTHER
		     : alert->is_minor	 ? MINOR
					 : DOWN);
	json_append_text(tags, mood_of(alert) < 0   ? "rotating_light"
			       : mood_of(alert) > 0 ? "white_check_mark"
						    : "information_source");
	json_put(body, "tags", tags);
	if (alert->url)
		json_put_text(body, "click", alert->url);
	return body;
}

/* The requests that trigger, acknowledge and resolve an incident have the same dedup_key. So a
 * repeated request creates no second incident. */
struct json_object *pagerduty_body(struct making *making)
{
	enum { SUMMARY_MAX = 1000, SOURCE_MAX = 250 };
	const struct alert *alert = making->alert;
	struct json_object *body = json_object_tree(), *payload = json_object_tree();
	struct json_object *details = json_object_tree();
	const char *action = alert->is_over					 ? "resolve"
			     : strcmp(alert->kind, "incident.acknowledged") == 0 ? "acknowledge"
										 : "trigger";
	making->request->url = below(making, "https://events.pagerduty.com", "/v2/enqueue");
	json_put_text(body, "routing_key", making->channel->value.routing_key);
	json_put_text(body, "event_action", action);
	json_put_text(body, "dedup_key", alert->subject);
	json_put_text(payload, "summary", fitted(making, alert->title, SUMMARY_MAX, 0));
	json_put_text(payload, "source",
		      *alert->systems ? fitted(making, alert->systems, SOURCE_MAX, 0) : "daymark");
	json_put_text(payload, "severity",
		      alert->event != ALERT_DOWN ? "info"
		      : alert->is_minor		 ? "warning"
						 : "critical");
	json_put_time(payload, "timestamp", alert->at);
	json_put_text(details, "text", alert->text);
	json_put(payload, "custom_details", details);
	json_put(body, "payload", payload);
	if (alert->url) {
		struct json_object *links = json_array_tree(), *link = json_object_tree();
		json_put_text(link, "href", alert->url);
		json_put_text(link, "text", "Status page");
		json_append(links, link);
		json_put(body, "links", links);
	}
	return body;
}

struct json_object *google_chat_body(struct making *making)
{
	/* Without the break, "<users/all>" would notify everybody. */
	static const struct channel_text_rule rule = { 4000, 0, { { '<', "<" BREAK } } };
	struct json_object *body = text_body(whole(making, "\n", &rule));
	struct json_object *thread = json_object_tree();
	json_put_text(thread, "threadKey", making->alert->subject);
	json_put(body, "thread", thread);
	making->request->url =
		with_parameter(making, "messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD");
	return body;
}

/* Cuts long texts, because Standard Webhooks recommends bodies below 20 kB. */
static void cut_data(const struct making *making, struct json_object *data)
{
	enum { TEXT_MAX_BYTES = 6000, COMMENT_MAX_BYTES = 3000 };
	static const char *const objects[] = { "incident", "maintenance" };
	static const char *const names[] = { "comment", "body", "postmortem" };
	const char *text = json_text(json_member(data, "text"), making->arena);
	if (text)
		json_put_text(data, "text", fitted(making, text, 0, TEXT_MAX_BYTES));
	for (size_t i = 0; i < ARRAY_LEN(objects); i++)
		for (size_t j = 0; j < ARRAY_LEN(names); j++) {
			struct json_object *object = json_member(data, objects[i]);
			text = json_text(json_member(object, names[j]), making->arena);
			if (text)
				json_put_text(object, names[j],
					      fitted(making, text, 0, COMMENT_MAX_BYTES));
		}
}

struct json_object *webhook_body(struct making *making)
{
	const struct alert *alert = making->alert;
	struct json_object *body = json_object_tree(), *data = NULL;
	struct error error = { 0 };
	if (!alert->payload || json_read_file(str_from(alert->payload), &data, &error) != OK)
		data = json_object_tree();
	cut_data(making, data);
	json_put_text(data, "title", alert->title);
	json_remove(data, "page_address");
	if (alert->url) {
		json_put_text(data, "url", alert->url);
		json_put_text(json_member(data, "incident"), "url", alert->url);
	}
	json_put_text(body, "type", alert->kind);
	json_put_time(body, "timestamp", alert->at);
	json_put(body, "data", data);
	return body;
}
