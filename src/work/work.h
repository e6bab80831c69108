/*
 * The background loop does the work for which no request waits: work that is due at a certain time,
 * and work that remains after a response. The table in work/jobs.c lists its jobs. The supervisor's
 * publisher process, `daymarkctl work` and `daymarkctl publish` run the loop.
 *
 * Most jobs run in turns, one after the other in one thread. A job that may wait for the network
 * runs beside the turns, in a separate thread, and delays no other job.
 *
 * If several processes of a machine share a pages folder, only one of them does the jobs that write
 * to the database. This process holds the lock `publisher` in the folder's lock/. The other
 * processes try to take the lock every second.
 */
#ifndef WORK_WORK_H
#define WORK_WORK_H

#include <stdatomic.h>

#include "base/backoff.h"
#include "base/config/config.h"
#include "base/loop_job.h"
#include "publish/due.h"
#include "publish/follow.h"
#include "publish/recheck.h"
#include "store/account/removal.h"

/* The jobs that a loop does. Roles can be combined. */
enum work_role {
	WORK_WRITES = 1, /* does the jobs that write to the database; needs the lock */
	/* Does the jobs that update the pages on this disk; only reads the database. */
	WORK_FOLLOWS = 2,
};

/* Receives the reports of the background loop. Any function may be NULL. */
struct work_observer {
	/* Called for each page that a follower writes. For pages that the job `pages` writes,
	 * called only for the first failure, and for the first success after it (`failure` is
	 * NULL). */
	publish_progress *page;
	/* Called when a job's result changes: for a failure, and for a success after it (`failure`
	 * is NULL). */
	void (*job)(void *context, const char *name, const struct error *failure);
	/* Called for a domain whose proof is missing or cannot be looked up, in the thread of the
	 * job `domains`. */
	void (*domain)(void *context, const char *sentence);
	void *context;
};

enum { WORK_JOBS_MAX = 21 };

/* One run of a job. */
struct work_turn {
	struct instant now;
	bool is_more; /* set by a job that has used up its time, but has more to do */
};

/* The next run and the last result of a job in this loop. */
struct work_entry {
	int64_t due_ms; /* by clock_ms() */
	struct backoff backoff;
	enum result last;
	/* Used by a job beside the turns. */
	struct work *work;
	struct loop_job aside;
	int64_t begun_ms;
	enum result result;
	struct error error;
};

struct work {
	/* Set these before work_run() or work_once(). */
	struct loop *loop; /* only for work_run() */
	const struct config *config;
	const struct site *site;
	struct db *db;
	unsigned roles;	 /* of enum work_role */
	int wake_fd;	 /* the eventfd by which requests wake the loop; -1: none */
	bool is_all;	 /* work_once(): publish every page, even if it is not due */
	bool is_locking; /* work_once(): do nothing if another process has the lock */
	/* work_once(): called after each page in place of observer.page. May be NULL. */
	publish_progress *progress;
	struct work_observer observer;

	/* The other members are private to the background loop. */
	struct arena arena;
	struct due due;
	struct follower follower;
	struct work_entry entries[WORK_JOBS_MAX];
	struct loop_signals signals;
	struct loop_watch wake;
	struct loop_timer timer; /* starts the next turn */
	struct loop_job turn;
	bool has_calls; /* a request has woken the loop since the turn began */
	bool is_last;	/* this turn is the last one */
	atomic_bool is_leaving;
	/* During a turn, the turn's thread owns the members below, and the `entries` of all jobs
	 * without is_aside. */
	bool has_more;	/* a job of the turn has more to do */
	bool is_cut;	/* the turn ended early, because the database is away */
	int lock_fd;	/* -1: another process has the lock */
	bool is_called; /* also publish changes of the last second: no request publishes them */
	bool is_once;
	bool was_leaving; /* the value of is_leaving when the present job began */
	int64_t until_ms; /* end of the present job's time; 0: no limit */
	struct work_done {
		size_t published;
		size_t failed;
		size_t removed; /* how many folders that belong to no page were removed */
		bool is_busy;	/* nothing was done, because another process has the lock */
	} done;
	size_t domains_turned;
	/* The time since which no look has found a checker with the lease. 0: the last look found a
	 * checker. */
	int64_t idle_since_ms;
	int64_t idle_seen_ms; /* the time of the last look for a checker with the lease */
	/* the time of the first look for silent locations, or of the first after a long pause; 0:
	 * none */
	int64_t located_since_ms;
	int64_t located_ms; /* the time of the last look for silent locations */
	struct recheck recheck;
	/* How many sweeps in a row have removed nothing because other processes had locks; at most
	 * PATIENCE_DOUBLED_MAX. */
	int crowded_sweeps;
	/* the account that is being removed; account_id is 0 if there is none */
	struct removal removal;
	int64_t removed_monitor; /* the last monitor whose removal was tried; 0: none */
	int64_t removal_after;	 /* the last account whose removal was tried; 0: none */
};

/*
 * Runs the loop until SIGTERM, or SIGINT if that signal is not blocked. Begins with all work that
 * is due. Then looks for work every second, and at once when a request writes to wake_fd. After the
 * signal it publishes for two seconds at most. A job beside the turns may still run when work_run()
 * returns: loop_close() then returns false, and the caller must not free `work`.
 */
void work_run(struct work *work);

/*
 * Does all work of WORK_WRITES once, and sets work->done. E_FAILED: a page or a job failed; all
 * other work was done. E_UNAVAILABLE, E_REFUSED, E_RETRY: the database is away or takes no writes,
 * so the remaining work was not tried.
 */
enum result work_once(struct work *work, struct error *error) MUST_USE;

/* Sets *is_running to whether any process has the lock in this pages folder. */
enum result work_is_running(const char *pages_dir, bool *is_running, struct error *error) MUST_USE;
/* Sets *at to the time when work_once(), or a loop with WORK_WRITES, last ended; 0: never. */
enum result work_last_run(const char *pages_dir, struct instant *at, struct error *error) MUST_USE;

#endif
