/* The requests of each service, and what their responses mean. */
#include "unit/lib/unit.h"

#include <json-c/json.h>

#include "base/secret.h"
#include "notify/channel_request.h"
#include "notify/webhook_signature.h"

#define HOOK "https://hooks.example.com/T0?sig=x"
/* 2026-03-05T08:40:00Z */
#define AT \
	{ \
		1772700000 \
	}

static const struct alert down = {
	.event = ALERT_DOWN,
	.kind = "incident.opened",
	.id = "delivery-5",
	.subject = "daymark-incident-7",
	.title = "A & <B> is down",
	.text = "Cause: \"x\"",
	.systems = "A & <B>",
	.cause = "\"x\"",
	.dependents = "Login, \"B\"",
	.payload = "{\"incident\":{\"id\":7}}",
	.at = AT,
};
static const struct alert up = {
	.event = ALERT_UP,
	.kind = "incident.resolved",
	.id = "delivery-6",
	.subject = "daymark-incident-7",
	.title = "A is up again after 5 min",
	.text = "",
	.systems = "A",
	.cause = "",
	.dependents = "",
	.at = AT,
};

static const struct signing_key key = { { 1 } };

static struct channel_request request_of(int type, const struct alert_channel_value *value,
					 const struct alert *alert)
{
	const struct alert_channel channel = { .type = type, .value = *value };
	struct channel_request request;
	assert_true(
		channel_request_make(&channel, alert, &key, (struct instant)AT, &arena, &request));
	assert_true(str_is_text(request.body));
	return request;
}

static const char *header_of(const struct channel_request *request, const char *start)
{
	for (size_t i = 0; i < CHANNEL_HEADERS_MAX && request->headers[i]; i++)
		if (strncmp(request->headers[i], start, strlen(start)) == 0)
			return request->headers[i] + strlen(start);
	return NULL;
}

static struct json_object *tree_of(const struct channel_request *request)
{
	struct json_object *tree =
		json_tokener_parse(arena_strndup(&arena, request->body.data, request->body.len));
	assert_non_null(tree);
	return tree;
}

#define CARD(blocks) \
	"{\"type\":\"message\",\"attachments\":[{\"contentType\":" \
	"\"application/vnd.microsoft.card.adaptive\",\"contentUrl\":null,\"content\":{" \
	"\"$schema\":\"http://adaptivecards.io/schemas/adaptive-card.json\",\"type\":" \
	"\"AdaptiveCard\",\"version\":\"1.2\",\"body\":[" blocks "],\"msteams\":{\"width\":" \
	"\"full\"}}}]}"

static void each_service_has_its_body(void **state)
{
	static const struct {
		int type;
		struct alert_channel_value value;
		const struct alert *alert;
		const char *url, *body;
	} rows[] = {
		{ ALERT_WEBHOOK,
		  { .url = HOOK },
		  &down,
		  HOOK,
		  "{\"type\":\"incident.opened\",\"timestamp\":\"2026-03-05T08:40:00Z\","
		  "\"data\":{\"incident\":{\"id\":7},\"title\":\"A & <B> is down\"}}" },
		{ ALERT_WEBHOOK,
		  { .url = HOOK },
		  &up,
		  HOOK,
		  "{\"type\":\"incident.resolved\",\"timestamp\":\"2026-03-05T08:40:00Z\","
		  "\"data\":{\"title\":\"A is up again after 5 min\"}}" },
		{ ALERT_SLACK,
		  { .url = HOOK },
		  &down,
		  HOOK,
		  "{\"text\":\"A &amp; &lt;B&gt; is down\",\"blocks\":[{\"type\":\"section\","
		  "\"text\":{\"type\":\"mrkdwn\",\"text\":\"A &amp; &lt;B&gt; is down\\nCause: "
		  "\\\"x\\\"\"}}]}" },
		{ ALERT_TEAMS,
		  { .url = HOOK },
		  &up,
		  HOOK,
		  CARD("{\"type\":\"TextBlock\",\"text\":\"A is up again after 5 "
		       "min\",\"wrap\":true,"
		       "\"weight\":\"Bolder\"}") },
		{ ALERT_TEAMS,
		  { .url = HOOK },
		  &down,
		  HOOK,
		  CARD("{\"type\":\"TextBlock\",\"text\":\"A & <B> is down\",\"wrap\":true,"
		       "\"weight\":\"Bolder\"},{\"type\":\"TextBlock\",\"text\":\"Cause: "
		       "\\\"x\\\"\","
		       "\"wrap\":true}") },
		{ ALERT_DISCORD,
		  { .url = HOOK },
		  &down,
		  HOOK "&wait=true",
		  "{\"embeds\":[{\"title\":\"A & <B> is down\",\"description\":\"Cause: "
		  "\\\"x\\\"\",\"color\":14237754,\"timestamp\":\"2026-03-05T08:40:00Z\"}],"
		  "\"allowed_mentions\":{\"parse\":[]}}" },
		{ ALERT_DISCORD,
		  { .url = "https://discord.test/1" },
		  &up,
		  "https://discord.test/1?wait=true",
		  "{\"embeds\":[{\"title\":\"A is up again after 5 min\",\"color\":2918987,"
		  "\"timestamp\":\"2026-03-05T08:40:00Z\"}],\"allowed_mentions\":{\"parse\":[]}}" },
		{ ALERT_MATTERMOST,
		  { .url = HOOK },
		  &down,
		  HOOK,
		  "{\"text\":\"A & <B> is down\\nCause: \\\"x\\\"\"}" },
		{ ALERT_TELEGRAM,
		  { .token = "1:a", .chat_id = "-100" },
		  &down,
		  "https://api.telegram.org/bot1:a/sendMessage",
		  "{\"chat_id\":\"-100\",\"text\":\"A & <B> is down\\n\\nCause: \\\"x\\\"\","
		  "\"link_preview_options\":{\"is_disabled\":true}}" },
		{ ALERT_NTFY,
		  { .topic = "t" },
		  &down,
		  "https://ntfy.sh",
		  "{\"topic\":\"t\",\"title\":\"A & <B> is down\",\"message\":\"Cause: \\\"x\\\"\","
		  "\"priority\":5,\"tags\":[\"rotating_light\"]}" },
		{ ALERT_NTFY,
		  { .topic = "t", .server = "http://n.test/" },
		  &up,
		  "http://n.test/",
		  "{\"topic\":\"t\",\"title\":\"A is up again after 5 min\",\"message\":"
		  "\"A is up again after 5 min\",\"priority\":3,\"tags\":[\"white_check_mark\"]}" },
		{ ALERT_PAGERDUTY,
		  { .routing_key = "k" },
		  &down,
		  "https://events.pagerduty.com/v2/enqueue",
		  "{\"routing_key\":\"k\",\"event_action\":\"trigger\",\"dedup_key\":"
		  "\"daymark-incident-7\",\"payload\":{\"summary\":\"A & <B> is down\",\"source\":"
		  "\"A & <B>\",\"severity\":\"critical\",\"timestamp\":\"2026-03-05T08:40:00Z\","
		  "\"custom_details\":{\"text\":\"Cause: \\\"x\\\"\"}}}" },
		{ ALERT_GOOGLE_CHAT,
		  { .url = HOOK },
		  &up,
		  HOOK "&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD",
		  "{\"text\":\"A is up again after 5 min\",\"thread\":{\"threadKey\":"
		  "\"daymark-incident-7\"}}" },
		{ ALERT_CUSTOM,
		  { .url = HOOK, .body = "{\"m\":\"{{title}}: {{ text }}\"}" },
		  &down,
		  HOOK,
		  "{\"m\":\"A & <B> is down: Cause: \\\"x\\\"\"}" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct channel_request request =
			request_of(rows[i].type, &rows[i].value, rows[i].alert);
		struct json_object *tree = tree_of(&request);
		struct json_object *wanted = json_tokener_parse(rows[i].body);
		assert_non_null(wanted);
		assert_string_equal(rows[i].url, request.url);
		assert_string_equal("application/json", header_of(&request, "Content-Type: "));
		if (!json_object_equal(tree, wanted))
			fail_msg("row %zu: %s", i, json_object_to_json_string(tree));
		json_object_put(tree);
		json_object_put(wanted);
	}
}

static void each_service_shows_the_address(void **state)
{
#define LINK "https://status.test/s/shop/incidents/7"
	static const struct {
		int type;
		struct alert_channel_value value;
		const char *part;
	} rows[] = {
		{ ALERT_WEBHOOK,
		  { .url = HOOK },
		  "\"data\":{\"incident\":{\"id\":7,\"url\":\"" LINK
		  "\"},\"title\":\"A & <B> is down\","
		  "\"url\":\"" LINK "\"}" },
		{ ALERT_SLACK, { .url = HOOK }, "x\\\"\\n" LINK "\"" },
		{ ALERT_TEAMS, { .url = HOOK }, "{\"type\":\"TextBlock\",\"text\":\"" LINK "\"" },
		{ ALERT_DISCORD, { .url = HOOK }, "\"url\":\"" LINK "\"" },
		{ ALERT_MATTERMOST, { .url = HOOK }, "x\\\"\\n" LINK "\"" },
		{ ALERT_TELEGRAM, { .token = "t", .chat_id = "1" }, "x\\\"\\n" LINK "\"" },
		{ ALERT_NTFY, { .topic = "t" }, "\"click\":\"" LINK "\"" },
		{ ALERT_PAGERDUTY,
		  { .routing_key = "k" },
		  "\"links\":[{\"href\":\"" LINK "\",\"text\":\"Status page\"}]" },
		{ ALERT_GOOGLE_CHAT, { .url = HOOK }, "x\\\"\\n" LINK "\"" },
		{ ALERT_CUSTOM, { .url = HOOK, .body = "[\"{{url}}\"]" }, "[\"" LINK "\"]" },
	};
	struct alert alert = down;
	(void)state;
	alert.url = LINK;
	alert.payload = "{\"incident\":{\"id\":7,\"url\":null},\"page_address\":\"shop/\"}";
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		alert.text = down.text;
		struct channel_request request = request_of(rows[i].type, &rows[i].value, &alert);
		if (!strstr(arena_strndup(&arena, request.body.data, request.body.len),
			    rows[i].part))
			fail_msg("row %zu: %.*s", i, (int)request.body.len, request.body.data);
		/* A text that is cut does not take the address with it. */
		char *text = arena_alloc(&arena, 20001);
		memset(text, 'a', 20000);
		text[20000] = '\0';
		alert.text = text;
		request = request_of(rows[i].type, &rows[i].value, &alert);
		assert_non_null(
			strstr(arena_strndup(&arena, request.body.data, request.body.len), LINK));
	}
}

static void pagerduty_acknowledges_and_resolves(void **state)
{
	static const struct {
		const char *kind;
		enum alert_event event;
		bool is_over;
		const char *action;
	} rows[] = {
		{ "incident.opened", ALERT_DOWN, false, "trigger" },
		{ "incident.acknowledged", ALERT_ACKNOWLEDGED, false, "acknowledge" },
		{ "incident.unacknowledged", ALERT_ACKNOWLEDGED, false, "trigger" },
		{ "incident.resolved", ALERT_UP, true, "resolve" },
		/* The update of an incident that is over opens no alert again. */
		{ "incident.update_posted", ALERT_UPDATES, true, "resolve" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct alert alert = down;
		alert.kind = rows[i].kind;
		alert.event = rows[i].event;
		alert.is_over = rows[i].is_over;
		const struct channel_request request =
			request_of(ALERT_PAGERDUTY,
				   &(struct alert_channel_value){ .routing_key = "k" }, &alert);
		struct json_object *tree = tree_of(&request);
		assert_string_equal(rows[i].action, json_object_get_string(json_object_object_get(
							    tree, "event_action")));
		json_object_put(tree);
	}
}

static void ntfy_has_the_token_in_a_header(void **state)
{
	(void)state;
	const struct channel_request request = request_of(
		ALERT_NTFY, &(struct alert_channel_value){ .topic = "t", .token = "tk_1" }, &up);
	assert_string_equal("tk_1", header_of(&request, "Authorization: Bearer "));
}

/* The longest text of the tree, in characters and in bytes. */
static void longest(struct json_object *tree, size_t *chars, size_t *bytes)
{
	if (json_object_is_type(tree, json_type_string)) {
		size_t count = 0, len = (size_t)json_object_get_string_len(tree);
		for (const char *text = json_object_get_string(tree); *text; text++)
			count += (*text & 0xc0) != 0x80;
		*chars = count > *chars ? count : *chars;
		*bytes = len > *bytes ? len : *bytes;
	}
	if (json_object_is_type(tree, json_type_array))
		for (size_t i = 0; i < json_object_array_length(tree); i++)
			longest(json_object_array_get_idx(tree, i), chars, bytes);
	if (json_object_is_type(tree, json_type_object)) {
		json_object_object_foreach(tree, name, value)
		{
			(void)name;
			longest(value, chars, bytes);
		}
	}
}

/* Texts of 1, 2, 3 and 4 bytes a character are cut whole: request_of() tests for UTF-8. */
static void long_texts_are_cut_between_characters(void **state)
{
	static const char *const letters[] = { "a", "\u00e9", "\u20ac", "\U0001f525", "&" };
	static const struct {
		int type;
		struct alert_channel_value value;
		size_t max_chars, max_bytes, max_body;
	} rows[] = {
		{ ALERT_SLACK, { .url = HOOK }, 3000, SIZE_MAX, SIZE_MAX },
		{ ALERT_TEAMS, { .url = HOOK }, 4001, SIZE_MAX, 20 * 1024 },
		{ ALERT_DISCORD, { .url = HOOK }, 4096, SIZE_MAX, SIZE_MAX },
		{ ALERT_MATTERMOST, { .url = HOOK }, 16383, SIZE_MAX, SIZE_MAX },
		{ ALERT_TELEGRAM, { .token = "t", .chat_id = "1" }, 4096, SIZE_MAX, SIZE_MAX },
		{ ALERT_NTFY, { .topic = "t" }, 4096, 4096, SIZE_MAX },
		{ ALERT_GOOGLE_CHAT, { .url = HOOK }, 4096, SIZE_MAX, SIZE_MAX },
	};
	(void)state;
	for (size_t letter = 0; letter < ARRAY_LEN(letters); letter++) {
		enum { MANY = 20000 };
		struct alert alert = down;
		size_t len = strlen(letters[letter]);
		char *text = arena_alloc(&arena, MANY * len + 1);
		for (size_t i = 0; i < MANY; i++)
			memcpy(text + i * len, letters[letter], len);
		text[MANY * len] = '\0';
		alert.text = text;
		for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
			const struct channel_request request =
				request_of(rows[i].type, &rows[i].value, &alert);
			struct json_object *tree = tree_of(&request);
			size_t chars = 0, bytes = 0;
			longest(tree, &chars, &bytes);
			if (chars > rows[i].max_chars || bytes > rows[i].max_bytes ||
			    request.body.len > rows[i].max_body)
				fail_msg("row %zu, letter %zu: %zu characters, %zu bytes of %zu", i,
					 letter, chars, bytes, request.body.len);
			/* The cut is not far below the limit, and can be seen. */
			assert_true(chars > 900);
			assert_non_null(
				strstr(json_object_to_json_string_ext(tree, JSON_C_TO_STRING_PLAIN),
				       "\u2026"));
			json_object_put(tree);
		}
	}
}

static void a_short_text_is_not_cut(void **state)
{
	enum { MOST = 256 };
	char title[MOST + 2];
	struct alert alert = up;
	(void)state;
	memset(title, 'a', sizeof(title));
	for (size_t len = MOST - 1; len <= MOST + 1; len++) {
		title[len] = '\0';
		alert.title = arena_strdup(&arena, title);
		title[len] = 'a';
		const struct channel_request request = request_of(
			ALERT_DISCORD, &(struct alert_channel_value){ .url = HOOK }, &alert);
		assert_int_equal(len > MOST,
				 strstr(arena_strndup(&arena, request.body.data, request.body.len),
					"\u2026") != NULL);
	}
}

static void templates_are_filled(void **state)
{
	static const struct {
		const char *body, *filled;
	} rows[] = {
		{ "", "" },
		{ "no names", "no names" },
		{ "{{title}}", "A \\\"q\\\" \\\\ \\n" },
		{ "{{ title }}{{id}}", "A \\\"q\\\" \\\\ \\ndelivery-5" },
		{ "{{event}} {{systems}} {{cause}} {{url}} {{at}}",
		  "incident.opened A & <B> \\\"x\\\"  2026-03-05T08:40:00Z" },
		{ "{{dependents}}", "Login, \\\"B\\\"" },
		{ "{{unknown}} {{Title}} {{}} {{ }}", "{{unknown}} {{Title}} {{}} {{ }}" },
		{ "{{title", "{{title" },
		{ "{{id}} {{", "delivery-5 {{" },
		{ "}} {{id}} }}", "}} delivery-5 }}" },
		{ "{ {id} } {id}", "{ {id} } {id}" },
		{ "{{{id}}}", "{{{id}}}" },
		{ "{{a {{id}}", "{{a {{id}}" },
		{ "{\"a\": {\"b\": \"{{id}}\"}}", "{\"a\": {\"b\": \"delivery-5\"}}" },
	};
	struct alert alert = down;
	(void)state;
	alert.title = "A \"q\" \\ \n";
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct channel_request request = request_of(
			ALERT_CUSTOM,
			&(struct alert_channel_value){ .url = HOOK, .body = rows[i].body }, &alert);
		assert_string_equal(rows[i].filled,
				    arena_strndup(&arena, request.body.data, request.body.len));
	}
}

#define SPEC_SECRET  "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
#define OTHER_SECRET "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"

/* The example of the Standard Webhooks specification. Python's hmac and cryptography have made the
 * other signatures. */
static void signatures_are_those_of_the_specification(void **state)
{
#define V1	 "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= "
#define V1_OTHER "v1,d5PJaLhU6hQf9TLleqdn97PBQffdITHtAOuMMHkRQ4U= "
#define V1A \
	"v1a,XhbETcnb/f0kDeLaSWdCzz7I8Ivq3lV3s+Ie86hlIYDmBsHaVWz7HpS/68Lt+6N+YCnpNHIggH750iq2axtH" \
	"Bw=="
	static const struct webhook_message message = { "msg_p5jXN8AQM9LWM0D4loKWxJek",
							{ 1614265330 },
							{ "{\"test\": 2432232314} rest", 20 } };
	static const struct {
		const char *secrets[WEBHOOK_SECRETS_MAX], *signature;
	} rows[] = {
		{ { SPEC_SECRET, NULL }, V1 V1A },
		{ { SPEC_SECRET, OTHER_SECRET }, V1 V1_OTHER V1A },
		{ { OTHER_SECRET, SPEC_SECRET }, V1_OTHER V1 V1A },
		{ { NULL, SPEC_SECRET }, V1 V1A },
		{ { NULL, NULL }, V1A },
		{ { "whsec_no base64!", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }, V1A },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_string_equal(rows[i].signature,
				    webhook_signature(&message, rows[i].secrets, &key, &arena));
	assert_string_equal("whpk_xOVeSBen3eweV4vs8bVwPqNgsOL0mPyuU1EgwdnPLiA=",
			    webhook_public_key(&key, &arena));
}

static void a_webhook_is_signed_as_it_is_sent(void **state)
{
	const struct alert_channel_value value = { .url = HOOK, .secret = OTHER_SECRET };
	(void)state;
	const struct channel_request request = request_of(ALERT_WEBHOOK, &value, &up);
	assert_string_equal("{\"type\":\"incident.resolved\",\"timestamp\":"
			    "\"2026-03-05T08:40:00Z\",\"data\":{\"title\":"
			    "\"A is up again after 5 min\"}}",
			    arena_strndup(&arena, request.body.data, request.body.len));
	assert_string_equal("delivery-6", header_of(&request, "webhook-id: "));
	assert_string_equal("1772700000", header_of(&request, "webhook-timestamp: "));
#define OF_OTHER "v1,Bk2meo1DWD29aEKT4wbyyx+P99SzytInyY/N2iNvwbE= "
#define OF_SPEC	 "v1,lL3+fkRkzdfuzxaJKrpwL8j7S0x3ulB/kJQdA0+3/oI= "
#define OF_KEY \
	"v1a,xcsdg6b0SMXcllNuQmP443EXm9bG8ZAKUuSOsDVPGl+bPMFNzle/xuMXP//u5sRpyc7Mvarc0HpJAWfVby" \
	"obCA=="
	assert_string_equal(OF_OTHER OF_KEY, header_of(&request, "webhook-signature: "));
	const struct channel_request bare =
		request_of(ALERT_WEBHOOK, &(struct alert_channel_value){ .url = HOOK }, &up);
	assert_string_equal("delivery-6", header_of(&bare, "webhook-id: "));
	assert_string_equal(OF_KEY, header_of(&bare, "webhook-signature: "));
	assert_null(header_of(&bare, "Authorization: "));
	const struct channel_request chat =
		request_of(ALERT_SLACK, &(struct alert_channel_value){ .url = HOOK }, &up);
	assert_null(header_of(&chat, "webhook-signature: "));
}

static void a_former_secret_signs_for_a_day(void **state)
{
	static const struct {
		const char *rotated_at, *signature;
	} rows[] = {
		/* AT is 2026-03-05T08:40:00Z. */
		{ "2026-03-05T08:40:00Z", OF_OTHER OF_SPEC OF_KEY },
		{ "2026-03-04T08:40:01Z", OF_OTHER OF_SPEC OF_KEY },
		{ "2026-03-04T08:40:00Z", OF_OTHER OF_KEY },
		{ "2026-03-01T08:40:00Z", OF_OTHER OF_KEY },
		{ NULL, OF_OTHER OF_KEY },
		{ "no time", OF_OTHER OF_KEY },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct alert_channel_value value = { .url = HOOK,
							   .secret = OTHER_SECRET,
							   .former_secret = SPEC_SECRET,
							   .rotated_at = rows[i].rotated_at };
		const struct channel_request request = request_of(ALERT_WEBHOOK, &value, &up);
		assert_string_equal(rows[i].signature, header_of(&request, "webhook-signature: "));
	}
}

static void success_is_what_the_service_says(void **state)
{
	static const struct {
		int type, status;
		const char *body;
		bool is_accepted;
		int64_t retry_after_s;
	} rows[] = {
		{ ALERT_WEBHOOK, 200, "", true, 0 },
		{ ALERT_WEBHOOK, 299, "", true, 0 },
		{ ALERT_WEBHOOK, 300, "", false, 0 },
		{ ALERT_WEBHOOK, 199, "", false, 0 },
		{ ALERT_SLACK, 200, "ok", true, 0 },
		{ ALERT_SLACK, 200, " ok\n", true, 0 },
		{ ALERT_SLACK, 200, "invalid_payload", false, 0 },
		{ ALERT_SLACK, 500, "ok", false, 0 },
		{ ALERT_MATTERMOST, 200, "ok", true, 0 },
		{ ALERT_MATTERMOST, 200, "<html>", false, 0 },
		{ ALERT_TEAMS, 202, "", true, 0 },
		{ ALERT_DISCORD, 200, "{}", true, 0 },
		{ ALERT_DISCORD, 429, "{\"retry_after\":0.3}", false, 1 },
		{ ALERT_DISCORD, 429, "{\"retry_after\":64.57}", false, 65 },
		{ ALERT_TELEGRAM, 200, "{\"ok\":true}", true, 0 },
		{ ALERT_TELEGRAM, 200, "{\"ok\":false}", false, 0 },
		{ ALERT_TELEGRAM, 200, "ok", false, 0 },
		{ ALERT_TELEGRAM, 429, "{\"ok\":false,\"parameters\":{\"retry_after\":35}}", false,
		  35 },
		{ ALERT_NTFY, 429, "{\"code\":42908}", false, 0 },
		{ ALERT_PAGERDUTY, 202, "{\"status\":\"success\"}", true, 0 },
		{ ALERT_GOOGLE_CHAT, 200, "{}", true, 0 },
		{ ALERT_CUSTOM, 429, "{\"retry_after\":-1}", false, 0 },
		{ ALERT_CUSTOM, 429, "{\"retry_after\":\"x\"}", false, 0 },
		{ ALERT_CUSTOM, 429, "{\"retry_after\":1e300}", false, 0 },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct alert_channel channel = { .type = rows[i].type };
		const struct http_client_response response = { .status = rows[i].status,
							       .body = str_from(rows[i].body) };
		const struct delivery_try result = channel_response_judge(&channel, &response);
		if (result.is_accepted != rows[i].is_accepted ||
		    result.retry_after_s != rows[i].retry_after_s ||
		    result.status != rows[i].status)
			fail_msg("row %zu: %d, %lld s", i, result.is_accepted,
				 (long long)result.retry_after_s);
	}
	/* The header counts first. */
	const struct alert_channel channel = { .type = ALERT_DISCORD };
	const struct http_client_response response = { .status = 429,
						       .body = str_from("{\"retry_after\":9}"),
						       .retry_after_s = 7 };
	assert_int_equal(7, channel_response_judge(&channel, &response).retry_after_s);
}

static void words_have_no_secrets(void **state)
{
	const struct alert_channel channel = {
		.value = { .token = "12:abc", .secret = "sec", .former_secret = "former" }
	};
	(void)state;
	assert_string_equal("no ******",
			    channel_response_words(&channel, str_from("no 12:abc"), &arena));
	assert_string_equal("no ******",
			    channel_response_words(&channel, str_from("no former"), &arena));
	assert_string_equal(
		"*** ****** ******",
		channel_response_words(&channel, str_from("sec 12:abc 12:abc"), &arena));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_service_has_its_body),
		cmocka_unit_test(each_service_shows_the_address),
		cmocka_unit_test(pagerduty_acknowledges_and_resolves),
		cmocka_unit_test(ntfy_has_the_token_in_a_header),
		cmocka_unit_test(long_texts_are_cut_between_characters),
		cmocka_unit_test(a_short_text_is_not_cut),
		cmocka_unit_test(templates_are_filled),
		cmocka_unit_test(signatures_are_those_of_the_specification),
		cmocka_unit_test(a_webhook_is_signed_as_it_is_sent),
		cmocka_unit_test(a_former_secret_signs_for_a_day),
		cmocka_unit_test(success_is_what_the_service_says),
		cmocka_unit_test(words_have_no_secrets),
	};
	return RUN_WITH_ARENA(tests);
}
