#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check/checked.h"

enum { LOOK_MS = 100, PARENTS_MAX = 8, HOUR_S = 3600 };

void judge_record(struct checked *checked)
{
	struct check_record record = { .monitor_id = checked->id,
				       .state = checked->state,
				       .hour = checked->hour,
				       .tls_expires_at = checked->tls_expires_at,
				       .tls_seen_at = checked->tls_seen_at };
	if (checked->tls_issuer)
		snprintf(record.tls_issuer, sizeof(record.tls_issuer), "%s", checked->tls_issuer);
	recorder_record(checked->checker->recorder, &record);
}

/* Returns the state that this checker's own checks give. If no other location checks the monitor,
 * this is the state of the monitor. */
static struct check_state *own_state(struct checked *checked)
{
	return checked->votes ? &checked->votes->state : &checked->state;
}

void judge_unknown(struct checked *checked, struct instant since, const char *cause)
{
	struct recorder *recorder = checked->checker->recorder;
	if (checked->state.phase == CHECK_PENDING)
		return;
	if (checked->state.phase != CHECK_NO_DATA)
		recorder_gap(recorder, &checked->id, 1, since, (struct instant){ 0 });
	check_state_lose(&checked->state, since, cause);
	judge_record(checked);
}

void judge_lose(struct checked *checked, struct instant since, const char *cause)
{
	if (!checked->votes) {
		judge_unknown(checked, since, cause);
		return;
	}
	check_state_lose(&checked->votes->state, since, cause);
	votes_judge(checked);
}

bool judge_is_stale(const struct checked *checked, struct instant at)
{
	at.s -= recorder_rest_s(checked->checker->recorder);
	return check_state_is_stale(&checked->state, checked->settings, at);
}

/* Adds the outcome to the sums of its hour. */
static void count(struct checked *checked, const struct check_outcome *outcome, struct instant now)
{
	struct check_hour *hour = &checked->hour;
	int64_t start_s = outcome->at.s - outcome->at.s % HOUR_S;
	/* A missed heartbeat may belong to an hour before the stored hour. It is counted in the
	 * stored hour. A stored hour in the future comes from a wrong clock, and is replaced. */
	if (hour->hour.s < start_s || hour->hour.s > now.s)
		*hour = (struct check_hour){ .hour = { start_s } };
	check_hour_add(hour, outcome->is_up, outcome->response_ms);
}

/*
 * Whether too much time has passed since the last check. The time for which a repeated check waited
 * in a queue does not count: otherwise no failure would be confirmed while a host with many
 * monitors hangs.
 */
static bool is_stale(const struct checked *checked, const struct check_outcome *outcome)
{
	struct instant at = outcome->at;
	if (checked->state.phase == CHECK_CONFIRMING && !outcome->is_up && !checked->votes)
		at.s -= (checked->started_ms - checked->wanted_ms) / 1000;
	return judge_is_stale(checked, at);
}

void judge_decide(struct checked *checked, const struct check_settings *settings,
		  const struct check_outcome *outcome)
{
	struct checker *checker = checked->checker;
	if (is_stale(checked, outcome))
		judge_unknown(checked, checked->state.checked_at, NULL);
	if (checked->state.phase == CHECK_NO_DATA || checked->has_gap)
		recorder_gap(checker->recorder, &checked->id, 1, (struct instant){ 0 },
			     outcome->at);
	checked->has_gap = false;
	enum check_report report =
		check_state_take(&checked->state, settings, outcome, checker_now(checker));
	judge_record(checked);
	if (report != CHECK_REPORT_NONE)
		recorder_report(checker->recorder, checked->id, report, &checked->state);
}

static void take(struct checked *checked, const struct check_outcome *outcome)
{
	struct instant now = checker_now(checked->checker);
	struct votes *votes = checked->votes;
	count(checked, outcome, now);
	if (votes) {
		(void)check_state_take(&votes->state, checked->settings, outcome, now);
		votes_judge(checked);
		judge_record(checked);
	} else {
		judge_decide(checked, checked->settings, outcome);
	}
	schedule_next(checked, check_state_repeat_ms(own_state(checked), checked->settings));
}

/* Whether a monitor may go down. CERTAIN: its parents are up. UNCERTAIN: a parent must be checked
 * first. EXCUSED: a parent fails, so a failure of the monitor does not count. */
enum certainty { CERTAIN, UNCERTAIN, EXCUSED };

/* Tests whether the parents (the monitors on which this monitor depends) are up, by checks that
 * started at since_ms or later. For EXCUSED, sets *cause to the parent that fails. */
static enum certainty ask_parents(struct checked *checked, int64_t since_ms,
				  const struct checked **cause)
{
	enum certainty certainty = CERTAIN;
	struct checked *parent = checked;
	for (int i = 0; i < PARENTS_MAX; i++) {
		parent = checker_find(checked->checker, parent->settings->depends_on_id);
		if (!parent || parent == checked || parent->is_paused)
			break;
		*cause = parent;
		if (parent->state.phase == CHECK_CONFIRMING || parent->state.phase == CHECK_DOWN)
			return EXCUSED;
		if (parent->settings->type == CHECK_HEARTBEAT || votes_are_of_others(parent))
			continue; /* this checker cannot check the parent */
		if (parent->started_ms < since_ms || parent->probe || parent->queue ||
		    parent->held) {
			certainty = UNCERTAIN;
			schedule_want(parent);
		}
	}
	return certainty;
}

static void hold(struct checked *checked, const struct check_outcome *outcome)
{
	struct loop *loop = checked->checker->loop;
	struct held *held = memory_needed(calloc(1, sizeof(*held)));
	held->outcome = *outcome;
	snprintf(held->cause, sizeof(held->cause), "%s", outcome->cause);
	held->outcome.cause = held->cause;
	held->since_ms = checked->started_ms;
	if (checked->settings->type == CHECK_HEARTBEAT)
		held->since_ms = clock_ms();
	held->until_ms = clock_ms() + (CHECK_TIMEOUT_MAX_S + 10) * 1000;
	checked->held = held;
	loop_timer_set(loop, &checked->timer, clock_ms());
}

void judge_forget(struct checked *checked)
{
	free(checked->held);
	checked->held = NULL;
}

static void say_excuse(char text[CHECK_CAUSE_MAX_BYTES + 1], const struct checked *cause)
{
	static const char depends[] = "depends on ";
	const struct str name =
		str_cut(str_from(cause->name), CHECK_CAUSE_MAX_BYTES + 1 - sizeof(depends));
	snprintf(text, CHECK_CAUSE_MAX_BYTES + 1, "%s%.*s", depends, (int)name.len, name.data);
}

bool judge_excuses(struct checked *checked, char text[CHECK_CAUSE_MAX_BYTES + 1])
{
	const struct checked *cause = NULL;
	if (ask_parents(checked, 0, &cause) != EXCUSED)
		return false;
	say_excuse(text, cause);
	return true;
}

/* Makes the state unknown, because the monitor `cause` fails. */
static void excuse(struct checked *checked, struct instant at, const struct checked *cause)
{
	char text[CHECK_CAUSE_MAX_BYTES + 1];
	say_excuse(text, cause);
	const struct check_state *state = own_state(checked);
	judge_lose(checked, state->phase == CHECK_NO_DATA ? state->since : at, text);
	schedule_next(checked, -1);
}

void judge(struct checked *checked, const struct check_outcome *outcome)
{
	const struct checked *cause = NULL;
	bool is_out = own_state(checked)->phase == CHECK_DOWN;
	if (outcome->is_up || is_out)
		take(checked, outcome);
	else if (ask_parents(checked, 0, &cause) == EXCUSED)
		excuse(checked, outcome->at, cause);
	else if (check_state_is_last_chance(own_state(checked), checked->settings))
		hold(checked, outcome);
	else
		take(checked, outcome);
}

void judge_again(struct checked *checked)
{
	struct checker *checker = checked->checker;
	struct held *held = checked->held;
	const struct checked *cause = NULL;
	bool is_connected = anchors_ask(&checker->anchors, held->since_ms);
	enum certainty certainty = ask_parents(checked, held->since_ms, &cause);
	if (!checker_observes(checker)) {
		judge_forget(checked);
		schedule_next(checked, -1);
	} else if (certainty == EXCUSED) {
		struct instant at = held->outcome.at;
		judge_forget(checked);
		excuse(checked, at, cause);
	} else if ((is_connected && certainty == CERTAIN) || clock_ms() >= held->until_ms) {
		checked->held = NULL;
		take(checked, &held->outcome);
		free(held);
	} else {
		loop_timer_set(checker->loop, &checked->timer, clock_ms() + LOOK_MS);
	}
}

/* Notes the certificate that the check has seen. */
static void note_certificate(struct checked *checked, const struct probe_result *result)
{
	/* If a handshake fails because the certificate has expired, the result has no date of
	 * expiry. */
	if (result->tls_expires_at.s > 0 || result->tls_is_over)
		checked->tls_seen_at = checked->started_at;
	if (result->tls_expires_at.s == 0)
		return;
	checked->tls_expires_at = result->tls_expires_at;
	if (checked->tls_issuer && strcmp(checked->tls_issuer, result->tls_issuer) == 0)
		return;
	free(checked->tls_issuer);
	checked->tls_issuer = strdup(result->tls_issuer);
}

void judge_result(struct checked *checked, const struct probe_result *result)
{
	const struct check_outcome outcome = { .at = checked->started_at,
					       .is_up = result->is_up,
					       .response_ms = result->response_ms > 0
								      ? result->response_ms
								      : 1,
					       .cause = result->cause };
	uint16_t type = (uint16_t)checked->settings->type;
	metrics_observe(METRIC_CHECK_TIME, METRIC_LABELS(type), result->done_us);
	metrics_add(METRIC_CHECKS,
		    METRIC_LABELS(type, result->is_void ? METRIC_CHECK_VOID
					: result->is_up ? METRIC_CHECK_UP
							: METRIC_CHECK_DOWN),
		    1);
	if (result->is_void && checker_observes(checked->checker) &&
	    judge_is_stale(checked, checked->started_at))
		judge_lose(checked, checked->state.checked_at, result->cause);
	if (result->is_void || !checker_observes(checked->checker)) {
		bool is_again = result->is_void && !checked->checker->settings.is_once;
		schedule_next(checked, is_again ? CHECK_REPEAT_MS : -1);
		return;
	}
	note_certificate(checked, result);
	judge(checked, &outcome);
}
