#include "mirror/push/pushers.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/fd.h"

struct pushers {
	struct pusher *rows;
	pthread_t *threads;
	size_t count;
	int stop_fd;
	atomic_bool is_stopping;
	atomic_llong until_ms;
	atomic_size_t running;
};

struct place {
	struct pushers *pushers;
	struct pusher *pusher;
};

/* Returns early when the pushers are stopped. */
static void wait_ms(const struct pushers *pushers, int ms)
{
	struct pollfd stop = { .fd = pushers->stop_fd, .events = POLLIN };
	poll(&stop, 1, ms);
}

/* Waits for the mirror's lock. False: the pushers are stopped. */
static bool open_pusher(struct pushers *pushers, struct pusher *pusher)
{
	bool is_free = false;
	while (!pushers->is_stopping && !is_free) {
		struct error error = { 0 };
		if (pusher_open(pusher, &is_free, &error) != OK || !is_free)
			wait_ms(pushers, PUSHER_RETRY_MS);
	}
	return is_free;
}

/* After the stop the pusher sends what waits, and does not wait for more. */
static void run_pusher(struct pushers *pushers, struct pusher *pusher)
{
	bool is_more = true;
	while (!pushers->is_stopping || (is_more && clock_ms() < pushers->until_ms)) {
		struct error error = { 0 };
		bool was_stopping = pushers->is_stopping;
		if (pusher_turn(pusher, &is_more, &error) != OK)
			is_more = false;
		if (!is_more && was_stopping)
			break;
		if (!is_more)
			wait_ms(pushers, PUSHER_POLL_MS);
		is_more |= !was_stopping;
	}
}

static void *run_thread(void *argument)
{
	struct place place = *(struct place *)argument;
	free(argument);
	if (open_pusher(place.pushers, place.pusher))
		run_pusher(place.pushers, place.pusher);
	pusher_done(place.pusher);
	place.pushers->running--;
	return NULL;
}

/* A page may have many files, which are open while they are sent. */
static void raise_file_limit(void)
{
	enum { FILES_WANTED = 8192 };
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= FILES_WANTED)
		return;
	limit.rlim_cur = limit.rlim_max < FILES_WANTED ? limit.rlim_max : FILES_WANTED;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static bool start_thread(struct pushers *pushers, size_t i)
{
	struct place *place = malloc(sizeof(*place));
	if (!place)
		return false;
	*place = (struct place){ pushers, &pushers->rows[i] };
	pushers->running++;
	/* Signals are for the thread that started this. */
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int outcome = pthread_create(&pushers->threads[i], NULL, run_thread, place);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (outcome == 0)
		return true;
	pushers->running--;
	free(place);
	return false;
}

static void free_pushers(struct pushers *pushers)
{
	close_fd(&pushers->stop_fd);
	free(pushers->threads);
	free(pushers->rows);
	free(pushers);
}

struct pushers *pushers_start(const struct config *config, const struct mirrors *mirrors,
			      const struct pusher_observer *observer)
{
	struct pushers *pushers = mirrors->count > 0 ? calloc(1, sizeof(*pushers)) : NULL;
	if (!pushers)
		return NULL;
	raise_file_limit();
	pushers->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	pushers->rows = calloc(mirrors->count, sizeof(*pushers->rows));
	pushers->threads = calloc(mirrors->count, sizeof(*pushers->threads));
	bool is_started = pushers->stop_fd >= 0 && pushers->rows && pushers->threads;
	for (size_t i = 0; is_started && i < mirrors->count; i++) {
		pusher_init(&pushers->rows[i], config, &mirrors->rows[i]);
		pushers->rows[i].observer = *observer;
		is_started = start_thread(pushers, i);
		pushers->count += is_started;
	}
	if (pushers->count > 0)
		return pushers;
	free_pushers(pushers);
	return NULL;
}

bool pushers_stop(struct pushers *pushers, int64_t ms)
{
	enum { STEP_MS = 20, GRACE_MS = 500 };
	uint64_t one = 1;
	if (!pushers)
		return true;
	pushers->until_ms = clock_ms() + ms;
	pushers->is_stopping = true;
	if (write(pushers->stop_fd, &one, sizeof(one)) != sizeof(one))
		return false;
	while (pushers->running > 0 && clock_ms() < pushers->until_ms + GRACE_MS)
		poll(NULL, 0, STEP_MS);
	if (pushers->running > 0)
		return false;
	for (size_t i = 0; i < pushers->count; i++)
		pthread_join(pushers->threads[i], NULL);
	free_pushers(pushers);
	return true;
}
