#include <stdio.h>

#include "check/checked.h"

/*
 * A heartbeat counts as missed only after the checker has read signals after its due time, and has
 * read signals without a pause for SETTLE_MS. The web program may store signals late: it keeps them
 * while the database does not respond.
 */
enum { SETTLE_MS = 10000, PAUSE_MS = 5000, LOOK_MS = 500 };

void heartbeat_expect(struct checked *checked)
{
	struct checker *checker = checked->checker;
	struct instant expected = check_state_expects(&checked->state, checked->settings);
	loop_timer_cancel(checker->loop, &checked->timer);
	checked->due_ms = 0;
	if (expected.s == 0 || checked->is_paused)
		return;
	int64_t wait_s = expected.s + checked->settings->grace + 1 - checker_now(checker).s;
	loop_timer_set(checker->loop, &checked->timer,
		       clock_ms() + (wait_s > 0 ? wait_s * 1000 : 0));
}

void heartbeat_wake(struct checked *checked)
{
	struct checker *checker = checked->checker;
	const struct check_outcome missed = {
		.at = check_state_expects(&checked->state, checked->settings),
		.is_missed = true,
		.cause = "no heartbeat",
	};
	int64_t now_ms = clock_ms();
	if (missed.at.s + checked->settings->grace >= checker_now(checker).s) {
		heartbeat_expect(checked); /* the clock was set back */
		return;
	}
	if (checked->due_ms == 0)
		checked->due_ms = checked->timer.at_ms;
	bool is_read = checker->signals_ms > checked->due_ms &&
		       now_ms - checker->signals_ms < PAUSE_MS &&
		       now_ms - checker->signals_since_ms >= SETTLE_MS;
	if (checker_observes(checker) && is_read)
		judge(checked, &missed);
	else
		loop_timer_set(checker->loop, &checked->timer, now_ms + LOOK_MS);
}

static void beat(struct checked *checked, const struct check_signal *signal)
{
	char cause[64] = "the job reported a failure";
	struct check_outcome outcome = { .at = signal->at, .cause = cause };
	const struct instant known = checked->state.checked_at;
	/* Ignore a signal that is older than the last check. Such a signal may come after a crash.
	 * If the last check is in the future, its time is from a wrong clock: use the signal. */
	if (signal->at.s < known.s && known.s <= checker_now(checked->checker).s)
		return;
	if (signal->kind == SIGNAL_START) {
		checked->begun_at = signal->at;
		return;
	}
	outcome.is_up = signal->kind == SIGNAL_HEARTBEAT ||
			(signal->kind == SIGNAL_EXIT && signal->value == 0);
	if (signal->kind == SIGNAL_EXIT)
		snprintf(cause, sizeof(cause), "exit status %lld", (long long)signal->value);
	if (checked->begun_at.s != 0 && checked->begun_at.s <= signal->at.s)
		outcome.response_ms = signal->at.s > checked->begun_at.s
					      ? (signal->at.s - checked->begun_at.s) * 1000
					      : 1;
	checked->begun_at.s = 0;
	judge_forget(checked);
	metrics_add(
		METRIC_CHECKS,
		METRIC_LABELS(CHECK_HEARTBEAT, outcome.is_up ? METRIC_CHECK_UP : METRIC_CHECK_DOWN),
		1);
	judge(checked, &outcome);
}

static void take_signal(struct checker *checker, const struct check_signal *signal)
{
	struct checked *checked = checker_find(checker, signal->monitor_id);
	if (!checked) {
		if (checker->early_count < ARRAY_LEN(checker->early))
			checker->early[checker->early_count++] = *signal;
		return;
	}
	bool is_heartbeat = checked->settings->type == CHECK_HEARTBEAT;
	if (checked->is_paused || !checker_observes(checker))
		return;
	if (is_heartbeat && signal->kind != SIGNAL_CHECK_NOW)
		beat(checked, signal);
	else if (!is_heartbeat && signal->kind == SIGNAL_CHECK_NOW)
		schedule_want(checked);
}

void heartbeats_take(void *context, const struct check_signal *rows, size_t count)
{
	struct checker *checker = context;
	int64_t now_ms = clock_ms();
	if (now_ms - checker->signals_ms >= PAUSE_MS)
		checker->signals_since_ms = now_ms;
	checker->signals_ms = now_ms;
	for (size_t i = 0; i < count; i++)
		take_signal(checker, &rows[i]);
}
