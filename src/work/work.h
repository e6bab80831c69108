/*
 * The background loop: one loop for the work that no request waits for, because it is due by the
 * clock or follows a response. What it does is a table of jobs (work/jobs.c). The supervisor's
 * publisher process, `daymarkctl work` and `daymarkctl publish` run it.
 *
 * Of a machine and pages folder one process at a time does the jobs that write to the database:
 * the one that holds the lock `publisher` in the folder's lock/. Others try for it every second.
 */
#ifndef WORK_WORK_H
#define WORK_WORK_H

#include <stdatomic.h>

#include "base/config.h"
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
	/* A domain whose proof is missing or cannot be looked up. Called in another thread. */
	void (*domain)(void *context, const char *sentence);
	void *context;
};

enum { WORK_JOBS_MAX = 16 };

/* A job of this loop: when it runs next, and how it went. */
struct work_entry {
	int64_t due_ms;	 /* by clock_ms() */
	int64_t wait_ms; /* before the next try, after failures; 0: it works */
	enum result last;
};

struct work {
	/* Set before work_run() or work_once(); must outlive a look-up: see work_is_looking_up().
	 */
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
	int signal_fd;
	int lock_fd;	/* -1: another process does the jobs that write */
	bool is_called; /* changes are due that no request is going to publish */
	bool is_once;
	bool is_leaving;
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
	atomic_bool is_looking_up;
};

/*
 * Runs until SIGTERM, or SIGINT where that is not blocked. Begins with everything that is due;
 * then looks every second, and at once when wake_fd is written to. After the signal it publishes
 * for two seconds at most.
 */
void work_run(struct work *work);

/*
 * Does everything that is due, and returns; work->done says what. A page that fails does not
 * stop the others; E_FAILED at the end when any did. E_UNAVAILABLE, E_REFUSED, E_RETRY: the
 * database is away or takes no writes, and the rest was not tried.
 */
enum result work_once(struct work *work, struct error *error) MUST_USE;

/* Whether a look-up in another thread still uses `work`: the process is then to _exit(). */
bool work_is_looking_up(const struct work *work);

/* Whether a process does the jobs that write, for this pages folder. */
enum result work_is_running(const char *pages_dir, bool *is_running, struct error *error) MUST_USE;
/* When such a process, or work_once(), last ended; 0: none has run. */
enum result work_last_run(const char *pages_dir, struct instant *at, struct error *error) MUST_USE;

#endif
