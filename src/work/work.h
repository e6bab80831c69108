/*
 * The background loop: the work that no request waits for, because it is due by the clock or
 * follows a response. What it does is a table of jobs (work/jobs.c). The supervisor's
 * publisher process, `daymarkctl work` and `daymarkctl publish` run it.
 *
 * The jobs of the clock run in turns, one after the other in one thread. A job that may wait for
 * the network runs beside them, in a thread of its own, and delays none of them.
 *
 * Of a machine and pages folder one process at a time does the jobs that write to the database:
 * the one that holds the lock `publisher` in the folder's lock/. Others try for it every second.
 */
#ifndef WORK_WORK_H
#define WORK_WORK_H

#include <stdatomic.h>

#include "base/backoff.h"
#include "base/config.h"
#include "base/loop_job.h"
#include "publish/due.h"
#include "publish/follow.h"
#include "publish/recheck.h"
#include "store/account/removal.h"

/* Which jobs a loop does; to be combined. */
enum work_role {
	WORK_WRITES = 1,  /* those that write to the database; only with the lock */
	WORK_FOLLOWS = 2, /* keeping this disk at the state of the database, which is only read */
};

/* What the background loop reports; any function may be NULL. */
struct work_observer {
	/* Each page that a follower writes; else the first failure of a page (`failure`), and its
	 * first success after that (NULL). */
	publish_progress *page;
	/* The first failure of a job, and its first success after that (NULL). */
	void (*job)(void *context, const char *name, const struct error *failure);
	/* A domain whose proof is missing or cannot be looked up. Called beside the turns. */
	void (*domain)(void *context, const char *sentence);
	void *context;
};

enum { WORK_JOBS_MAX = 20 };

/* One run of a job. */
struct work_turn {
	struct instant now;
	bool is_more; /* set by the job: its budget was used up, and it could go on now */
};

/* A job of this loop: when it runs next, and how it went. */
struct work_entry {
	int64_t due_ms; /* by clock_ms() */
	struct backoff backoff;
	enum result last;
	/* Of a job beside the turns. */
	struct work *work;
	struct loop_job aside;
	int64_t begun_ms;
	enum result result;
	struct error error;
};

struct work {
	/* Set before work_run() or work_once(). */
	struct loop *loop; /* of work_run() */
	const struct config *config;
	const struct site *site;
	struct db *db;
	unsigned roles;	 /* of enum work_role */
	int wake_fd;	 /* an eventfd that requests write to; -1: none */
	bool is_all;	 /* work_once(): publish every page, whether due or not */
	bool is_locking; /* work_once(): only with the lock; work_run() always needs it */
	/* work_once(): after each page; called in place of observer.page. May be NULL. */
	publish_progress *progress;
	struct work_observer observer;

	/* The rest is private to the background loop. */
	struct arena arena;
	struct due due;
	struct follower follower;
	struct work_entry entries[WORK_JOBS_MAX];
	struct loop_signals signals;
	struct loop_watch wake;
	struct loop_timer timer; /* of the next turn */
	struct loop_job turn;
	bool has_calls; /* requests have called since the turn began */
	bool is_last;	/* the turn is the last one */
	atomic_bool is_leaving;
	/* While a turn runs its thread has the rest, and all entries but those of jobs beside it.
	 */
	bool has_more;	/* a job of the turn could go on at once */
	bool is_cut;	/* the turn has ended early: the database is away */
	int lock_fd;	/* -1: another process does the jobs that write */
	bool is_called; /* changes are due that no request is going to publish */
	bool is_once;
	bool was_leaving; /* as the present job began */
	int64_t until_ms; /* when the present job is to end; 0: when it is done */
	struct work_done {
		size_t published;
		size_t failed;
		size_t removed; /* folders that belonged to no page */
		bool is_busy;	/* nothing was done: another process has the lock */
	} done;
	size_t domains_turned;
	struct recheck recheck;
	int crowded_sweeps;	 /* in turn, in vain: see publish_run.is_crowded */
	struct removal removal;	 /* that of the present account, if its id is not 0 */
	int64_t removed_monitor; /* the last whose removal was continued */
	int64_t removal_after;	 /* accounts up to this id were tried in this round */
};

/*
 * Runs until SIGTERM, or SIGINT where that is not blocked. Begins with everything that is due;
 * then looks every second, and at once when wake_fd is written to. After the signal it publishes
 * for two seconds at most. A job beside the turns may still run then: loop_close() is false, and
 * `work` must stay.
 */
void work_run(struct work *work);

/*
 * Does everything that is due, and returns; work->done says what. A page that fails does not
 * stop the others; E_FAILED at the end when any did. E_UNAVAILABLE, E_REFUSED, E_RETRY: the
 * database is away or takes no writes, and the rest was not tried.
 */
enum result work_once(struct work *work, struct error *error) MUST_USE;

/* Whether a process does the jobs that write, for this pages folder. */
enum result work_is_running(const char *pages_dir, bool *is_running, struct error *error) MUST_USE;
/* When such a process, or work_once(), last ended; 0: none has run. */
enum result work_last_run(const char *pages_dir, struct instant *at, struct error *error) MUST_USE;

#endif
