#include "domain/monitor/check_state.h"

#include <stdio.h>
#include <string.h>

#include "base/attr.h"

const char *const check_phase_words[] = { "pending", "up", "confirming", "down", "no_data", NULL };

static int64_t confirmations(const struct check_settings *settings)
{
	return settings->type == CHECK_HEARTBEAT ? 1 : settings->confirmations;
}

static int64_t recoveries(const struct check_settings *settings)
{
	return settings->type == CHECK_HEARTBEAT ? 1 : settings->recoveries;
}

static void set_cause(struct check_state *state, const char *cause)
{
	snprintf(state->cause, sizeof(state->cause), "%s", cause ? cause : "");
}

void check_hour_add(struct check_hour *hour, bool is_up, int64_t response_ms)
{
	hour->checks++;
	if (!is_up) {
		hour->failures++;
		return;
	}
	if (hour->checks - hour->failures == 1 || response_ms < hour->response_min_ms)
		hour->response_min_ms = response_ms;
	if (response_ms > hour->response_max_ms)
		hour->response_max_ms = response_ms;
	hour->response_sum_ms += response_ms;
}

void check_state_restore(struct check_state *state)
{
	for (size_t i = 0; i < ARRAY_LEN(state->changed_at); i++)
		state->changed_at[i].s = (int64_t)i < state->changes ? state->changes_since.s : 0;
}

/* Changes stored times after `now` to `now`. Returns `at`, but not before the last check, and not
 * after `now`. */
static struct instant settle_times(struct check_state *state, struct instant at, struct instant now)
{
	struct instant *const times[] = {
		&state->since,	       &state->checked_at,    &state->failing_since,
		&state->well_since,    &state->changes_since, &state->changed_at[0],
		&state->changed_at[1], &state->changed_at[2],
	};
	_Static_assert(CHECK_FLAPS == 4, "all times of changes are in the list");
	for (size_t i = 0; i < ARRAY_LEN(times); i++)
		if (times[i]->s > now.s)
			*times[i] = now;
	if (at.s > now.s)
		at = now;
	if (at.s < state->since.s)
		at = state->since;
	return at.s < state->checked_at.s ? state->checked_at : at;
}

/* Ends the phase CHECK_NO_DATA: sets the phase before it, which follows from the other members. */
static void resume(struct check_state *state, struct instant at)
{
	if (state->phase != CHECK_NO_DATA)
		return;
	if (state->failing_since.s != 0)
		state->phase = CHECK_DOWN;
	else
		state->phase = state->well_since.s != 0 || state->is_slow ? CHECK_UP
									  : CHECK_PENDING;
	state->since = state->phase == CHECK_DOWN ? state->failing_since : at;
}

/* Notes a change between well, slow and down. CHECK_FLAPS changes within CHECK_FLAPPING_S make the
 * system unstable. */
static void note_change(struct check_state *state, struct instant at)
{
	enum { KEPT = ARRAY_LEN(state->changed_at) };
	state->changes = 1;
	state->changes_since = at;
	for (size_t i = 0; i < KEPT; i++) {
		if (state->changed_at[i].s == 0 || at.s - state->changed_at[i].s > CHECK_FLAPPING_S)
			break;
		state->changes++;
		state->changes_since = state->changed_at[i];
	}
	for (size_t i = KEPT - 1; i > 0; i--)
		state->changed_at[i] = state->changed_at[i - 1];
	state->changed_at[0] = at;
	if (state->is_flapping || state->changes < CHECK_FLAPS)
		return;
	state->is_flapping = true;
	char last[CHECK_CAUSE_MAX_BYTES + 1];
	memcpy(last, state->cause, sizeof(last));
	const struct str cut = str_cut(str_from(last), 200);
	snprintf(state->cause, sizeof(state->cause), "unstable: %d changes in %d minutes%s%.*s",
		 CHECK_FLAPS, CHECK_FLAPPING_S / 60, *last ? "; " : "", (int)cut.len, cut.data);
}

static enum check_report take_failure(struct check_state *state,
				      const struct check_settings *settings, struct instant at,
				      const char *cause)
{
	bool has_outage = state->is_flapping && !state->is_slow;
	set_cause(state, cause);
	state->successes = 0;
	if (state->phase == CHECK_DOWN || state->is_slow)
		state->well_since.s = 0;
	if (state->phase == CHECK_DOWN) {
		state->failures++;
		if (at.s - state->failing_since.s >= CHECK_FLAPPING_S)
			state->is_flapping = false;
		return CHECK_REPORT_NONE;
	}
	if (state->phase != CHECK_CONFIRMING) {
		state->phase = CHECK_CONFIRMING;
		state->since = state->failing_since = at;
		state->failures = 0;
	}
	state->failures++;
	if (state->failures < confirmations(settings))
		return CHECK_REPORT_NONE;
	state->phase = CHECK_DOWN;
	state->well_since.s = 0;
	state->is_slow = false;
	note_change(state, state->failing_since);
	return has_outage ? CHECK_REPORT_NONE : CHECK_REPORT_DOWN;
}

static enum check_report take_recovery(struct check_state *state,
				       const struct check_settings *settings, struct instant at)
{
	if (state->well_since.s == 0)
		state->well_since = at;
	state->successes++;
	if (state->successes < recoveries(settings))
		return CHECK_REPORT_NONE;
	state->phase = CHECK_UP;
	state->since = state->well_since;
	state->failures = state->successes = 0;
	state->failing_since.s = 0;
	note_change(state, state->well_since);
	return state->is_flapping ? CHECK_REPORT_NONE : CHECK_REPORT_UP;
}

/* Compares the response time of a successful check with slow_ms. */
static enum check_report take_speed(struct check_state *state,
				    const struct check_settings *settings, struct instant at)
{
	bool is_slow = settings->slow_ms > 0 && state->response_ms > settings->slow_ms;
	if (!state->is_slow && is_slow) {
		if (state->failures++ == 0)
			state->failing_since = at;
		if (state->failures < confirmations(settings))
			return CHECK_REPORT_NONE;
		state->is_slow = true;
		state->successes = 0;
		state->well_since.s = 0;
		snprintf(state->cause, sizeof(state->cause),
			 "the response took %lld ms, more than %lld ms",
			 (long long)state->response_ms, (long long)settings->slow_ms);
		note_change(state, state->failing_since);
		return CHECK_REPORT_SLOW;
	}
	if (is_slow) {
		state->successes = 0;
		state->well_since.s = 0;
		return CHECK_REPORT_NONE;
	}
	bool was_slow = state->is_slow;
	if (was_slow && state->well_since.s == 0)
		state->well_since = at;
	if (was_slow && ++state->successes < recoveries(settings))
		return CHECK_REPORT_NONE;
	if (was_slow && !state->is_flapping)
		note_change(state, state->well_since);
	else
		state->is_flapping = was_slow && at.s - state->well_since.s < CHECK_FLAPPING_S;
	if (state->is_flapping)
		return CHECK_REPORT_NONE;
	state->is_slow = false;
	state->failures = state->successes = 0;
	state->failing_since.s = 0;
	return was_slow ? CHECK_REPORT_UP : CHECK_REPORT_NONE;
}

/* Handles a successful check while the system is not down. */
static enum check_report take_success(struct check_state *state,
				      const struct check_settings *settings, struct instant at)
{
	bool is_first = state->well_since.s == 0 && !state->is_slow;
	if (is_first)
		state->well_since = at;
	if (state->phase != CHECK_UP) {
		state->phase = CHECK_UP;
		state->since = state->well_since.s != 0 ? state->well_since : at;
		state->failures = 0;
		state->failing_since.s = 0;
	}
	if (state->is_flapping && !state->is_slow) {
		state->is_flapping = at.s - state->well_since.s < CHECK_FLAPPING_S;
		return state->is_flapping ? CHECK_REPORT_NONE : CHECK_REPORT_UP;
	}
	enum check_report report = take_speed(state, settings, at);
	return report == CHECK_REPORT_NONE && is_first ? CHECK_REPORT_UP : report;
}

enum check_report check_state_take(struct check_state *state, const struct check_settings *settings,
				   const struct check_outcome *outcome, struct instant now)
{
	struct instant at = settle_times(state, outcome->at, now);
	resume(state, at);
	if (!outcome->is_missed)
		state->checked_at = at;
	if (!outcome->is_up)
		return take_failure(state, settings, at, outcome->cause);
	state->response_ms = outcome->response_ms;
	if (state->phase == CHECK_DOWN)
		return take_recovery(state, settings, at);
	return take_success(state, settings, at);
}

/* Returns whether an outage was reported, but not its end. */
static bool is_out(const struct check_state *state)
{
	return state->phase == CHECK_DOWN ||
	       (state->phase == CHECK_NO_DATA && state->failing_since.s != 0);
}

void check_state_lose(struct check_state *state, struct instant since, const char *cause)
{
	if (state->phase == CHECK_PENDING)
		return;
	if (cause)
		set_cause(state, cause);
	if (is_out(state) || state->is_slow)
		state->well_since.s = 0;
	if (!is_out(state)) {
		state->failures = 0;
		state->failing_since.s = 0;
	}
	state->successes = 0;
	state->phase = CHECK_NO_DATA;
	state->since = since;
}

void check_state_forget(struct check_state *state)
{
	if (is_out(state) || state->is_slow)
		state->well_since.s = 0;
	state->failing_since.s = 0;
	state->is_slow = state->is_flapping = false;
}

bool check_state_is_last_chance(const struct check_state *state,
				const struct check_settings *settings)
{
	int64_t failures = state->phase == CHECK_CONFIRMING ? state->failures : 0;
	return !is_out(state) && failures + 1 >= confirmations(settings);
}

int64_t check_state_repeat_ms(const struct check_state *state,
			      const struct check_settings *settings)
{
	if (state->phase != CHECK_CONFIRMING || settings->type == CHECK_HEARTBEAT)
		return -1;
	if (state->failures == 1)
		return 0;
	return settings->interval < CHECK_REPEAT_MS / 1000 ? settings->interval * 1000
							   : CHECK_REPEAT_MS;
}

bool check_state_is_stale(const struct check_state *state, const struct check_settings *settings,
			  struct instant now)
{
	return state->phase != CHECK_PENDING && state->phase != CHECK_NO_DATA &&
	       settings->type != CHECK_HEARTBEAT && state->checked_at.s != 0 &&
	       now.s - state->checked_at.s > 2 * settings->interval + settings->timeout;
}

struct instant check_state_expects(const struct check_state *state,
				   const struct check_settings *settings)
{
	struct instant from = state->checked_at;
	if (settings->type != CHECK_HEARTBEAT || from.s == 0 || is_out(state))
		return (struct instant){ 0 };
	/* Before `since`, the checker may have missed heartbeats. So expect a heartbeat within a
	 * period after `since`. */
	if (state->phase == CHECK_NO_DATA && state->since.s > from.s)
		from = state->since;
	return (struct instant){ from.s + settings->period };
}
