/*
 * Jobs of a loop. Each job has a separate thread, so that a job that waits delays neither the loop
 * nor another job. A job never has two runs at the same time.
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
	bool is_running; /* from loop_job_start() to `call`; only for the loop's thread */
};

/* Starts the job's thread. Returns false, with errno set, if the thread cannot be started. */
bool loop_job_open(struct loop *loop, struct loop_job *job) MUST_USE;
/* Ends the job's thread. Returns false, and does nothing, if the job runs. Accepts a job that is
 * not open. */
bool loop_job_close(struct loop_job *job);
/* Starts a run of the job, unless the job is running. */
void loop_job_start(struct loop_job *job);

/* Prepares the loop for jobs; called by loop_open(). Returns false, with errno set, if descriptors
 * are used up. */
bool loop_jobs_open(struct loop *loop) MUST_USE;

#endif
