/*
 * Alert channels: the services by which an account hears of its systems, and the rules of their
 * fields (contract section 14).
 */
#ifndef DOMAIN_NOTIFY_ALERT_CHANNEL_H
#define DOMAIN_NOTIFY_ALERT_CHANNEL_H

#include "domain/notify/alert_channel_fields.h"
#include "domain/event.h"

enum {
	ALERT_CHANNEL_NAME_MAX_CHARS = 255,
	ALERT_CHANNEL_URL_MAX_BYTES = 2048,
	ALERT_CHANNEL_TEXT_MAX_BYTES = 255, /* of the other members of a value */
	ALERT_CHANNEL_BODY_MAX_BYTES = 16 * 1024,
	ALERT_CHANNEL_EVENTS_MAX_BYTES = 255,
	ALERT_CHANNEL_DELAY_MAX_S = 86400,
	ALERT_CHANNEL_REMINDER_MIN_S = 300,
	ALERT_CHANNEL_FORMER_S = 86400, /* so long a former secret signs beside the new one */
};
#define ALERT_CHANNEL_TIME "^([01][0-9]|2[0-3]):[0-5][0-9]$"

/* In the order of alert_channel_type_words; the database has the numbers. */
enum alert_channel_type {
	ALERT_WEBHOOK,
	ALERT_SLACK,
	ALERT_TEAMS,
	ALERT_DISCORD,
	ALERT_MATTERMOST,
	ALERT_TELEGRAM,
	ALERT_NTFY,
	ALERT_PAGERDUTY,
	ALERT_GOOGLE_CHAT,
	ALERT_CUSTOM,
	ALERT_EMAIL,
	ALERT_CHANNEL_TYPES,
};
extern const char *const alert_channel_type_words[];

/* What a channel can hear of, in the order of alert_event_words. */
enum alert_event {
	ALERT_DOWN,
	ALERT_UP,
	ALERT_ACKNOWLEDGED,
	ALERT_UPDATES,
	ALERT_MAINTENANCE,
	ALERT_CERTIFICATE,
	ALERT_CHECKER,
	ALERT_EVENTS,
	ALERT_NO_EVENT = ALERT_EVENTS,
};
extern const char *const alert_event_words[];
/* What an event is for channels. */
enum alert_event alert_event_of(enum event_kind kind);

/* Where a service receives messages. NULL: not set. */
struct alert_channel_value {
	const char *url;	 /* secret, as the next three */
	const char *token;	 /* of a bot or a user */
	const char *routing_key; /* of PagerDuty */
	const char *secret;	 /* whsec_…: signs webhooks (Standard Webhooks) */
	const char *chat_id;
	const char *server; /* of telegram, ntfy and pagerduty; NULL: the public one */
	const char *topic;
	const char *email;
	const char *body; /* a template */
	/* Of a secret that was replaced; secret, and no part of requests and responses. */
	const char *former_secret;
	const char *rotated_at; /* when it was replaced */
};
extern const struct fields alert_channel_value_fields;
extern const struct fields alert_channel_sealed_fields; /* with all members, as it is stored */
/* The members that responses do not show: the first rows of alert_channel_value_fields. */
enum { ALERT_CHANNEL_SECRETS = 4 };

struct alert_channel {
	ALERT_CHANNEL_FIELDS(FIELD_MEMBER, , 0)
	/* The value as it is stored, encrypted; `value` has no secrets unless the value was opened.
	 */
	const char *sealed_value;
};
struct alert_channel_input {
	ALERT_CHANNEL_FIELDS(FIELD_INPUT, , 0)
};
enum alert_channel_field { ALERT_CHANNEL_FIELDS(FIELD_PLACE, ALERT_CHANNEL_FIELD_, 0) };

extern const struct fields alert_channel_create_fields;
extern const struct fields alert_channel_update_fields;
extern const struct fields alert_channel_resource_fields;
extern const struct fields alert_channel_fields; /* for operators: with the account */

/* Brings the input into its stored form, and adds violations for values that are wrong alone. */
void alert_channel_check(struct alert_channel_input *input, struct fields form,
			 struct field_set sent, struct arena *arena, struct violations *violations);
/* Copies the sent fields, but the value, to the channel. */
void alert_channel_merge(struct alert_channel *row, const struct alert_channel_input *input,
			 struct field_set sent);
/*
 * Sets the opened value of the channel to what the input says; a secret that was not sent stays,
 * unless the type or the server has changed. The secret of a webhook that is replaced at `now`
 * becomes the former secret. Sets the address.
 */
void alert_channel_merge_value(struct alert_channel *row, const struct alert_channel_value *sent,
			       bool is_other_type, struct instant now, struct arena *arena);
/* Adds violations of rules for several fields; row->value is opened. */
void alert_channel_check_whole(const struct alert_channel *row, struct violations *violations);
/* Removes the secrets from row->value, for a response. */
void alert_channel_hide(struct alert_channel *row);

/* Which members of the value a channel of the type has: a bit for each row of
 * alert_channel_value_fields. */
unsigned alert_channel_members(int type);
/* Whether the channel wants to hear of it. */
bool alert_channel_hears(const struct alert_channel *channel, enum alert_event event);
/*
 * When a message for the channel of an event at `at` is due, not before `now`: after the delay of
 * the channel if a system is down, and not in quiet hours.
 */
struct instant alert_channel_due(const struct alert_channel *channel, enum alert_event event,
				 struct instant at, struct instant now);

#endif
