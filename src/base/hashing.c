#include "base/hashing.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

enum { POLL_MS = 5, SECOND_MS = 1000 };

/* Shared by the threads of this process. */
static struct {
	pthread_mutex_t lock; /* guards the members below */
	int64_t inside;	      /* threads that hash or wait */
	int64_t hashing;      /* threads that hash */
	int64_t since_ms;     /* start of the present second, by clock_ms() */
	int64_t last_threads; /* waits of the last free thread in this second */
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int64_t at_once(const struct hashing_limits *limits)
{
	return limits->threads < 2 ? 1 : limits->threads / 2;
}

/*
 * Whether the thread may hash, or wait for its turn. A thread that waits serves no request. So if
 * no other thread of the process is free, a thread may wait only a few times a second. This is
 * enough for a few simultaneous visitors, but not for a flood of requests.
 */
static bool is_room(const struct hashing_limits *limits)
{
	if (all.inside < at_once(limits) || all.inside < limits->threads - 1)
		return true;
	if (limits->last_threads == 0)
		return false;
	int64_t now_ms = clock_ms();
	if (now_ms - all.since_ms >= SECOND_MS) {
		all.since_ms = now_ms;
		all.last_threads = 0;
	}
	bool is_allowed = all.last_threads < limits->last_threads;
	all.last_threads += is_allowed;
	return is_allowed;
}

static bool enter_queue(const struct hashing_limits *limits)
{
	pthread_mutex_lock(&all.lock);
	bool is_in = is_room(limits);
	all.inside += is_in;
	pthread_mutex_unlock(&all.lock);
	return is_in;
}

static bool is_behind_others(void)
{
	pthread_mutex_lock(&all.lock);
	bool is_behind = all.inside - all.hashing > 1;
	pthread_mutex_unlock(&all.lock);
	return is_behind;
}

static bool start_hash(const struct hashing_limits *limits)
{
	pthread_mutex_lock(&all.lock);
	bool is_started = all.hashing < at_once(limits);
	all.hashing += is_started;
	pthread_mutex_unlock(&all.lock);
	return is_started;
}

static void leave_queue(bool is_hashing, bool is_going)
{
	pthread_mutex_lock(&all.lock);
	all.hashing -= is_hashing;
	all.inside -= is_going;
	pthread_mutex_unlock(&all.lock);
}

/* Locks one byte of the file: each byte is one of the machine's turns to hash. The kernel releases
 * the lock if the process is killed. Returns false if all turns are in use. */
static bool lock_turn(const struct hashing *turn, const struct hashing_limits *limits)
{
	int64_t turns = limits->processes * at_once(limits);
	for (int64_t i = 0; i < turns; i++) {
		struct flock one = {
			.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = i, .l_len = 1
		};
		if (fcntl(turn->fd, F_OFD_SETLK, &one) == 0)
			return true;
		/* If the file system has no locks, only the limits of the process apply. */
		if (errno != EAGAIN && errno != EACCES)
			return true;
	}
	return false;
}

static bool try_turn(const struct hashing *turn, const struct hashing_limits *limits)
{
	if (!start_hash(limits))
		return false;
	if (turn->fd < 0 || lock_turn(turn, limits))
		return true;
	leave_queue(true, false);
	return false;
}

static bool wait_for_turn(const struct hashing *turn, const struct hashing_limits *limits)
{
	static const struct timespec pause = { .tv_nsec = POLL_MS * 1000000L };
	int64_t ends_ms = clock_ms() + limits->wait_ms;
	/* Let threads that already wait go first. */
	bool is_behind = is_behind_others();
	while (is_behind || !try_turn(turn, limits)) {
		if (clock_ms() >= ends_ms)
			return false;
		nanosleep(&pause, NULL);
		is_behind = false;
	}
	return true;
}

bool hashing_begin(struct hashing *turn, const struct hashing_limits *limits, int folder_fd,
		   const char *name)
{
	*turn = (struct hashing){ -1 };
	if (!enter_queue(limits))
		return false;
	turn->fd = openat(folder_fd, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (wait_for_turn(turn, limits))
		return true;
	if (turn->fd >= 0)
		close(turn->fd);
	leave_queue(false, true);
	return false;
}

void hashing_end(struct hashing *turn)
{
	if (turn->fd >= 0)
		close(turn->fd);
	leave_queue(true, true);
}
