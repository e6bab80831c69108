/*
 * The fields of a maintenance window, a row for each: see domain/field_table.h. These rows yield
 * the members of struct maintenance and struct maintenance_input, the forms, the merge, JSON, and
 * the columns of the statements in store/maintenance/maintenance.c.
 */
#ifndef DOMAIN_MAINTENANCE_MAINTENANCE_FIELDS_H
#define DOMAIN_MAINTENANCE_MAINTENANCE_FIELDS_H

#include "domain/field_table.h"

/* clang-format off */
#define MAINTENANCE_FIELDS(ROW, of, needed) \
	ROW(of, SHOWN, int64_t, id, .min = 1, .max = INT64_MAX) \
	ROW(of, INNER, int64_t, account_id, .min = 1, .max = INT64_MAX) \
	ROW(of, SET, const char *, title, .flags = FIELD_NOT_EMPTY | (needed), \
	    .max_chars = MAINTENANCE_TITLE_MAX_CHARS, \
	    .text = "The work that is done, as pages show it.") \
	ROW(of, SET, const char *, body, .label = "Text", .flags = FIELD_PROSE, \
	    .max_chars = MAINTENANCE_BODY_MAX_CHARS, \
	    .text = "A description for visitors: CommonMark without raw HTML.") \
	ROW(of, APART, const char *, status, .flags = FIELD_NOT_EMPTY, \
	    .choices = maintenance_status_words, \
	    .text = "Of the occurrence that is in progress, else of the next, else of the last. " \
		    "cancelled ends a recurring window for good.") \
	ROW(of, APART, struct id_list, monitor_ids, \
	    .label = "Systems", .max = MAINTENANCE_MONITORS_MAX, \
	    .text = "The monitors that are in maintenance; a change replaces the whole list.") \
	ROW(of, SET, const char *, starts_at, \
	    .flags = FIELD_NOT_EMPTY | FIELD_AS_TIME | (needed), \
	    .max_chars = MAINTENANCE_TIME_MAX_CHARS, .option = "start", \
	    .text = "A time; of a recurring window the local time of the first start, without " \
		    "offset.", \
	    .help = "When the work begins; of a window that repeats, when it begins first.") \
	ROW(of, SET, struct instant, ends_at, .option = "end", \
	    .text = "Required without rrule; null in a recurring window.", \
	    .help = "When the work ends; of a window that repeats, when it ends first.") \
	ROW(of, SET, int64_t, duration, .flags = FIELD_ZERO_IS_NULL | FIELD_SECONDS, .min = 1, \
	    .max = MAINTENANCE_DURATION_MAX_S, \
	    .text = "How long each occurrence lasts; required with rrule, null without.") \
	ROW(of, SET, const char *, time_zone, .max_bytes = MAINTENANCE_ZONE_MAX_BYTES, \
	    .option = "zone", \
	    .text = "An IANA zone name, such as Europe/Berlin; required with rrule, null " \
		    "without.", \
	    .help = "Of the start and the end, such as Europe/Berlin; empty: UTC. A window that " \
		    "repeats keeps its local time when the clocks change.") \
	ROW(of, SET, const char *, rrule, \
	    .label = "Repeats", .max_bytes = MAINTENANCE_RRULE_MAX_BYTES, \
	    .usual = recurrence_usual, \
	    .text = "The rule of a recurring window (RFC 5545), such as FREQ=WEEKLY;BYDAY=SA. " \
		    "FREQ is DAILY, WEEKLY, MONTHLY or YEARLY.", \
	    .help = "By the first start. A month without that day is left out; the fifth such " \
		    "weekday of a month counts as the last.") \
	ROW(of, SET, bool, auto_transition, \
	    .label = "Starts and ends by the clock", .initial = "true", \
	    .option = "automatic", .option_off = "manual", \
	    .text = "Whether the clock starts and ends the window; always true with rrule.") \
	ROW(of, SET, int64_t, remind_before, .flags = FIELD_ZERO_IS_NULL | FIELD_SECONDS, \
	    .min = 60, .max = MAINTENANCE_REMIND_MAX_S, .option = "remind", \
	    .text = "How long before each start there is an event maintenance.reminder.") \
	ROW(of, SHOWN, struct instant, next_starts_at, .flags = FIELD_NOT_EMPTY, \
	    .text = "The start of the occurrence that is in progress, else of the next, else of " \
		    "the last.") \
	ROW(of, SHOWN, struct instant, next_ends_at, .flags = FIELD_NOT_EMPTY, \
	    .text = "The end of the same occurrence.") \
	ROW(of, FIRST, struct instant, created_at, .flags = FIELD_NOT_EMPTY) \
	ROW(of, FIRST, struct instant, updated_at, .flags = FIELD_NOT_EMPTY)
/* clang-format on */

#endif
