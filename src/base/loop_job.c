#include "base/loop_job.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

static void set_state(struct loop_job *job, enum loop_job_state state)
{
	pthread_mutex_lock(&job->loop->mutex);
	job->state = state;
	pthread_cond_signal(&job->has_changed);
	pthread_mutex_unlock(&job->loop->mutex);
}

static void *serve(void *context)
{
	struct loop_job *job = context;
	struct loop *loop = job->loop;
	uint64_t one = 1;
	pthread_mutex_lock(&loop->mutex);
	while (job->state != JOB_LEAVES) {
		if (job->state != JOB_RUNS) {
			pthread_cond_wait(&job->has_changed, &loop->mutex);
			continue;
		}
		pthread_mutex_unlock(&loop->mutex);
		job->run(job->context);
		pthread_mutex_lock(&loop->mutex);
		job->state = JOB_IS_OVER;
		/* write() fails only if the counter is full, and then the loop wakes up anyway. */
		(void)!write(loop->wake.fd, &one, sizeof(one));
	}
	pthread_mutex_unlock(&loop->mutex);
	return NULL;
}

/* Finds a job whose run has ended, and sets its state to JOB_RESTS. Returns NULL if no run has
 * ended. */
static struct loop_job *take_over(struct loop *loop)
{
	pthread_mutex_lock(&loop->mutex);
	struct loop_job *job = loop->jobs;
	while (job && job->state != JOB_IS_OVER)
		job = job->next;
	if (job)
		job->state = JOB_RESTS;
	pthread_mutex_unlock(&loop->mutex);
	return job;
}

/* Calls the jobs whose runs have ended. Reads the list from its start after each call, because a
 * call may start, open and close jobs. */
static void call_jobs(void *context)
{
	struct loop *loop = context;
	struct loop_job *job;
	uint64_t count;
	if (read(loop->wake.fd, &count, sizeof(count)) < 0)
		return;
	while ((job = take_over(loop))) {
		job->is_running = false;
		job->call(job->context);
	}
}

bool loop_jobs_open(struct loop *loop)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	loop->wake = (struct loop_watch){ .call = call_jobs, .context = loop, .fd = fd };
	pthread_mutex_init(&loop->mutex, NULL);
	return fd >= 0 && loop_watch(loop, &loop->wake, fd);
}

bool loop_job_open(struct loop *loop, struct loop_job *job)
{
	sigset_t signals, before;
	job->loop = loop;
	job->state = JOB_RESTS;
	job->is_running = false;
	pthread_cond_init(&job->has_changed, NULL);
	/* Block all signals except SIGALRM in the job's thread. base/file_lock.c needs SIGALRM to
	 * end its waits. The loop handles the blocked signals. */
	sigfillset(&signals);
	sigdelset(&signals, SIGALRM);
	pthread_sigmask(SIG_SETMASK, &signals, &before);
	int reason = pthread_create(&job->thread, NULL, serve, job);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (reason != 0) {
		pthread_cond_destroy(&job->has_changed);
		job->loop = NULL;
		errno = reason;
		return false;
	}
	job->next = loop->jobs;
	loop->jobs = job;
	return true;
}

bool loop_job_close(struct loop_job *job)
{
	if (!job->loop)
		return true;
	if (job->is_running)
		return false;
	struct loop_job **link = &job->loop->jobs;
	while (*link != job)
		link = &(*link)->next;
	*link = job->next;
	set_state(job, JOB_LEAVES);
	pthread_join(job->thread, NULL);
	pthread_cond_destroy(&job->has_changed);
	job->loop = NULL;
	return true;
}

void loop_job_start(struct loop_job *job)
{
	if (job->is_running)
		return;
	job->is_running = true;
	set_state(job, JOB_RUNS);
}
