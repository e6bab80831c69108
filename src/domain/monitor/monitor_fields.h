/*
 * The fields of a monitor, a row for each: see domain/field_table.h. These rows yield the members
 * of struct monitor and struct monitor_input, the forms of create and update, the merge of both
 * structs, JSON, and the columns of the statements in store/monitor/monitor.c. The fields by which
 * a monitor is checked are in domain/monitor/check_fields.h.
 */
#ifndef DOMAIN_MONITOR_MONITOR_FIELDS_H
#define DOMAIN_MONITOR_MONITOR_FIELDS_H

#include "domain/monitor/check_fields.h"
#include "domain/field_table.h"

/* clang-format off */
#define MONITOR_FIELDS(ROW, of, needed) \
	ROW(of, SHOWN, int64_t, id, .min = 1, .max = INT64_MAX) \
	ROW(of, INNER, int64_t, account_id, .min = 1, .max = INT64_MAX) \
	ROW(of, SET, const char *, name, .flags = FIELD_NOT_EMPTY | FIELD_ON_PAGE | (needed), \
	    .max_chars = MONITOR_NAME_MAX_CHARS, .text = "The name of the system on the pages.") \
	ROW(of, SET, const char *, url, .max_bytes = WEB_URL_MAX_BYTES, \
	    .text = "The address of the system: an absolute http or https URL; HOST:PORT for the " \
		    "type tcp, HOST for ping and dns, HOST or HOST:PORT for tls. Required for " \
		    "these types and for http.") \
	ROW(of, SET, const char *, group, .flags = FIELD_ON_PAGE, \
	    .max_chars = MONITOR_GROUP_MAX_CHARS, \
	    .text = "The group that the system belongs to; pages show its name above them.") \
	ROW(of, SET, const char *, description, .flags = FIELD_ON_PAGE, \
	    .max_chars = MONITOR_DESCRIPTION_MAX_CHARS, \
	    .text = "A description of the system; pages show this text below the name.") \
	ROW(of, SET, int64_t, position, .flags = FIELD_ON_PAGE, .max = MONITOR_POSITION_MAX, \
	    .text = "The place of the system on pages: lower places come first. Systems " \
		    "with the same place are in the order of the page's list.") \
	ROW(of, SET, const char *, label, .max_chars = MONITOR_LABEL_MAX_CHARS, \
	    .text = "NAME=VALUE, by which alerts find the monitor; unique in the account. An " \
		    "empty value removes the label.") \
	ROW(of, SET, struct instant, known_since, \
	    .label = "Record begins", .flags = FIELD_ON_PAGE, .option = "since", \
	    .text = "The start of the record, not in the future; null: no state was ever " \
		    "observed.") \
	ROW(of, SET, bool, is_paused, .option = "paused|pause", .option_off = "resume", \
	    .text = "Whether the system is not checked. Reports of monitoring still count.") \
	CHECK_FIELDS(ROW, of) \
	ROW(of, APART, struct id_list, alert_channel_ids, \
	    .label = "Alert channels", .max = ALERT_CHANNELS_OF_MONITOR_MAX, \
	    .text = "The alert channels that hear of the monitor; a change replaces the whole " \
		    "list. Channels with takes_all_monitors hear of it, too.") \
	ROW(of, SHOWN, const char *, heartbeat_url, .format = "uri", \
	    .text = "heartbeat: the address that the system requests; a request needs no key. " \
		    "null for other types.") \
	ROW(of, SENT, struct instant, maintenance_start_at, .flags = FIELD_ACT, \
	    .text = "With maintenance_end_at: adds a maintenance window of the monitor. Windows " \
		    "are read and changed at /api/v1/maintenances.") \
	ROW(of, SENT, struct instant, maintenance_end_at, .flags = FIELD_ACT, \
	    .text = "The end of that window.") \
	ROW(of, SHOWN, const char *, state, .flags = FIELD_NOT_EMPTY, \
	    .choices = monitor_state_words, \
	    .text = "down while a detected incident is open, or a reported one with impact " \
		    "major_outage, even if paused; maintenance while a window is in progress, " \
		    "unless it was down before or an outage is reported; confirming while the " \
		    "checker repeats a check that has failed; pending before the first check; " \
		    "no_data if no state was ever observed, or the checker cannot observe it " \
		    "now.") \
	ROW(of, MOVING, struct instant, state_since, .text = "null: no state was ever observed.") \
	ROW(of, MOVING, struct instant, checked_at, \
	    .text = "When the system was last checked; null: never.") \
	ROW(of, MOVING, const char *, last_cause, \
	    .text = "The cause of the newest incident, or why the state is confirming or " \
		    "no_data.") \
	ROW(of, MOVING, int64_t, response_ms, \
	    .label = "Response time (ms)", .flags = FIELD_ZERO_IS_NULL, .max = INT64_MAX, \
	    .text = "How long the last successful check took, in milliseconds; null: it is not " \
		    "checked.") \
	ROW(of, MOVING, struct instant, tls_expires_at, \
	    .text = "When the certificate of the system expires; null: not known.") \
	ROW(of, SHOWN, struct instant, domain_expires_at, \
	    .text = "When the registration of the domain expires, as its registry says; null: " \
		    "not known, or domain_alert_days is 0.") \
	ROW(of, MOVING, struct percent, uptime_1d, \
	    .text = "The time without a major outage in the last 24 hours, as a percentage of " \
		    "the time since the start of the record in which the state was observed; " \
		    "maintenance and incidents that are excluded from the uptime do not count. " \
		    "null: no state was observed, the monitor is retired, or the monitors of " \
		    "the response have more than 20,000 incidents or gaps in 90 days.") \
	ROW(of, MOVING, struct percent, uptime_7d, .text = "The same for the last 7 days.") \
	ROW(of, MOVING, struct percent, uptime_30d, \
	    .label = "Uptime, 30 days", .text = "The same for the last 30 days.") \
	ROW(of, MOVING, struct percent, uptime_90d, \
	    .label = "Uptime, 90 days", .text = "The same for the last 90 days.") \
	ROW(of, SHOWN, int64_t, status_page_count, .label = "Pages", .max = INT64_MAX, \
	    .text = "The number of pages that show the monitor.") \
	ROW(of, SHOWN, int64_t, incident_count, .label = "Incidents", .max = INT64_MAX, \
	    .text = "The number of incidents of the monitor.") \
	ROW(of, READ, struct instant, retired_at, \
	    .text = "When the monitor was retired; the incidents remain in the logs.") \
	ROW(of, INNER, struct instant, paused_at) \
	ROW(of, FIRST, struct instant, created_at, .flags = FIELD_NOT_EMPTY) \
	ROW(of, FIRST, struct instant, updated_at, .flags = FIELD_NOT_EMPTY)
/* clang-format on */

#endif
