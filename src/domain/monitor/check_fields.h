/*
 * The fields by which a monitor is checked, a row for each: see domain/field_table.h. They belong
 * to the forms and the resource of a monitor (domain/monitor/monitor_fields.h). A separate table
 * stores them, since most statements about monitors do not need them. These rows yield the members
 * of struct check_settings, the columns of the statements in store/check/, and the values of a
 * monitor without a row in the separate table (.initial).
 */
#ifndef DOMAIN_MONITOR_CHECK_FIELDS_H
#define DOMAIN_MONITOR_CHECK_FIELDS_H

#include "domain/monitor/check_quorum.h"
#include "domain/field_table.h"

/* clang-format off */
#define CHECK_FIELDS(ROW, of) \
	ROW(of, SIDE, int, type, .flags = FIELD_AS_WORD, .choices = check_type_words, \
	    .initial = "external", \
	    .text = "How the system is checked. external: Daymark does not check it, monitoring " \
		    "reports its state. heartbeat: the system itself reports, by heartbeat_url.") \
	ROW(of, SIDE, int64_t, interval, .flags = FIELD_SECONDS, .min = 1, \
	    .max = CHECK_INTERVAL_MAX_S, .initial = "60", \
	    .text = "The time from the start of a check to the start of the next.") \
	ROW(of, SIDE, int64_t, timeout, .flags = FIELD_SECONDS, .min = 1, \
	    .max = CHECK_TIMEOUT_MAX_S, .initial = "10", \
	    .text = "The time after which a check without a result has failed. It may be longer " \
		    "than the interval: a check that still runs is not started twice.") \
	ROW(of, SIDE, int64_t, confirmations, .min = 1, .max = CHECK_CONFIRMATIONS_MAX, \
	    .initial = "2", \
	    .text = "How many checks in a row fail before the system counts as down. The first " \
		    "repetition is immediate.") \
	ROW(of, SIDE, int64_t, recoveries, .min = 1, .max = CHECK_CONFIRMATIONS_MAX, \
	    .initial = "1", \
	    .text = "How many checks in a row succeed before the system counts as up again.") \
	ROW(of, SIDE, int64_t, slow_ms, \
	    .label = "Slow from (ms)", .flags = FIELD_ZERO_IS_NULL, .max = CHECK_SLOW_MAX_MS, \
	    .text = "A slower response, in milliseconds, is degraded performance; null: never.") \
	ROW(of, SIDE, int64_t, depends_on_id, .flags = FIELD_ZERO_IS_NULL, .max = INT64_MAX, \
	    .text = "Another monitor of the account. While the other is down, failures of this " \
		    "monitor are not reported.") \
	ROW(of, SIDE, int, request_method, .flags = FIELD_AS_WORD, .choices = check_method_words, \
	    .initial = "GET", .text = "http: the method of the request.") \
	ROW(of, APART, struct field_rows, request_headers, \
	    FIELD_MEMBERS(struct check_header, &check_header_fields), .max = CHECK_HEADERS_MAX, \
	    .text = "http: further headers of the request. A value is stored encrypted and never " \
		    "shown if the key contains auth, cookie, token, secret, key or password; if " \
		    "such a header is sent without a value, the stored value stays.") \
	ROW(of, SIDE, const char *, request_body, .flags = FIELD_EXACT, \
	    .max_bytes = CHECK_BODY_MAX_BYTES, \
	    .text = "http: the body of the request. All who may read the monitor see it: " \
		    "secrets belong into request_headers or request_auth_password.") \
	ROW(of, SIDE, const char *, request_auth_username, .max_chars = 255, \
	    .text = "http: the user of basic authentication.") \
	ROW(of, SENT, const char *, request_auth_password, .flags = FIELD_EXACT | FIELD_SECRET, \
	    .max_bytes = CHECK_PASSWORD_MAX_BYTES, \
	    .text = "http: the password of basic authentication. Stored encrypted whenever it is " \
		    "sent; empty removes it. Never returned.") \
	ROW(of, SHOWN, bool, has_request_auth_password, \
	    .text = "Whether that password is stored.") \
	ROW(of, SIDE, bool, cache_buster, \
	    .text = "http: whether each request has a parameter with another value, so that no " \
		    "cache responds.") \
	ROW(of, SIDE, const char *, expected_statuses, .max_chars = 255, \
	    .text = "http: the statuses of success, such as 200-299,401; empty: 200-299.") \
	ROW(of, SIDE, bool, follow_redirects, .initial = "true", \
	    .text = "http: whether redirects are followed, up to ten.") \
	ROW(of, SIDE, bool, verify_tls, .initial = "true", \
	    .text = "http, tls: whether the chain and the name of the certificate are verified.") \
	ROW(of, SIDE, int, alert_condition, .flags = FIELD_AS_WORD, \
	    .choices = check_condition_words, .initial = "url_unavailable", \
	    .text = "http: when a response counts as a failure. url_unavailable: by its status " \
		    "alone; url_text: also if alert_text_lookup is in it; url_no_text: also if " \
		    "that text is missing; json: also if the value at json_path does not fit " \
		    "json_operator and json_value.") \
	ROW(of, SIDE, const char *, alert_text_lookup, .flags = FIELD_EXACT, .max_chars = 1000, \
	    .text = "http: the text that url_text and url_no_text look for.") \
	ROW(of, SIDE, const char *, json_path, .max_chars = 255, \
	    .text = "http: the place of a value in JSON, such as checks[0].status.") \
	ROW(of, SIDE, int, json_operator, .flags = FIELD_AS_WORD, \
	    .choices = check_operator_words, .initial = "=", \
	    .text = "http: how the value is compared; < and > compare numbers.") \
	ROW(of, SIDE, const char *, json_value, .flags = FIELD_NUMBER_TOO, .max_chars = 255, \
	    .text = "http: the value that the response must have.") \
	ROW(of, SIDE, const char *, tcp_send, .flags = FIELD_EXACT, .max_chars = 1000, \
	    .text = "tcp: the text that is sent after connecting; \\r, \\n and \\t stand " \
		    "for control characters. All who may read the monitor see it.") \
	ROW(of, SIDE, const char *, tcp_expect, .flags = FIELD_EXACT, .max_chars = 1000, \
	    .text = "tcp: the text that the response must contain.") \
	ROW(of, SIDE, int, dns_type, .flags = FIELD_AS_WORD, .choices = check_dns_words, \
	    .initial = "A", .text = "dns: the type of the records.") \
	ROW(of, SIDE, const char *, dns_server, .max_chars = 255, \
	    .text = "dns: the server that is asked, as address or address:port; empty: the " \
		    "system's.") \
	ROW(of, SIDE, const char *, dns_expected, .max_chars = 1000, \
	    .text = "dns: a value that a record must have, as in a zone file: " \
		    "10 mail.example.org for MX; empty: any record is enough.") \
	ROW(of, SIDE, int64_t, ssl_alert_days, .max = CHECK_DAYS_MAX, .initial = "14", \
	    .text = "http, tls: how many days before a certificate expires an event tells so: 1, " \
		    "2, 3, 7, 14, 30 or 60; 0: never.") \
	ROW(of, SIDE, int64_t, domain_alert_days, .max = CHECK_DAYS_MAX, \
	    .text = "How many days before the registration of the domain expires an event tells " \
		    "so: 1, 2, 3, 7, 14, 30 or 60; 0: never.") \
	ROW(of, SIDE, bool, issuer_alert, \
	    .text = "http, tls: whether an event tells that another authority has issued the " \
		    "certificate.") \
	ROW(of, SIDE, int64_t, period, .flags = FIELD_SECONDS | FIELD_ZERO_IS_NULL, \
	    .max = CHECK_PERIOD_MAX_S, \
	    .text = "heartbeat: the time from one heartbeat to the next; required for this type.") \
	ROW(of, SIDE, int64_t, grace, .flags = FIELD_SECONDS, .max = CHECK_PERIOD_MAX_S, \
	    .initial = "60", .text = "heartbeat: how late a heartbeat may be.") \
	ROW(of, SIDE, const char *, locations, .max_chars = 600, \
	    .text = "Where the system is checked: up to 16 names of locations, separated by " \
		    "commas; empty: where Daymark runs. Not for heartbeats.") \
	ROW(of, SIDE, int64_t, quorum, .flags = FIELD_ZERO_IS_NULL, .max = CHECK_LOCATIONS_MAX, \
	    .text = "How many of the locations must find the system down; null: more than half.")
/* clang-format on */

#endif
