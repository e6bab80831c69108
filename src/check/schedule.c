#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "base/memory.h"
#include "check/checked.h"

/* The limit of simultaneous checks has PARTS parts. A monitor that fails or is slow is checked only
 * while fewer than ILL_PARTS are in use. With several accounts, each uses at most ACCOUNT_PARTS. */
enum { ILL_PARTS = 3, ACCOUNT_PARTS = 2, PARTS = 4, SLOW_MS = 2000 };

void schedule_open(struct schedule *schedule, int64_t limit)
{
	schedule->limit = (size_t)limit;
	TAILQ_INIT(&schedule->well);
	TAILQ_INIT(&schedule->ill);
}

/* Spreads ids evenly (the finalizer of MurmurHash3). */
static uint64_t spread(uint64_t id)
{
	id = (id ^ id >> 33) * 0xff51afd7ed558ccdu;
	id = (id ^ id >> 33) * 0xc4ceb9fe1a85ec53u;
	return id ^ id >> 33;
}

/* Returns the monitor's next regular time. The first time is aligned to the time of day, so that it
 * is the same after a restart. The following times are counted from it, so that setting the clock
 * does not move them. */
static int64_t next_regular(struct checked *checked)
{
	int64_t now_ms = clock_ms(), interval_ms = checked->settings->interval * 1000;
	if (checked->due_ms == 0) {
		int64_t offset = (int64_t)(spread((uint64_t)checked->id) % (uint64_t)interval_ms);
		int64_t phase = (checker_now(checked->checker).s * 1000 + offset) % interval_ms;
		checked->due_ms = now_ms + interval_ms - phase;
	} else if (checked->due_ms <= now_ms) {
		checked->due_ms += ((now_ms - checked->due_ms) / interval_ms + 1) * interval_ms;
	}
	return checked->due_ms;
}

/* Notes, with --once, that all work for the monitor is done. */
static void close_once(struct checked *checked)
{
	loop_timer_cancel(checked->checker->loop, &checked->timer);
	checked->checker->open -= checked->is_open;
	checked->is_open = false;
}

void schedule_next(struct checked *checked, int64_t wait_ms)
{
	bool is_once = checked->checker->settings.is_once;
	if (checked->settings->type == CHECK_HEARTBEAT) {
		heartbeat_expect(checked);
		if (is_once && (checked->timer.place == 0 || checked->timer.at_ms > clock_ms()))
			close_once(checked);
		return;
	}
	if (is_once && wait_ms < 0) {
		close_once(checked);
		return;
	}
	int64_t at_ms = next_regular(checked);
	if (wait_ms >= 0 && clock_ms() + wait_ms < at_ms)
		at_ms = clock_ms() + wait_ms;
	if (checked->is_paused)
		loop_timer_cancel(checked->checker->loop, &checked->timer);
	else
		loop_timer_set(checked->checker->loop, &checked->timer, at_ms);
}

static void wait_in(struct checked *checked, struct checked_queue *queue)
{
	checked->queue = queue;
	TAILQ_INSERT_TAIL(queue, checked, next);
}

static void leave_queue(struct checked *checked)
{
	if (checked->queue)
		TAILQ_REMOVE(checked->queue, checked, next);
	checked->queue = NULL;
}

static bool is_ill(const struct checked *checked)
{
	int phase = checked->state.phase;
	return (phase != CHECK_UP && phase != CHECK_PENDING) ||
	       checked->state.response_ms >= SLOW_MS;
}

static void end_check(void *context, const struct probe_result *result);

static void note_lag(struct checked *checked)
{
	struct schedule *schedule = &checked->checker->schedule;
	int64_t lag_ms = checked->started_ms - checked->wanted_ms;
	schedule->host_waits += checked->waits_for_own;
	if (!checked->waits_for_own) {
		lag_add(&schedule->lag, lag_ms);
		metrics_observe(METRIC_CHECK_LAG, METRIC_UNLABELLED, lag_ms * 1000);
	}
	checked->waits_for_own = false;
}

static void start(struct checked *checked)
{
	struct checker *checker = checked->checker;
	checked->started_ms = clock_ms();
	checked->started_at = checker_now(checker);
	note_lag(checked);
	checked->host->running++;
	checked->account->running++;
	checker->schedule.running++;
	checked->probe = memory_needed(calloc(1, sizeof(*checked->probe)));
	checked->probe->settings = checked->settings;
	checked->probe->call = end_check;
	checked->probe->context = checked;
	probe_start(checker->prober, checked->probe);
}

static bool is_account_full(const struct schedule *schedule, const struct host *account)
{
	return schedule->accounts.count > 1 &&
	       account->running >= schedule->limit * ACCOUNT_PARTS / PARTS;
}

/* Starts the check. If a limit is reached, adds the monitor to the queue of this limit. */
static void admit(struct checked *checked)
{
	struct schedule *schedule = &checked->checker->schedule;
	size_t limit = schedule->limit;
	if (is_ill(checked))
		limit = limit * ILL_PARTS / PARTS;
	bool is_host_full = checked->host->running >= HOST_CHECKS_MAX;
	bool is_share_used = is_account_full(schedule, checked->account);
	checked->waits_for_own |= is_host_full || is_share_used;
	if (is_host_full)
		wait_in(checked, &checked->host->waiting);
	else if (is_share_used)
		wait_in(checked, &checked->account->waiting);
	else if (schedule->running >= limit)
		wait_in(checked, is_ill(checked) ? &schedule->ill : &schedule->well);
	else
		start(checked);
}

static void admit_first(struct checked_queue *queue)
{
	struct checked *first = TAILQ_FIRST(queue);
	if (!first)
		return;
	leave_queue(first);
	admit(first);
}

/* Frees a check that has ended, and starts waiting checks that the limits now allow. */
static void leave(struct checked *checked)
{
	struct schedule *schedule = &checked->checker->schedule;
	struct host *host = checked->host, *account = checked->account;
	free(checked->probe);
	checked->probe = NULL;
	host->running--;
	account->running--;
	schedule->running--;
	/* If another limit is reached, admit_first() moves the monitor into that limit's queue. */
	while (host->running < HOST_CHECKS_MAX && !TAILQ_EMPTY(&host->waiting))
		admit_first(&host->waiting);
	while (!is_account_full(schedule, account) && !TAILQ_EMPTY(&account->waiting))
		admit_first(&account->waiting);
	while (schedule->running < schedule->limit && !TAILQ_EMPTY(&schedule->well))
		admit_first(&schedule->well);
	while (schedule->running < schedule->limit * ILL_PARTS / PARTS &&
	       !TAILQ_EMPTY(&schedule->ill))
		admit_first(&schedule->ill);
}

static void end_check(void *context, const struct probe_result *result)
{
	struct checked *checked = context;
	struct probe_result copy = *result; /* *result belongs to the probe, which leave() frees */
	leave(checked);
	judge_result(checked, &copy);
}

void schedule_want(struct checked *checked)
{
	if (checked->probe || checked->queue || checked->held || votes_are_of_others(checked))
		return;
	checked->wanted_ms = clock_ms();
	admit(checked);
}

void schedule_drop(struct checked *checked)
{
	leave_queue(checked);
	checked->waits_for_own = false;
	if (!checked->probe)
		return;
	probe_cancel(checked->probe);
	leave(checked);
}

void schedule_wake(void *context)
{
	struct checked *checked = context;
	if (checked->held) {
		judge_again(checked);
	} else if (checked->settings->type == CHECK_HEARTBEAT) {
		heartbeat_wake(checked);
	} else if (votes_are_of_others(checked)) {
		votes_judge(checked); /* votes may be too old now */
		schedule_next(checked, -1);
	} else if (!checker_observes(checked->checker)) {
		schedule_next(checked, -1);
	} else if (!checked->probe && !checked->queue) {
		checked->wanted_ms = checked->timer.at_ms;
		admit(checked);
	}
}
