#include "work/work.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/metrics.h"
#include "work/jobs.h"
#include "work/work_lock.h"

enum {
	LOOK_MS = 1000,	 /* the longest wait for the next turn */
	RETRY_MS = 1000, /* the wait after the first failure of a job */
	RETRY_MAX_MS = 60000,
	LEAVE_MS = 2000, /* the longest time of a job in the last turn */
	ARENA_MAX_BYTES = 256 << 20,
};

bool work_stays(void *context)
{
	struct work *work = context;
	return !work->is_leaving;
}

/* A job of the last turn begins after SIGTERM or SIGINT (was_leaving), so the signal does not end
 * it. */
bool work_goes_on(void *context)
{
	struct work *work = context;
	if (work->is_once)
		return true;
	return (work->was_leaving || !work->is_leaving) &&
	       (work->until_ms == 0 || clock_ms() < work->until_ms);
}

/* Records the time at which the loop ended, for `daymarkctl doctor`. Ignores a failure. */
static void note_run(const struct work *work)
{
	if (work->is_once || work->roles & WORK_WRITES)
		work_lock_note(work->config->pages_dir);
}

static void report_job(struct work *work, const struct work_job *job, enum result result,
		       const struct error *error)
{
	struct work_entry *entry = &work->entries[job - work_jobs];
	const struct work_observer *observer = &work->observer;
	/* Reports a result only if it differs from that of the last run. */
	if (observer->job && (result == OK ? entry->last != OK : result != entry->last))
		observer->job(observer->context, job->name, result == OK ? NULL : error);
	entry->last = result;
}

/* Returns the index of the first row with the job's name. A job may have two rows, one for each
 * role. */
static uint16_t place_of(const struct work_job *job)
{
	uint16_t place = 0;
	while (strcmp(work_jobs[place].name, job->name) != 0)
		place++;
	return place;
}

static void count_run(const struct work_entry *entry, const struct work_job *job, int64_t took_ms)
{
	uint16_t place = place_of(job);
	metrics_add(METRIC_JOBS,
		    METRIC_LABELS(place, entry->last == OK ? METRIC_OK : METRIC_FAILED), 1);
	metrics_observe(METRIC_JOB_TIME, METRIC_LABELS(place), took_ms * 1000);
}

static void schedule(struct work_entry *entry, const struct work_job *job, int64_t took_ms)
{
	const int64_t most_ms = job->retry_max_ms > 0 ? job->retry_max_ms : RETRY_MAX_MS;
	const struct backoff_rule rule = { RETRY_MS, most_ms, BACKOFF_SPREAD };
	int64_t rest_ms = took_ms * job->rest;
	count_run(entry, job, took_ms);
	if (entry->last != OK) {
		backoff_fail(&entry->backoff, &rule, clock_ms());
		entry->due_ms = entry->backoff.until_ms;
		return;
	}
	entry->backoff = (struct backoff){ 0 };
	entry->due_ms = clock_ms() + (rest_ms > job->interval_ms ? rest_ms : job->interval_ms);
}

static const struct work_job *job_of(const struct work_entry *entry)
{
	return &work_jobs[entry - entry->work->entries];
}

static void run_aside(void *context)
{
	struct work_entry *entry = context;
	struct work_turn turn = { .now = clock_now() };
	entry->error = (struct error){ 0 };
	entry->result = job_of(entry)->run(entry->work, &turn, &entry->error);
}

static void end_aside(void *context)
{
	struct work_entry *entry = context;
	report_job(entry->work, job_of(entry), entry->result, &entry->error);
	schedule(entry, job_of(entry), clock_ms() - entry->begun_ms);
}

static enum result run_job(struct work *work, const struct work_job *job, bool *is_more)
{
	struct error error = { 0 };
	struct work_turn turn = { .now = clock_now() };
	int64_t begun_ms = clock_ms();
	work->until_ms = job->budget_ms > 0 ? begun_ms + job->budget_ms : 0;
	work->was_leaving = work->is_leaving;
	if (work->was_leaving)
		work->until_ms = begun_ms + LEAVE_MS;
	enum result result = job->run(work, &turn, &error);
	arena_reset(&work->arena);
	report_job(work, job, result, &error);
	schedule(&work->entries[job - work_jobs], job, clock_ms() - begun_ms);
	*is_more |= result == OK && turn.is_more;
	return result;
}

/* Whether the loop has the role that the job needs. */
static bool has_role(const struct work *work, const struct work_job *job)
{
	return work->roles & (job->is_of_follower ? WORK_FOLLOWS : WORK_WRITES);
}

static bool may_run(const struct work *work, const struct work_job *job)
{
	return has_role(work, job) && (job->is_of_follower || work->lock_fd >= 0);
}

static bool is_due(const struct work *work, const struct work_job *job)
{
	const struct work_entry *entry = &work->entries[job - work_jobs];
	if (!may_run(work, job))
		return false;
	if (work->is_leaving)
		return job->is_woken;
	return !(work->has_more && job->is_idle) && clock_ms() >= entry->due_ms;
}

/* Tries to take the lock. Reports a failure as a failure of the job `pages`. */
static void try_lock(struct work *work)
{
	struct error error = { 0 };
	work_lock_drop_lost(work->config->pages_dir, &work->lock_fd);
	if (!(work->roles & WORK_WRITES) || work->lock_fd >= 0)
		return;
	enum result result = work_lock_take(work->config->pages_dir, &work->lock_fd, &error);
	for (size_t i = 0; i < work_job_count && result != OK; i++)
		if (work_jobs[i].is_woken)
			report_job(work, &work_jobs[i], result, &error);
}

/* Called when the database is away. All later jobs of the turn would fail, too, so postpones them
 * to the next run of the job that failed. */
static void postpone_jobs(struct work *work, size_t failed)
{
	for (size_t i = failed + 1; i < work_job_count; i++)
		if (!work_jobs[i].is_aside &&
		    work->entries[i].due_ms < work->entries[failed].due_ms)
			work->entries[i].due_ms = work->entries[failed].due_ms;
}

/* Runs each due job once, except jobs with is_aside. */
static void run_turn(void *context)
{
	struct work *work = context;
	work->has_more = work->is_cut = false;
	metrics_tend();
	try_lock(work);
	for (size_t i = 0; i < work_job_count; i++) {
		bool has_more = false;
		if (work_jobs[i].is_aside || !is_due(work, &work_jobs[i]))
			continue;
		enum result result = run_job(work, &work_jobs[i], &has_more);
		if (has_more)
			work->entries[i].due_ms = 0;
		work->has_more |= has_more;
		work->is_cut = result == E_UNAVAILABLE || publish_is_refused(result);
		if (work->is_cut) {
			postpone_jobs(work, i);
			return;
		}
	}
}

/* Begins a turn. Until end_turn(), the turn's thread owns some members of `work`: see work.h. */
static void begin_turn(void *context)
{
	struct work *work = context;
	if (work->turn.is_running)
		return;
	work->is_last = work->is_leaving;
	work->is_called |= work->has_calls || work->is_last;
	for (size_t i = 0; i < work_job_count && work->has_calls; i++)
		if (work_jobs[i].is_woken)
			work->entries[i].due_ms = 0;
	work->has_calls = false;
	loop_timer_cancel(work->loop, &work->timer);
	loop_job_start(&work->turn);
}

/* Starts the due jobs with is_aside. If a job without is_aside is due before *next_ms, sets
 * *next_ms to the time at which it is due. */
static void look_at_jobs(struct work *work, int64_t *next_ms)
{
	for (size_t i = 0; i < work_job_count; i++) {
		const struct work_job *job = &work_jobs[i];
		struct work_entry *entry = &work->entries[i];
		if (!may_run(work, job) || entry->aside.is_running)
			continue;
		if (!job->is_aside) {
			*next_ms = entry->due_ms < *next_ms ? entry->due_ms : *next_ms;
		} else if (!work->is_cut && clock_ms() >= entry->due_ms) {
			entry->begun_ms = clock_ms();
			loop_job_start(&entry->aside);
		}
	}
}

static void end_turn(void *context)
{
	struct work *work = context;
	int64_t next_ms = clock_ms() + (work->has_more ? 0 : LOOK_MS);
	if (work->is_last) {
		loop_stop(work->loop);
		return;
	}
	if (!work->is_leaving)
		look_at_jobs(work, &next_ms);
	if (work->is_leaving || work->has_calls)
		begin_turn(work);
	else
		loop_timer_set(work->loop, &work->timer, next_ms);
}

static void take_call(void *context)
{
	struct work *work = context;
	uint64_t calls;
	if (read(work->wake_fd, &calls, sizeof(calls)) <= 0)
		return;
	work->has_calls = true;
	begin_turn(work);
}

static void take_signal(void *context, const struct signalfd_siginfo *signal)
{
	struct work *work = context;
	(void)signal;
	work->is_leaving = true;
	begin_turn(work);
}

/* Opens the loop. Ends the process if this fails: the supervisor then starts another process. */
static void open_loop(struct work *work)
{
	sigset_t blocked;
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	const int ends[] = { SIGTERM, sigismember(&blocked, SIGINT) ? 0 : SIGINT, 0 };
	work->timer = (struct loop_timer){ .call = begin_turn, .context = work };
	work->wake = (struct loop_watch){ .call = take_call, .context = work };
	work->signals = (struct loop_signals){ .call = take_signal, .context = work };
	work->turn = (struct loop_job){ .run = run_turn, .call = end_turn, .context = work };
	bool is_open = loop_signals_watch(work->loop, &work->signals, ends) &&
		       (work->wake_fd < 0 || loop_watch(work->loop, &work->wake, work->wake_fd)) &&
		       loop_job_open(work->loop, &work->turn);
	for (size_t i = 0; i < work_job_count && is_open; i++) {
		struct work_entry *entry = &work->entries[i];
		entry->work = work;
		entry->aside =
			(struct loop_job){ .run = run_aside, .call = end_aside, .context = entry };
		if (work_jobs[i].is_aside && has_role(work, &work_jobs[i]))
			is_open = loop_job_open(work->loop, &entry->aside);
	}
	if (!is_open)
		die("work: out of descriptors or threads");
}

static void close_loop(struct work *work)
{
	loop_timer_cancel(work->loop, &work->timer);
	loop_unwatch(work->loop, &work->wake);
	loop_signals_unwatch(work->loop, &work->signals);
	loop_job_close(&work->turn);
	for (size_t i = 0; i < work_job_count; i++)
		loop_job_close(&work->entries[i].aside);
}

static void report_page(void *context, const char *slug, const struct error *failure)
{
	const struct work *work = context;
	if (work->observer.page)
		work->observer.page(work->observer.context, slug, failure);
}

static void report_progress(void *context, const char *slug, const struct error *failure)
{
	const struct work *work = context;
	if (work->progress)
		work->progress(work->observer.context, slug, failure);
}

static void start(struct work *work)
{
	const struct publisher publisher = {
		.db = work->db,
		.path = work->config->pages_dir,
		.base_url = work->config->base_url,
		.settings = pages_settings(work->config),
		.site = work->site,
		.arena = &work->arena,
	};
	arena_init(&work->arena, ARENA_MAX_BYTES);
	work->lock_fd = -1;
	/* The first run publishes all changes: a killed process may have left some. */
	work->is_called = true;
	work->due = (struct due){
		.publisher = publisher,
		.goes_on = work_goes_on,
		/* A follower in this loop reports these pages, so `due` must not report them. */
		.tell = work->is_once || work->roles & WORK_FOLLOWS ? NULL : report_page,
		.progress = work->is_once ? report_progress : NULL,
		.context = work,
	};
	if (work->roles & WORK_FOLLOWS) {
		follower_init(&work->follower, &publisher, report_page, work);
		work->follower.goes_on = work_stays;
		work->follower.check_disk_s = work->config->check_disk_s;
	}
}

static void stop(struct work *work)
{
	note_run(work);
	due_done(&work->due);
	if (work->roles & WORK_FOLLOWS)
		follower_done(&work->follower);
	recheck_done(&work->recheck);
	close_fd(&work->lock_fd);
	arena_done(&work->arena);
}

void work_run(struct work *work)
{
	start(work);
	open_loop(work);
	loop_timer_set(work->loop, &work->timer, 0);
	loop_run(work->loop);
	close_loop(work);
	stop(work);
}

/* Runs the jobs of WORK_WRITES in the order of the table, each until it has no more to do. */
static enum result run_all_jobs(struct work *work, struct error *error)
{
	struct work_turn turn = { .now = clock_now() };
	enum result outcome = OK, result;
	for (size_t i = 0; i < work_job_count; i++) {
		struct error failure = { 0 };
		if (work_jobs[i].is_of_follower)
			continue;
		do {
			turn.is_more = false;
			result = work_jobs[i].run(work, &turn, &failure);
			arena_reset(&work->arena);
		} while (result == OK && turn.is_more);
		if (result != OK)
			*error = failure;
		if (result != OK && result != E_FAILED)
			return result;
		if (result == E_FAILED)
			outcome = result;
	}
	return outcome;
}

/* Publishes pages that gained or lost their domain in the job `domains`. This job is the last in
 * the table, after the job `pages`. */
static enum result publish_turned(struct work *work, struct error *error)
{
	struct publisher publisher = work->due.publisher;
	struct publish_run run = { 0 };
	publisher.now = clock_now();
	return work->domains_turned > 0 ? publish_run(&publisher, &run, error) : OK;
}

enum result work_once(struct work *work, struct error *error)
{
	enum result result = OK;
	work->is_once = true;
	start(work);
	if (work->is_locking) {
		result = work_lock_take(work->config->pages_dir, &work->lock_fd, error);
		work->done.is_busy = result == OK && work->lock_fd < 0;
	}
	if (result == OK && !work->done.is_busy) {
		result = run_all_jobs(work, error);
		if (result == OK || result == E_FAILED) {
			enum result turned = publish_turned(work, error);
			result = turned == OK ? result : turned;
		}
		work->done.published += work->due.published;
		work->done.failed += work->due.failure_count;
	}
	if (result == OK && work->due.failure_count > 0) {
		*error = work->due.last_failure;
		result = E_FAILED;
	}
	stop(work);
	return result;
}
