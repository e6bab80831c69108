#include "domain/monitor/check_exchange.h"

#include <stdio.h>

#include "base/attr.h"

#define ID_TEXT		   "The id of the monitor."
#define STATE(member, ...) FIELD_NAMED(struct check_finding, state.member, #member, __VA_ARGS__)
/* clang-format off */
#define STATE_ROWS \
	FIELD_NAMED(struct check_finding, state.phase, "state", .flags = FIELD_AS_WORD, \
		    .choices = check_phase_words, \
		    .text = "What the location says; no_data: it cannot tell, and has no vote."), \
	STATE(since, .text = "Since when."), \
	STATE(checked_at, .text = "The start of the last check."), \
	STATE(failing_since, .text = "The first failure of the present series."), \
	STATE(well_since, .text = "Since when the system is up and not slow."), \
	STATE(failures, .max = INT32_MAX, .text = "Failures, or slow checks, in a row."), \
	STATE(successes, .max = INT32_MAX, .text = "Successes in a row, while it is down."), \
	STATE(is_slow, .text = "Whether it is slow."), \
	STATE(changes, .max = CHECK_FLAPS, \
	      .text = "Changes of well, slow and down in 20 minutes."), \
	STATE(changes_since, .text = "The first of these changes."), \
	STATE(is_flapping, .text = "Whether it is unstable."), \
	STATE(response_ms, .max = INT32_MAX, .text = "Of the last successful check."), \
	FIELD(struct check_finding, cause, .max_bytes = CHECK_CAUSE_MAX_BYTES, \
	      .text = "The cause of the last failure."), \
	FIELD(struct check_finding, tls_expires_at, .text = "When the certificate expires."), \
	FIELD(struct check_finding, tls_issuer, .max_bytes = 255, .text = "Who has issued it.")
#define SUM(of, path, member, ...) FIELD_NAMED(of, path member, #member, __VA_ARGS__)
#define SUM_ROWS(of, path) \
	SUM(of, path, hour, .text = "The start of the hour."), \
	SUM(of, path, checks, .max = 0xffffff, .text = "Checks in this hour so far."), \
	SUM(of, path, failures, .max = 0xffffff, .text = "Those of them that have failed."), \
	SUM(of, path, response_sum_ms, .max = INT64_MAX, \
	    .text = "The sum of the response times of the successful checks."), \
	SUM(of, path, response_min_ms, .max = 0xffffff, .text = "The shortest of them."), \
	SUM(of, path, response_max_ms, .max = 0xffffff, .text = "The longest of them.")
/* clang-format on */

static const struct field finding_rows[] = {
	FIELD(struct check_finding, monitor_id, .flags = FIELD_REQUIRED, .min = 1, .max = INT64_MAX,
	      .text = ID_TEXT),
	STATE_ROWS,
};
static const struct fields finding_fields = { finding_rows, ARRAY_LEN(finding_rows) };

static const struct field hour_rows[] = {
	FIELD(struct check_found_hour, monitor_id, .flags = FIELD_REQUIRED, .min = 1,
	      .max = INT64_MAX, .text = ID_TEXT),
	SUM_ROWS(struct check_found_hour, sums.),
};
static const struct fields hour_fields = { hour_rows, ARRAY_LEN(hour_rows) };

static const struct field findings_rows[] = {
	FIELD(struct check_findings, states, FIELD_MEMBERS(struct check_finding, &finding_fields),
	      .max = CHECK_FINDINGS_MAX, .text = "The states of monitors that were checked."),
	FIELD(struct check_findings, hours, FIELD_MEMBERS(struct check_found_hour, &hour_fields),
	      .max = CHECK_FINDINGS_MAX, .text = "The sums of hours."),
};
const struct fields check_findings_fields = { findings_rows, ARRAY_LEN(findings_rows) };

static const struct field known_rows[] = { STATE_ROWS };
static const struct fields known_fields = { known_rows, ARRAY_LEN(known_rows) };
static const struct field sum_rows[] = { SUM_ROWS(struct check_hour, ) };
static const struct fields sum_fields = { sum_rows, ARRAY_LEN(sum_rows) };

static const struct field order_rows[] = {
	FIELD(struct check_order, id, .flags = FIELD_NOT_EMPTY, .max = INT64_MAX, .text = ID_TEXT),
	FIELD(struct check_order, name, .text = "The name of the monitor."),
	FIELD(struct check_order, is_paused, .text = "Whether it is not to be checked now."),
	/* clang-format off */
	CHECK_FIELDS(FIELD_OF_MEMBERS, struct check_settings)
	/* clang-format on */
	FIELD(struct check_settings, url, .max_bytes = 8192, .text = "What is checked."),
	FIELD(struct check_settings, request_auth_password, .flags = FIELD_EXACT,
	      .max_bytes = CHECK_PASSWORD_MAX_BYTES,
	      .text = "http: the password of basic authentication."),
	FIELD(struct check_settings, has_lost_secrets,
	      .text = "Whether a secret cannot be decrypted: the system cannot be checked."),
	FIELD(struct check_order, finding, FIELD_MEMBERS(struct check_finding, &known_fields),
	      .text = "What the location has found before."),
	FIELD(struct check_order, hour, FIELD_MEMBERS(struct check_hour, &sum_fields),
	      .text = "The newest sums of the location."),
};
const struct fields check_order_fields = { order_rows, ARRAY_LEN(order_rows) };

static const struct field query_rows[] = {
	FIELD(struct check_orders_query, after, .max = INT64_MAX,
	      .text = "The list goes on behind the monitor with this id: next of the part "
		      "before."),
};
const struct fields check_orders_query_fields = { query_rows, ARRAY_LEN(query_rows) };

void check_findings_settle(struct check_findings *findings, struct instant now,
			   struct violations *violations)
{
	enum { HOUR_S = 3600, KEPT_S = 14 * 86400 };
	struct check_finding *states = findings->states.rows;
	struct check_found_hour *hours = findings->hours.rows;
	for (size_t i = 0; i < findings->states.count; i++) {
		struct check_state *state = &states[i].state;
		struct instant *const times[] = { &state->since, &state->checked_at,
						  &state->failing_since, &state->well_since,
						  &state->changes_since };
		for (size_t at = 0; at < ARRAY_LEN(times); at++)
			if (times[at]->s > now.s)
				*times[at] = now;
		snprintf(state->cause, sizeof(state->cause), "%s",
			 states[i].cause ? states[i].cause : "");
	}
	size_t kept = 0;
	for (size_t i = 0; i < findings->hours.count; i++) {
		int64_t hour_s = hours[i].sums.hour.s;
		char field[64];
		snprintf(field, sizeof(field), "hours.%zu.hour", i);
		if (hour_s % HOUR_S != 0 && !violations_has(violations, field))
			violations_add(violations, field,
				       "The %s field must be the start of an hour.", field);
		if (hour_s <= now.s && hour_s >= now.s - KEPT_S)
			hours[kept++] = hours[i];
	}
	findings->hours.count = kept;
}
