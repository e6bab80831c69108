#include "base/loop.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/loop_job.h"

/* How often to look whether a child has ended, if no descriptor could be opened for it. */
enum { LOOK_FOR_CHILD_MS = 100 };

bool loop_open(struct loop *loop)
{
	*loop = (struct loop){ .wake.fd = -1, .now_ms = clock_ms() };
	loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (loop->epoll_fd >= 0 && loop_jobs_open(loop))
		return true;
	int reason = errno;
	loop_forget(loop);
	errno = reason;
	return false;
}

void loop_forget(struct loop *loop)
{
	close_fd(&loop->epoll_fd);
	close_fd(&loop->wake.fd);
	free(loop->timers);
}

bool loop_close(struct loop *loop)
{
	if (loop->jobs)
		return false;
	loop_forget(loop);
	pthread_mutex_destroy(&loop->mutex);
	return true;
}

static bool is_before(const struct loop_timer *a, const struct loop_timer *b)
{
	return a->at_ms != b->at_ms ? a->at_ms < b->at_ms : a->order < b->order;
}

static void put(struct loop *loop, struct loop_timer *timer, size_t place)
{
	loop->timers[place] = timer;
	timer->place = place;
}

/* Puts the timer into the heap at the free `place`, and moves it up or down until the heap is in
 * order. */
static void settle(struct loop *loop, struct loop_timer *timer, size_t place)
{
	struct loop_timer **timers = loop->timers;
	for (; place > 1 && is_before(timer, timers[place / 2]); place /= 2)
		put(loop, timers[place / 2], place);
	for (size_t child; (child = 2 * place) <= loop->timer_count; place = child) {
		if (child < loop->timer_count && is_before(timers[child + 1], timers[child]))
			child++;
		if (!is_before(timers[child], timer))
			break;
		put(loop, timers[child], place);
	}
	put(loop, timer, place);
}

void loop_timer_cancel(struct loop *loop, struct loop_timer *timer)
{
	size_t place = timer->place;
	if (place == 0)
		return;
	struct loop_timer *last = loop->timers[loop->timer_count--];
	if (last != timer)
		settle(loop, last, place);
	timer->place = 0;
}

void loop_timer_set(struct loop *loop, struct loop_timer *timer, int64_t at_ms)
{
	loop_timer_cancel(loop, timer);
	/* Replace a time in the past by the time of this turn, so that the timer does not overtake
	 * timers that are already due. */
	timer->at_ms = at_ms > loop->now_ms ? at_ms : loop->now_ms;
	timer->order = ++loop->timer_order;
	if (loop->timer_count + 2 > loop->timer_room) {
		loop->timer_room = 2 * loop->timer_room + 16;
		loop->timers = reallocarray(loop->timers, loop->timer_room, sizeof(*loop->timers));
		if (!loop->timers)
			die("loop: out of memory");
	}
	settle(loop, timer, ++loop->timer_count);
}

static void call_timers(struct loop *loop)
{
	uint64_t newest = loop->timer_order;
	loop->now_ms = clock_ms();
	while (loop->timer_count > 0 && !loop->is_stopping) {
		struct loop_timer *first = loop->timers[1];
		if (first->at_ms > loop->now_ms || first->order > newest)
			return;
		loop_timer_cancel(loop, first);
		first->call(first->context);
	}
}

static int wait_ms(const struct loop *loop)
{
	if (loop->timer_count == 0)
		return -1;
	int64_t left_ms = loop->timers[1]->at_ms - clock_ms();
	return left_ms < 0 ? 0 : left_ms > INT_MAX ? INT_MAX : (int)left_ms;
}

static void call_watches(struct loop *loop)
{
	int count = epoll_wait(loop->epoll_fd, loop->events, LOOP_EVENTS, wait_ms(loop));
	loop->event_count = count > 0 ? (size_t)count : 0;
	for (size_t i = 0; i < loop->event_count && !loop->is_stopping; i++) {
		struct loop_watch *watch = loop->events[i].data.ptr;
		if (!watch)
			continue;
		watch->ready = loop->events[i].events;
		watch->call(watch->context);
	}
	loop->event_count = 0;
}

void loop_run(struct loop *loop)
{
	for (loop->is_stopping = false; !loop->is_stopping;) {
		call_timers(loop);
		if (!loop->is_stopping)
			call_watches(loop);
	}
}

void loop_stop(struct loop *loop)
{
	loop->is_stopping = true;
}

static void end_run(void *context)
{
	loop_stop(context);
}

void loop_run_until(struct loop *loop, int64_t until_ms)
{
	struct loop_timer end = { .call = end_run, .context = loop };
	loop_timer_set(loop, &end, until_ms);
	loop_run(loop);
	loop_timer_cancel(loop, &end);
}

bool loop_watch(struct loop *loop, struct loop_watch *watch, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = watch };
	watch->fd = fd;
	watch->is_watched = epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0;
	return watch->is_watched;
}

bool loop_watch_for(struct loop *loop, struct loop_watch *watch, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = watch };
	return epoll_ctl(loop->epoll_fd, EPOLL_CTL_MOD, watch->fd, &event) == 0;
}

void loop_unwatch(struct loop *loop, struct loop_watch *watch)
{
	if (!watch->is_watched)
		return;
	watch->is_watched = false;
	epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, watch->fd, NULL);
	/* Remove the watch from the events of this turn, because the caller may free the watch. */
	for (size_t i = 0; i < loop->event_count; i++)
		if (loop->events[i].data.ptr == watch)
			loop->events[i].data.ptr = NULL;
}

static void unwatch_and_close(struct loop *loop, struct loop_watch *watch)
{
	bool was_watched = watch->is_watched;
	loop_unwatch(loop, watch);
	if (was_watched)
		close(watch->fd);
}

/* Like loop_watch(), but closes the descriptor on failure. Returns false for the descriptor -1. */
static bool watch_or_close(struct loop *loop, struct loop_watch *watch, int fd)
{
	if (fd >= 0 && loop_watch(loop, watch, fd))
		return true;
	close_fd(&fd);
	return false;
}

static void take_signal(void *context)
{
	const struct loop_signals *signals = context;
	struct signalfd_siginfo signal;
	if (read(signals->watch.fd, &signal, sizeof(signal)) == sizeof(signal))
		signals->call(signals->context, &signal);
}

bool loop_signals_watch(struct loop *loop, struct loop_signals *signals, const int *numbers)
{
	sigset_t set;
	sigemptyset(&set);
	for (; *numbers != 0; numbers++)
		sigaddset(&set, *numbers);
	signals->watch = (struct loop_watch){ .call = take_signal, .context = signals };
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	return watch_or_close(loop, &signals->watch,
			      signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

void loop_signals_unwatch(struct loop *loop, struct loop_signals *signals)
{
	unwatch_and_close(loop, &signals->watch);
}

static void collect_child(void *context)
{
	struct loop_child *child = context;
	int status = 0;
	pid_t pid = child->pid, ended = waitpid(pid, &status, WNOHANG);
	if (ended == 0 || (ended < 0 && errno == EINTR)) {
		if (!child->watch.is_watched)
			loop_timer_set(child->loop, &child->timer, clock_ms() + LOOK_FOR_CHILD_MS);
		return;
	}
	unwatch_and_close(child->loop, &child->watch);
	child->pid = 0;
	child->call(child->context, pid, status);
}

void loop_child_watch(struct loop *loop, struct loop_child *child, pid_t pid)
{
	child->loop = loop;
	child->pid = pid;
	child->watch = (struct loop_watch){ .call = collect_child, .context = child };
	child->timer = (struct loop_timer){ .call = collect_child, .context = child };
	if (!watch_or_close(loop, &child->watch, pidfd_open(pid, 0)))
		loop_timer_set(loop, &child->timer, 0);
}
