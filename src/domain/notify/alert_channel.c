#include "domain/notify/alert_channel.h"

#include <string.h>

#include "base/str.h"
#include "base/zone.h"
#include "domain/mail_address.h"
#include "domain/web_url.h"

const char *const alert_channel_type_words[] = { "webhook",	"slack",    "teams", "discord",
						 "mattermost",	"telegram", "ntfy",  "pagerduty",
						 "google_chat", "custom",   "email", NULL };
const char *const alert_event_words[] = { "down",	 "up",		"acknowledged", "updates",
					  "maintenance", "certificate", "checker",	NULL };

#define VALUE(member, ...) FIELD(struct alert_channel_value, member, __VA_ARGS__)
static const struct field value_rows[] = {
	VALUE(url, .max_bytes = ALERT_CHANNEL_URL_MAX_BYTES, .format = "uri",
	      .text = "The address of the hook, for webhook, slack, teams, discord, mattermost, "
		      "google_chat and custom. Secret."),
	VALUE(token, .flags = FIELD_SECRET, .max_bytes = ALERT_CHANNEL_TEXT_MAX_BYTES,
	      .text = "telegram: the token of the bot. ntfy: an access token. Secret."),
	VALUE(routing_key, .flags = FIELD_SECRET, .max_bytes = ALERT_CHANNEL_TEXT_MAX_BYTES,
	      .text = "pagerduty: the integration key of the service. Secret."),
	VALUE(secret, .flags = FIELD_SECRET, .max_bytes = ALERT_CHANNEL_TEXT_MAX_BYTES,
	      .text = "webhook: signs the messages (Standard Webhooks): whsec_ and 24 to 64 bytes "
		      "in base64. After a change the former one signs as well for 24 hours. "
		      "Secret."),
	VALUE(chat_id, .flags = FIELD_NUMBER_TOO, .max_bytes = ALERT_CHANNEL_TEXT_MAX_BYTES,
	      .text = "telegram: the chat."),
	VALUE(server, .max_bytes = ALERT_CHANNEL_TEXT_MAX_BYTES, .format = "uri",
	      .text = "The address of another server than https://ntfy.sh, "
		      "https://api.telegram.org "
		      "or https://events.pagerduty.com. With it all secrets must be sent again."),
	VALUE(topic, .max_bytes = ALERT_CHANNEL_TEXT_MAX_BYTES, .text = "ntfy: the topic."),
	VALUE(email, .max_bytes = MAIL_ADDRESS_MAX_BYTES, .text = "email: the address."),
	VALUE(body, .flags = FIELD_EXACT, .max_bytes = ALERT_CHANNEL_BODY_MAX_BYTES,
	      .text = "custom: the JSON body of the request, in which {{title}}, {{text}}, "
		      "{{event}}, {{systems}}, {{dependents}}, {{cause}}, {{url}}, {{at}} and "
		      "{{id}} are "
		      "replaced inside of texts."),
	VALUE(former_secret),
	VALUE(rotated_at),
};
enum { INNER = 2 }; /* the number of rows at the end of value_rows that no request has */
const struct fields alert_channel_value_fields = { value_rows, ARRAY_LEN(value_rows) - INNER };
const struct fields alert_channel_sealed_fields = { value_rows, ARRAY_LEN(value_rows) };
enum {
	URL = 1 << 0,
	TOKEN = 1 << 1,
	ROUTING_KEY = 1 << 2,
	SECRET = 1 << 3,
	CHAT_ID = 1 << 4,
	SERVER = 1 << 5,
	TOPIC = 1 << 6,
	EMAIL = 1 << 7,
	BODY = 1 << 8
};

/* For each type of channel: the members of the value that it needs, and those that it may also
 * have. The bits above have the order of value_rows. */
static const struct {
	unsigned needs, takes;
} types[ALERT_CHANNEL_TYPES] = {
	[ALERT_WEBHOOK] = { URL, SECRET },
	[ALERT_SLACK] = { URL, 0 },
	[ALERT_TEAMS] = { URL, 0 },
	[ALERT_DISCORD] = { URL, 0 },
	[ALERT_MATTERMOST] = { URL, 0 },
	[ALERT_TELEGRAM] = { TOKEN | CHAT_ID, SERVER },
	[ALERT_NTFY] = { TOPIC, SERVER | TOKEN },
	[ALERT_PAGERDUTY] = { ROUTING_KEY, SERVER },
	[ALERT_GOOGLE_CHAT] = { URL, 0 },
	[ALERT_CUSTOM] = { URL | BODY, 0 },
	[ALERT_EMAIL] = { EMAIL, 0 },
};

/* clang-format off */
static const struct field create_rows[] = {
	ALERT_CHANNEL_FIELDS(FIELD_OF_FORM, struct alert_channel_input, FIELD_REQUIRED)
};
static const struct field update_rows[] = {
	ALERT_CHANNEL_FIELDS(FIELD_OF_FORM, struct alert_channel_input, 0)
};
static const struct field resource_rows[] = {
	ALERT_CHANNEL_FIELDS(FIELD_OF_RESOURCE, struct alert_channel, 0)
};
static const struct field operator_rows[] = {
	ALERT_CHANNEL_FIELDS(FIELD_OF_RESOURCE, struct alert_channel, 0)
	FIELD(struct alert_channel, account_id),
};
/* clang-format on */
const struct fields alert_channel_create_fields = { create_rows, ARRAY_LEN(create_rows) };
const struct fields alert_channel_update_fields = { update_rows, ARRAY_LEN(update_rows) };
const struct fields alert_channel_resource_fields = { resource_rows, ARRAY_LEN(resource_rows) };
const struct fields alert_channel_fields = { operator_rows, ARRAY_LEN(operator_rows) };

enum alert_event alert_event_of(enum event_kind kind)
{
	switch (kind) {
	case EVENT_INCIDENT_OPENED:
		return ALERT_DOWN;
	case EVENT_INCIDENT_RESOLVED:
		return ALERT_UP;
	case EVENT_INCIDENT_ACKNOWLEDGED:
	case EVENT_INCIDENT_UNACKNOWLEDGED:
		return ALERT_ACKNOWLEDGED;
	case EVENT_CERTIFICATE_EXPIRING:
	case EVENT_DOMAIN_EXPIRING:
	case EVENT_ISSUER_CHANGED:
		return ALERT_CERTIFICATE;
	case EVENT_CHECKER_CUT_OFF:
	case EVENT_CHECKER_RECONNECTED:
		return ALERT_CHECKER;
	default:
		if (!event_is_told(kind))
			return ALERT_NO_EVENT;
		return event_kind_object(kind) == EVENT_OF_MAINTENANCE ? ALERT_MAINTENANCE
								       : ALERT_UPDATES;
	}
}

/* Returns the event that the word names; ALERT_NO_EVENT for any other text. */
static enum alert_event event_named(struct str word)
{
	int event = str_place(alert_event_words, word);
	return event < 0 ? ALERT_NO_EVENT : (enum alert_event)event;
}

/* Removes the next word from a list that is separated by commas. Returns false at the end. */
static bool take_word(struct str *rest, struct str *word)
{
	if (rest->len == 0 || !str_split(rest, ',', word))
		return false;
	*word = str_trim(*word);
	return true;
}

bool alert_channel_hears(const struct alert_channel *channel, enum alert_event event)
{
	struct str rest = str_from(channel->events), word;
	if (event == ALERT_NO_EVENT)
		return false;
	while (take_word(&rest, &word))
		if (event_named(word) == event)
			return true;
	return !channel->events;
}

static void check_events(const struct alert_channel_input *input, struct violations *violations)
{
	struct str rest = str_from(input->events), word;
	while (take_word(&rest, &word))
		if (event_named(word) == ALERT_NO_EVENT) {
			violations_add(violations, "events",
				       "The events field must be a list of down, up, acknowledged, "
				       "updates, maintenance, certificate and checker.");
			return;
		}
}

/* Returns the minutes since midnight for a text such as "22:30"; -1: any other text. */
static int minutes_of(const char *text)
{
	if (!text || strlen(text) != 5 || text[2] != ':')
		return -1;
	for (int i = 0; i < 5; i++)
		if (i != 2 && (text[i] < '0' || text[i] > '9'))
			return -1;
	int hour = (text[0] - '0') * 10 + text[1] - '0',
	    minute = (text[3] - '0') * 10 + text[4] - '0';
	return hour < 24 && minute < 60 ? hour * 60 + minute : -1;
}

static void check_time(const char *name, const char *text, struct violations *violations)
{
	if (text && minutes_of(text) < 0)
		violations_add(violations, name, "The %s field must be a time such as 22:00.",
			       violation_label(violations->arena, name));
}

void alert_channel_check(struct alert_channel_input *input, struct fields form,
			 struct field_set sent, struct arena *arena, struct violations *violations)
{
	fields_check_texts(form, input, sent, arena, violations);
	check_events(input, violations);
	check_time("quiet_from", input->quiet_from, violations);
	check_time("quiet_until", input->quiet_until, violations);
	if (input->time_zone && !zone_find(input->time_zone))
		violations_add(violations, "time_zone",
			       "The time zone field must be an IANA zone, such as Europe/Berlin.");
}

void alert_channel_merge(struct alert_channel *row, const struct alert_channel_input *input,
			 struct field_set sent)
{
	const struct alert_channel_value value = row->value;
	ALERT_CHANNEL_FIELDS(FIELD_MERGE, ALERT_CHANNEL_FIELD_, 0)
	row->value = value;
}

static const char **member_of(struct alert_channel_value *value, size_t place)
{
	return FIELD_AT(value, &value_rows[place], const char *);
}

static const char *address_of(const struct alert_channel *row, struct arena *arena)
{
	const struct alert_channel_value *value = &row->value;
	const char *url = value->url ? value->url : value->server;
	const char *host = url ? web_url_host(arena, url) : NULL;
	switch ((enum alert_channel_type)row->type) {
	case ALERT_EMAIL:
		return value->email;
	case ALERT_TELEGRAM:
		return value->chat_id;
	case ALERT_NTFY:
		return value->topic;
	case ALERT_PAGERDUTY:
		return host ? host : "events.pagerduty.com";
	default:
		return host;
	}
}

/* If the secret was replaced, sets former_secret. Messages are then signed with both secrets for a
 * while, since receivers may not know the new secret yet. */
static void keep_former(struct alert_channel_value *value, const struct alert_channel_value *before,
			struct instant now, struct arena *arena)
{
	char at[INSTANT_TEXT_SIZE];
	bool is_other = before->secret && strcmp(before->secret, value->secret) != 0;
	value->former_secret = is_other ? before->secret : before->former_secret;
	value->rotated_at = is_other ? arena_strdup(arena, instant_format(now, at))
				     : before->rotated_at;
}

void alert_channel_merge_value(struct alert_channel *row, const struct alert_channel_value *sent,
			       bool is_other_type, struct instant now, struct arena *arena)
{
	struct alert_channel_value value = *sent;
	const char *before = row->value.server ? row->value.server : "";
	/*
	 * People can change a channel, but cannot see its secrets. So drop the secrets if the type
	 * or the server changes: otherwise these people could have the secrets sent to a server of
	 * their own.
	 */
	bool is_elsewhere = is_other_type || strcmp(before, value.server ? value.server : "") != 0;
	for (size_t i = 0; i < ALERT_CHANNEL_SECRETS && !is_elsewhere; i++)
		if (!*member_of(&value, i))
			*member_of(&value, i) = *member_of(&row->value, i);
	if (!is_elsewhere && value.secret)
		keep_former(&value, &row->value, now, arena);
	row->value = value;
	row->address = address_of(row, arena);
}

/* Returns whether the text is a secret for webhooks: whsec_ and 24 to 64 bytes in base64 (Standard
 * Webhooks 1.0.2). */
static bool is_secret(const char *text)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				      "0123456789+/";
	const char *rest = strncmp(text, "whsec_", 6) == 0 ? text + 6 : "";
	size_t len = strspn(rest, letters), padding = strspn(rest + len, "=");
	return len >= 32 && len <= 86 && padding <= 2 && (len + padding) % 4 == 0 &&
	       rest[len + padding] == '\0';
}

/* Checks a text that becomes part of a header or an address. */
static void check_plain(const char *path, const char *text, struct violations *violations)
{
	for (; text && *text; text++)
		if (*text <= ' ' || *text >= 0x7f) {
			violations_add(
				violations, path,
				"The token of the value must be of visible ASCII characters.");
			return;
		}
}

unsigned alert_channel_members(int type)
{
	return types[type].needs | types[type].takes;
}

static void check_members(const struct alert_channel *row, struct violations *violations)
{
	for (size_t i = 0; i < alert_channel_value_fields.count; i++) {
		unsigned bit = 1U << i;
		bool is_set = *FIELD_AT_CONST(&row->value, &value_rows[i], const char *) != NULL;
		const char *name = value_rows[i].name, *word = alert_channel_type_words[row->type];
		const char *path = arena_printf(violations->arena, "value.%s", name);
		if (types[row->type].needs & bit && !is_set)
			violations_add(violations, path,
				       "The %s of the value is required for a channel of type %s.",
				       name, word);
		else if (is_set && !((types[row->type].needs | types[row->type].takes) & bit))
			violations_add(
				violations, path,
				"The %s of the value cannot be used by a channel of type %s.", name,
				word);
	}
}

void alert_channel_check_whole(const struct alert_channel *row, struct violations *violations)
{
	const struct alert_channel_value *value = &row->value;
	check_members(row, violations);
	for (size_t i = 0; i < 2; i++) {
		const char *url = i == 0 ? value->url : value->server;
		if (url && (!web_url_is_valid(url) || web_url_has_user(url)))
			violations_add(violations, i == 0 ? "value.url" : "value.server",
				       "The %s of the value must be an absolute http or https URL "
				       "without a user.",
				       i == 0 ? "url" : "server");
	}
	if (value->email && !mail_address_ascii(violations->arena, value->email))
		violations_add(violations, "value.email",
			       "The email of the value must be an address such as "
			       "ops@example.org, with ASCII letters before the @.");
	check_plain("value.token", value->token, violations);
	if (value->secret && !is_secret(value->secret))
		violations_add(
			violations, "value.secret",
			"The secret of the value must be whsec_ and 24 to 64 bytes in base64.");
	if (!row->quiet_from != !row->quiet_until)
		violations_add(violations, row->quiet_from ? "quiet_until" : "quiet_from",
			       "The %s field is required for quiet hours.",
			       row->quiet_from ? "quiet until" : "quiet from");
}

void alert_channel_hide(struct alert_channel *row)
{
	for (size_t i = 0; i < ALERT_CHANNEL_SECRETS; i++)
		*member_of(&row->value, i) = NULL;
	row->value.former_secret = row->value.rotated_at = NULL;
}

/* Returns the end of the quiet hours that contain `at`; outside of quiet hours, returns `at`. */
static struct instant end_of_quiet(const struct alert_channel *channel, struct instant at)
{
	enum { DAY_MINUTES = 24 * 60 };
	int from = minutes_of(channel->quiet_from), until = minutes_of(channel->quiet_until);
	const struct zone *zone = channel->time_zone ? zone_find(channel->time_zone) : NULL;
	if (!zone)
		zone = zone_utc();
	struct local_time local = zone_local(zone, at);
	int now = local.hour * 60 + local.minute;
	bool is_quiet = from < until ? now >= from && now < until : now >= from || now < until;
	if (from < 0 || until < 0 || from == until || !is_quiet)
		return at;
	const int64_t minutes = until > now ? until - now : until - now + DAY_MINUTES;
	const struct instant same_offset = { at.s + minutes * 60 - local.second };
	local.day += now >= until;
	local.hour = until / 60;
	local.minute = until % 60;
	local.second = 0;
	/* zone_instant() returns the first moment of a local time that occurs twice. This moment
	 * may have passed. */
	struct instant end = zone_instant(zone, &local);
	return end.s > at.s ? end : same_offset;
}

struct instant alert_channel_due(const struct alert_channel *channel, enum alert_event event,
				 struct instant at, struct instant now)
{
	struct instant due = { at.s + (event == ALERT_DOWN ? channel->delay : 0) };
	return end_of_quiet(channel, due.s > now.s ? due : now);
}
