/*
 * Alert channels: the services that send alerts to the people of an account, and the rules of their
 * fields (contract section 14).
 */
#ifndef DOMAIN_NOTIFY_ALERT_CHANNEL_H
#define DOMAIN_NOTIFY_ALERT_CHANNEL_H

#include "domain/notify/alert_channel_fields.h"
#include "domain/event.h"

enum {
	ALERT_CHANNEL_NAME_MAX_CHARS = 255,
	ALERT_CHANNEL_URL_MAX_BYTES = 2048,
	ALERT_CHANNEL_TEXT_MAX_BYTES = 255, /* for each other member of a value */
	ALERT_CHANNEL_BODY_MAX_BYTES = 16 * 1024,
	ALERT_CHANNEL_EVENTS_MAX_BYTES = 255,
	ALERT_CHANNEL_DELAY_MAX_S = 86400,
	ALERT_CHANNEL_REMINDER_MIN_S = 300,
	ALERT_CHANNEL_FORMER_S = 86400, /* how long messages are signed with both secrets */
};
#define ALERT_CHANNEL_TIME "^([01][0-9]|2[0-3]):[0-5][0-9]$"

/* In the order of alert_channel_type_words. The database stores the numbers. */
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

/* The groups of events that a channel can choose, in the order of alert_event_words. */
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
/* Returns the group with events of this kind; ALERT_NO_EVENT: no group has them. */
enum alert_event alert_event_of(enum event_kind kind);

/* The address and the secrets of a service. NULL: not set. */
struct alert_channel_value {
	const char *url;	 /* secret, as are the next three members */
	const char *token;	 /* for a bot or a user */
	const char *routing_key; /* for PagerDuty */
	const char *secret;	 /* whsec_…: signs webhooks (Standard Webhooks) */
	const char *chat_id;
	const char *server; /* for telegram, ntfy and pagerduty; NULL: the public server */
	const char *topic;
	const char *email;
	const char *body; /* the template of a message */
	/* The former value of `secret`, after it was replaced. It is secret, and is in no request
	 * or response. */
	const char *former_secret;
	const char *rotated_at; /* when `secret` was last replaced */
};
extern const struct fields alert_channel_value_fields;
extern const struct fields alert_channel_sealed_fields; /* all members, as stored */
/* The number of secret members, which responses omit: the first rows of
 * alert_channel_value_fields. */
enum { ALERT_CHANNEL_SECRETS = 4 };

struct alert_channel {
	ALERT_CHANNEL_FIELDS(FIELD_MEMBER, , 0)
	/* The encrypted value, as the database stores it. `value` has its secrets only after this
	 * text was decrypted. */
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

/* Converts the input to its stored form, and adds a violation for each value that no channel may
 * have. */
void alert_channel_check(struct alert_channel_input *input, struct fields form,
			 struct field_set sent, struct arena *arena, struct violations *violations);
/* Copies the fields in `sent`, except for the value, from the input to the channel. */
void alert_channel_merge(struct alert_channel *row, const struct alert_channel_input *input,
			 struct field_set sent);
/*
 * Sets the decrypted value of the channel from the input. A secret that was not sent stays, unless
 * the type or the server has changed. If the secret of a webhook is replaced, the old secret
 * becomes former_secret, and rotated_at becomes `now`. Also sets row->address.
 */
void alert_channel_merge_value(struct alert_channel *row, const struct alert_channel_value *sent,
			       bool is_other_type, struct instant now, struct arena *arena);
/* Adds violations of rules that concern several fields. row->value must be decrypted. */
void alert_channel_check_whole(const struct alert_channel *row, struct violations *violations);
/* Removes the secrets from row->value, for a response. */
void alert_channel_hide(struct alert_channel *row);

/* Returns the members of the value that a channel of the type has: a bit for each row of
 * alert_channel_value_fields. */
unsigned alert_channel_members(int type);
/* Returns whether the channel has chosen the event. */
bool alert_channel_hears(const struct alert_channel *channel, enum alert_event event);
/*
 * Returns when to send the channel a message about an event that happened at `at`. The time is not
 * before `now`, and not in quiet hours. A message that a system is down waits for the channel's
 * delay.
 */
struct instant alert_channel_due(const struct alert_channel *channel, enum alert_event event,
				 struct instant at, struct instant now);

#endif
