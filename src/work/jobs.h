/* The table of the background loop's jobs. A new kind of work is a row of it and a function. */
#ifndef WORK_JOBS_H
#define WORK_JOBS_H

#include "work/work.h"

struct work_job {
	const char *name;
	enum work_role role;
	int64_t interval_ms;  /* from the end of a run to the beginning of the next */
	int64_t rest;	      /* or this many times what the run took, if that is longer */
	int64_t budget_ms;    /* work_goes_on() is false after it; 0: a run ends when it is done */
	int64_t retry_max_ms; /* tries after failures wait a second, which doubles up to this */
	bool is_woken; /* runs at once when the background loop is woken, and a last time when it
			  leaves */
	bool is_idle;  /* only runs in a turn in which no job before it had more to do */
	bool is_aside; /* may wait for the network: runs beside the turns, with a connection of its
			  own */
	enum result (*run)(struct work *work, struct work_turn *turn, struct error *error);
};

extern const struct work_job work_jobs[];
extern const size_t work_job_count;

/* Whether the present job may go on: there is time, and no signal has come. */
bool work_goes_on(void *context);
/* Whether no signal has come. */
bool work_stays(void *context);

#endif
