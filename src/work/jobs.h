/*
 * The table of the background loop's jobs. A new kind of work is a row of the table, and a
 * function.
 */
#ifndef WORK_JOBS_H
#define WORK_JOBS_H

#include "work/work.h"

struct work_job {
	const char *name;
	bool is_of_follower; /* a job of the role WORK_FOLLOWS; false: of WORK_WRITES */
	int64_t interval_ms; /* from the end of a run to the next run */
	int64_t rest;	     /* the interval is at least this many times as long as the run */
	int64_t budget_ms;   /* after this time work_goes_on() is false; 0: no limit */
	/* The longest wait after a failure; 0: a minute. The wait is a second after the first
	 * failure, and doubles after each further one. */
	int64_t retry_max_ms;
	/* Runs at once when the background loop is woken, and once more before the loop ends. */
	bool is_woken;
	bool is_idle; /* runs only if no earlier job of the turn has more to do */
	/*
	 * Runs beside the turns, with a separate connection, because it may wait for the network.
	 */
	bool is_aside;
	enum result (*run)(struct work *work, struct work_turn *turn, struct error *error);
};

extern const struct work_job work_jobs[];
extern const size_t work_job_count;

/* Returns whether the present job may go on: its time is not over, and no SIGTERM or SIGINT has
 * come since it began. */
bool work_goes_on(void *context);
/* Returns whether no SIGTERM or SIGINT has come. */
bool work_stays(void *context);

#endif
