/* The table of the background loop's jobs. To add a job, add a row and a function. */
#ifndef WORK_JOBS_H
#define WORK_JOBS_H

#include "work/work.h"

struct work_job {
	const char *name;
	bool is_of_follower; /* for loops with the role WORK_FOLLOWS; false: with WORK_WRITES */
	int64_t interval_ms; /* the time from the end of a run to the next run */
	int64_t rest;	     /* the interval is at least `rest` times the duration of the run */
	int64_t budget_ms;   /* work_goes_on() is false after this time; 0: no limit */
	/* The longest wait after a failure; 0: a minute. The job waits a second after its first
	 * failure, and twice as long after each failure that follows. */
	int64_t retry_max_ms;
	/* also runs when a request wakes the background loop, and before the loop ends */
	bool is_woken;
	bool is_idle; /* runs only if no earlier job of the turn has more to do */
	/* runs beside the turns, in a separate thread with a separate connection to the database,
	 * because it may wait for the network */
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
