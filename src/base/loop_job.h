/*
 * Work beside a loop: each job has a separate thread, so that it delays neither the loop nor
 * another job while it waits. A job runs only once at a time.
 */
#ifndef BASE_LOOP_JOB_H
#define BASE_LOOP_JOB_H

#include "base/loop.h"

struct loop_job {
	loop_call *run; /* called in the thread of the job */
	/* Called after each run, in the thread of the loop; it may start the next run. */
	loop_call *call;
	void *context;

	struct loop *loop; /* NULL: the job is not open */
	struct loop_job *next;
	pthread_t thread;
	pthread_cond_t has_changed;
	enum loop_job_state { JOB_RESTS, JOB_RUNS, JOB_IS_OVER, JOB_LEAVES } state;
	bool is_running; /* as the loop's thread sees it */
};

/* Starts the thread. False, with errno: there are too many. */
bool loop_job_open(struct loop *loop, struct loop_job *job) MUST_USE;
/* Ends the thread. False: the job runs, and was not closed. Accepts a job that is not open. */
bool loop_job_close(struct loop_job *job);
/* Starts a run of the job, unless the job is running. */
void loop_job_start(struct loop_job *job);

/* Prepares the loop for jobs; called by loop_open(). False, with errno: there is no descriptor. */
bool loop_jobs_open(struct loop *loop) MUST_USE;

#endif
