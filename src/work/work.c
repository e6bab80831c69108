#include "work/work.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "work/jobs.h"
#include "work/work_lock.h"

enum {
	LOOK_MS = 1000,	 /* the longest wait for the next job */
	RETRY_MS = 1000, /* after the first failure of a job */
	LEAVE_MS = 2000, /* for the last turn */
	ARENA_MAX_BYTES = 256 << 20,
};

bool work_stays(void *context)
{
	struct work *work = context;
	struct pollfd signals = { .fd = work->signal_fd, .events = POLLIN };
	work->is_leaving = work->is_leaving || poll(&signals, 1, 0) > 0;
	return !work->is_leaving;
}

/* The turn in which the signal came ends; the last one has its time. */
bool work_goes_on(void *context)
{
	struct work *work = context;
	if (work->is_once)
		return true;
	bool was_leaving = work->is_leaving;
	return (was_leaving || work_stays(work)) &&
	       (work->until_ms == 0 || clock_ms() < work->until_ms);
}

bool work_is_looking_up(const struct work *work)
{
	return work->is_looking_up;
}

/* Without the note `doctor` only knows less. */
static void note_run(const struct work *work)
{
	if (work->is_once || work->roles & WORK_WRITES)
		work_lock_note(work->config->pages_dir);
}

/* Becomes the process that writes, unless another process of the machine is. */
static enum result take_lock(struct work *work, struct error *error)
{
	return work_lock_take(work->config->pages_dir, &work->lock_fd, error);
}

static void report_job(struct work *work, const struct work_job *job, enum result result,
		       const struct error *error)
{
	struct work_entry *entry = &work->entries[job - work_jobs];
	const struct work_observer *observer = &work->observer;
	/* Once for each state, not in each turn. */
	if (observer->job && (result == OK ? entry->last != OK : result != entry->last))
		observer->job(observer->context, job->name, result == OK ? NULL : error);
	entry->last = result;
}

static void schedule(struct work_entry *entry, const struct work_job *job, int64_t took_ms)
{
	int64_t wait_ms = job->interval_ms;
	if (took_ms * job->rest > wait_ms)
		wait_ms = took_ms * job->rest;
	if (entry->last == OK) {
		entry->wait_ms = 0;
	} else {
		entry->wait_ms = entry->wait_ms == 0 ? RETRY_MS : 2 * entry->wait_ms;
		if (entry->wait_ms > job->retry_max_ms)
			entry->wait_ms = job->retry_max_ms;
		wait_ms = entry->wait_ms;
	}
	entry->due_ms = clock_ms() + wait_ms;
}

struct aside {
	struct work *work;
	const struct work_job *job;
};

static void *run_aside(void *argument)
{
	const struct aside *aside = argument;
	struct work *work = aside->work;
	struct work_turn turn = { .now = clock_now() };
	struct error error = { 0 };
	enum result result = aside->job->run(work, &turn, &error);
	if (result != OK)
		log_warn("work", "%s: %s", aside->job->name, error_text(&error));
	work->is_looking_up = false;
	return NULL;
}

/* Does nothing while the previous run continues. */
static void start_aside(struct work *work, const struct work_job *job)
{
	static struct aside aside;
	pthread_t thread;
	if (atomic_exchange(&work->is_looking_up, true))
		return;
	aside = (struct aside){ work, job };
	if (pthread_create(&thread, NULL, run_aside, &aside) == 0)
		pthread_detach(thread);
	else
		work->is_looking_up = false;
}

static enum result run_job(struct work *work, const struct work_job *job, bool *is_more)
{
	struct error error = { 0 };
	struct work_turn turn = { .now = clock_now() };
	int64_t begun_ms = clock_ms();
	enum result result = OK;
	work->until_ms = job->budget_ms > 0 ? begun_ms + job->budget_ms : 0;
	if (work->is_leaving)
		work->until_ms = begun_ms + LEAVE_MS;
	if (job->is_aside)
		start_aside(work, job);
	else
		result = job->run(work, &turn, &error);
	arena_reset(&work->arena);
	report_job(work, job, result, &error);
	schedule(&work->entries[job - work_jobs], job, clock_ms() - begun_ms);
	*is_more |= result == OK && turn.is_more;
	return result;
}

static bool may_run(const struct work *work, const struct work_job *job)
{
	return (work->roles & job->role) && (job->role != WORK_WRITES || work->lock_fd >= 0);
}

static bool is_due(const struct work *work, const struct work_job *job, bool is_more)
{
	const struct work_entry *entry = &work->entries[job - work_jobs];
	if (!may_run(work, job))
		return false;
	if (work->is_leaving)
		return job->is_woken;
	return !(is_more && job->is_idle) && clock_ms() >= entry->due_ms;
}

/* The job that publishes reports why the lock cannot be taken. */
static void try_lock(struct work *work)
{
	struct error error = { 0 };
	work_lock_drop_lost(work->config->pages_dir, &work->lock_fd);
	if (!(work->roles & WORK_WRITES) || work->lock_fd >= 0)
		return;
	enum result result = take_lock(work, &error);
	for (size_t i = 0; i < work_job_count && result != OK; i++)
		if (work_jobs[i].is_woken)
			report_job(work, &work_jobs[i], result, &error);
}

/* Without the database no job could do more: those behind wait as long as the one that failed. */
static void postpone_jobs(struct work *work, size_t failed)
{
	for (size_t i = failed + 1; i < work_job_count; i++)
		if (work->entries[i].due_ms < work->entries[failed].due_ms)
			work->entries[i].due_ms = work->entries[failed].due_ms;
}

/* Each job that is due, once; true when a job could go on at once. */
static bool run_turn(struct work *work)
{
	bool is_more = false;
	try_lock(work);
	for (size_t i = 0; i < work_job_count; i++) {
		bool has_more = false;
		if (!is_due(work, &work_jobs[i], is_more))
			continue;
		enum result result = run_job(work, &work_jobs[i], &has_more);
		if (has_more)
			work->entries[i].due_ms = 0;
		is_more |= has_more;
		if (result == E_UNAVAILABLE || publish_is_refused(result)) {
			postpone_jobs(work, i);
			break;
		}
	}
	return is_more;
}

/* Takes calls and signals; waits for them until the next job is due, or not if `is_more`. */
static void await(struct work *work, bool is_more)
{
	struct pollfd fds[] = { { .fd = work->signal_fd, .events = POLLIN },
				{ .fd = work->wake_fd, .events = POLLIN } };
	uint64_t calls = 0;
	int64_t wait_ms = is_more ? 0 : LOOK_MS, now_ms = clock_ms();
	for (size_t i = 0; i < work_job_count; i++)
		if (may_run(work, &work_jobs[i]) && work->entries[i].due_ms < now_ms + wait_ms)
			wait_ms = work->entries[i].due_ms - now_ms;
	if (poll(fds, ARRAY_LEN(fds), wait_ms > 0 ? (int)wait_ms : 0) <= 0)
		return;
	work->is_leaving |= fds[0].revents != 0;
	if (fds[1].revents == 0 || read(work->wake_fd, &calls, sizeof(calls)) <= 0)
		return;
	work->is_called = true;
	for (size_t i = 0; i < work_job_count; i++)
		if (work_jobs[i].is_woken)
			work->entries[i].due_ms = 0;
}

static int open_signals(void)
{
	sigset_t ends, blocked;
	sigemptyset(&ends);
	sigaddset(&ends, SIGTERM);
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	if (!sigismember(&blocked, SIGINT))
		sigaddset(&ends, SIGINT);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	return signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
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
		.site = work->site,
		.arena = &work->arena,
	};
	arena_init(&work->arena, ARENA_MAX_BYTES);
	work->lock_fd = -1;
	work->signal_fd = -1;
	/* The changes of a process that was killed before. */
	work->is_called = true;
	work->due = (struct due){
		.publisher = publisher,
		.goes_on = work_goes_on,
		/* A follower of the same loop reports the same pages. */
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
	close_fd(&work->signal_fd);
	arena_done(&work->arena);
}

void work_run(struct work *work)
{
	start(work);
	work->signal_fd = open_signals();
	if (work->signal_fd < 0)
		die("work: cannot wait for signals");
	while (!work->is_leaving)
		await(work, run_turn(work));
	work->is_called = true;
	run_turn(work);
	stop(work);
}

/* Runs each job that writes until it has no more to do, in the order of the table. */
static enum result run_all_jobs(struct work *work, struct error *error)
{
	struct work_turn turn = { .now = clock_now() };
	enum result outcome = OK;
	for (size_t i = 0; i < work_job_count; i++) {
		struct error failure = { 0 };
		if (work_jobs[i].role != WORK_WRITES)
			continue;
		enum result result;
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

/* Pages that gained or lost their domain in the last job. */
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
		result = take_lock(work, error);
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
