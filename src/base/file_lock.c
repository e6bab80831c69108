#include "base/file_lock.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"

#ifndef sigev_notify_thread_id /* missing in older C libraries */
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* flock() has no time limit, so a timer interrupts it by a signal. The timer repeats the signal at
 * this interval, because the first signal may come just before flock() begins to wait. */
enum { SIGNAL_AGAIN_MS = 10 };

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void handle_signal(void)
{
	interrupt_by(SIGALRM);
}

static struct timespec timespec_of(int64_t ms)
{
	return (struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };
}

/* Starts a timer that sends signals to this thread only. */
static bool start_timer(int64_t wait_ms, timer_t *timer)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGALRM };
	const struct itimerspec times = { .it_value = timespec_of(wait_ms),
					  .it_interval = timespec_of(SIGNAL_AGAIN_MS) };
	event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	pthread_once(&once, handle_signal);
	return timer_create(CLOCK_MONOTONIC, &event, timer) == 0 &&
	       timer_settime(*timer, 0, &times, NULL) == 0;
}

static bool wait_until(int fd, int operation, int64_t until_ms)
{
	int64_t wait_ms = until_ms - clock_ms();
	timer_t timer;
	bool is_locked = false;
	int reason = EWOULDBLOCK;
	/* If the timer cannot be started, do not wait at all. */
	if (wait_ms <= 0 || !start_timer(wait_ms, &timer)) {
		errno = EWOULDBLOCK;
		return false;
	}
	do {
		is_locked = flock(fd, operation) == 0;
		reason = errno;
	} while (!is_locked && reason == EINTR && clock_ms() < until_ms);
	timer_delete(timer);
	errno = reason == EINTR ? EWOULDBLOCK : reason;
	return is_locked;
}

bool file_lock(int fd, int operation, int64_t until_ms)
{
	if (until_ms == FILE_LOCK_FOREVER) {
		int outcome;
		do
			outcome = flock(fd, operation);
		while (outcome != 0 && errno == EINTR);
		return outcome == 0;
	}
	if (flock(fd, operation | LOCK_NB) == 0)
		return true;
	return errno == EWOULDBLOCK && wait_until(fd, operation, until_ms);
}

void file_unlock(int *fd)
{
	int reason = errno;
	if (*fd >= 0) {
		flock(*fd, LOCK_UN);
		close(*fd);
	}
	*fd = -1;
	errno = reason;
}
