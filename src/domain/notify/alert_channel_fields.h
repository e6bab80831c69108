/*
 * The fields of an alert channel, a row for each: see domain/field_table.h. These rows yield the
 * structs, the forms of create and update, JSON, and the columns in store/notify/alert_channel.c.
 */
#ifndef DOMAIN_NOTIFY_ALERT_CHANNEL_FIELDS_H
#define DOMAIN_NOTIFY_ALERT_CHANNEL_FIELDS_H

#include "domain/field_table.h"

/* clang-format off */
#define ALERT_CHANNEL_FIELDS(ROW, of, needed) \
	ROW(of, SHOWN, int64_t, id, .min = 1, .max = INT64_MAX) \
	ROW(of, INNER, int64_t, account_id, .min = 1, .max = INT64_MAX) \
	ROW(of, SET, const char *, name, .flags = FIELD_NOT_EMPTY | (needed), \
	    .max_chars = ALERT_CHANNEL_NAME_MAX_CHARS, .text = "The name of the channel.") \
	ROW(of, SET, int, type, .flags = FIELD_AS_WORD | (needed), \
	    .choices = alert_channel_type_words, \
	    .text = "The service that receives the messages.") \
	ROW(of, APART, struct alert_channel_value, value, .label = "Receiver", \
	    FIELD_MEMBERS(struct alert_channel_value, &alert_channel_value_fields), \
	    .text = "Where the service receives messages. Stored encrypted; secret members are " \
		    "null in responses, and a secret member that is not sent keeps its value.") \
	ROW(of, READ, const char *, address, .flags = FIELD_NOT_EMPTY, \
	    .text = "The receiver without secrets, such as hooks.slack.com.") \
	ROW(of, SET, bool, is_enabled, .initial = "true", .option = "enabled", \
	    .option_off = "disabled", .text = "Whether messages are sent.") \
	ROW(of, SET, bool, takes_all_monitors, \
	    .label = "Hears of all systems", .option = "all-monitors", \
	    .text = "Whether the channel hears of all monitors of the account. Otherwise it " \
		    "hears of monitors that have it in alert_channel_ids.") \
	ROW(of, SET, const char *, events, .max_bytes = ALERT_CHANNEL_EVENTS_MAX_BYTES, \
	    .text = "What the channel hears of, separated by commas: down, up, acknowledged, " \
		    "updates, maintenance, certificate, checker. Empty: all of them.") \
	ROW(of, SET, int64_t, delay, .flags = FIELD_SECONDS, .max = ALERT_CHANNEL_DELAY_MAX_S, \
	    .text = "How long a system is down before the channel hears of it. If the system is " \
		    "up again before, the channel hears nothing.") \
	ROW(of, SET, int64_t, reminder, .flags = FIELD_SECONDS | FIELD_ZERO_IS_NULL, \
	    .min = ALERT_CHANNEL_REMINDER_MIN_S, .max = ALERT_CHANNEL_DELAY_MAX_S, \
	    .text = "After which time the channel is told again that a system is still down; " \
		    "null: never.") \
	ROW(of, SET, const char *, quiet_from, .max_bytes = 5, .pattern = ALERT_CHANNEL_TIME, \
	    .text = "The start of the quiet hours, such as 22:00. Messages of quiet hours are " \
		    "sent at their end, unless what they say is over by then. null: none.") \
	ROW(of, SET, const char *, quiet_until, .max_bytes = 5, .pattern = ALERT_CHANNEL_TIME, \
	    .text = "The end of the quiet hours, such as 07:00.") \
	ROW(of, SET, const char *, time_zone, .max_bytes = 64, .option = "zone", \
	    .text = "The IANA zone of the quiet hours, such as Europe/Berlin; null: UTC.") \
	ROW(of, READ, struct instant, suspended_at, \
	    .text = "When the receiver refused the channel, so that nothing is sent; null: it " \
		    "did not. A change of the channel ends the suspension.") \
	ROW(of, READ, const char *, suspension, .text = "What the receiver said then.") \
	ROW(of, FIRST, struct instant, created_at, .flags = FIELD_NOT_EMPTY) \
	ROW(of, FIRST, struct instant, updated_at, .flags = FIELD_NOT_EMPTY)
/* clang-format on */

#endif
