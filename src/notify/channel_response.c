#include <string.h>

#include "notify/channel_request.h"
#include "probe/excerpt.h"
#include "wire/json.h"
#include "wire/json_read.h"

enum { RESPONSE_MAX_CHARS = 200 };

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

/* Indexed by enum alert_channel_type. NULL: any response of 2xx is a success. */
static bool (*const is_success[ALERT_CHANNEL_TYPES])(
	const struct http_client_response *response) = {
	[ALERT_SLACK] = says_ok,
	[ALERT_MATTERMOST] = says_ok,
	[ALERT_TELEGRAM] = says_ok_in_json,
};

/* Returns how many seconds the service asks to wait before the next attempt: in Retry-After, or in
 * a member of its JSON. */
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
	bool (*is_ok)(const struct http_client_response *) = is_success[channel->type];
	struct delivery_try result = { .status = response->status };
	bool is_2xx = response->status >= 200 && response->status < 300;
	/* The cut part of the response may say whether the service accepted the message, so the
	 * outcome is unknown. */
	if (is_2xx && is_ok && response->is_cut)
		return (struct delivery_try){ 0 };
	result.is_accepted = is_2xx && (!is_ok || is_ok(response));
	if (!result.is_accepted)
		result.retry_after_s = retry_after_of(response);
	return result;
}

const char *channel_response_moved(const struct alert_channel *channel,
				   const struct http_client_response *response, struct arena *arena)
{
	struct json_object *root = NULL;
	struct error error = { 0 };
	if (channel->type != ALERT_TELEGRAM || response->status != 400 ||
	    json_read(response->body, &root, &error) != OK)
		return NULL;
	const char *chat_id = json_text(
		json_member(json_member(root, "parameters"), "migrate_to_chat_id"), arena);
	json_free(root);
	return chat_id;
}

static void hide(char *text, size_t len, struct str secret)
{
	char *found;
	while (secret.len > 0 && (found = memmem(text, len, secret.data, secret.len))) {
		memset(found, '*', secret.len);
		len -= (size_t)(found - text) + secret.len;
		text = found + secret.len;
	}
}

/* Hides the parts of the URL that may be secret, because services repeat the URL's path in
 * responses. */
static void hide_parts(char *text, size_t len, const char *url)
{
	enum { SECRET_MIN = 8 };
	const char *scheme = strstr(url, "://"), *at = scheme ? strchr(scheme + 3, '/') : NULL;
	if (!at)
		return;
	hide(text, len, str_from(strlen(at) > 1 ? at : ""));
	while (*at) {
		size_t part = strcspn(at, "/?&=;");
		hide(text, len, (struct str){ at, part >= SECRET_MIN ? part : 0 });
		at += part + (at[part] != '\0');
	}
}

const char *channel_response_words(const struct alert_channel *channel, struct str body,
				   struct arena *arena)
{
	char text[DELIVERY_RESPONSE_MAX_BYTES];
	const struct alert_channel_value *value = &channel->value;
	char *copy = arena_strndup(arena, body.data ? body.data : "", body.len);
	for (size_t i = 0; i < ALERT_CHANNEL_SECRETS; i++)
		hide(copy, body.len,
		     str_from(*FIELD_AT_CONST(value, &alert_channel_value_fields.rows[i],
					      const char *)));
	hide(copy, body.len, str_from(value->former_secret));
	if (value->url)
		hide_parts(copy, body.len, value->url);
	excerpt_print(text, sizeof(text), (struct str){ copy, body.len }, RESPONSE_MAX_CHARS);
	return arena_strdup(arena, text);
}
