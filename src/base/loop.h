/*
 * The event loop of a thread: timers, descriptors, signals and child processes. Work that may wait
 * for a network or a disk runs in separate threads: base/loop_job.h.
 *
 * loop_run() calls the functions `call` of the structs below, in its own thread. Such a function
 * may set, cancel, watch and free all structs, including the struct for which it is called. It must
 * not call loop_close().
 *
 * All structs belong to the caller, and must not move while they are in use. The caller first sets
 * `call` and `context`, and all other members to zero.
 *
 * The clock of the loop is monotonic: setting the time of day changes nothing.
 */
#ifndef BASE_LOOP_H
#define BASE_LOOP_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/types.h>

#include "base/attr.h"

typedef void loop_call(void *context);

struct loop_timer {
	loop_call *call;
	void *context;

	int64_t at_ms;
	uint64_t order; /* the order of timers with the same time */
	size_t place;	/* the index in the heap, from 1; 0: the timer is not set */
};

struct loop_watch {
	loop_call *call;
	void *context;

	int fd;
	bool is_watched;
	uint32_t ready; /* set before each call: the events that have happened */
};

enum { LOOP_EVENTS = 64 };

/* Private to the loop. */
struct loop {
	int epoll_fd;
	bool is_stopping;
	/* The events of this turn. data.ptr is NULL if loop_unwatch() has ended the watch. */
	struct epoll_event events[LOOP_EVENTS];
	size_t event_count;
	struct loop_timer **timers; /* a heap: timers[1] is the first to be called */
	size_t timer_count;
	size_t timer_room;
	uint64_t timer_order;
	int64_t now_ms; /* the time when this turn began */
	struct loop_job *jobs;
	struct loop_watch wake; /* wakes the loop from the threads of jobs */
	pthread_mutex_t mutex;	/* protects the state of jobs */
};

/* Opens the loop. Returns false, with errno set, if descriptors are used up. */
bool loop_open(struct loop *loop) MUST_USE;
/*
 * Closes the loop. Returns false, and closes nothing, if a job still runs. The process must then
 * call _exit().
 */
bool loop_close(struct loop *loop);
/* In a child after fork(): closes the child's descriptors of the loop. The parent's loop continues.
 */
void loop_forget(struct loop *loop);

/* Runs the loop until a called function calls loop_stop(). loop_run() may then be called again. */
void loop_run(struct loop *loop);
void loop_stop(struct loop *loop);
/* Like loop_run(), but also returns at the time until_ms of clock_ms(). */
void loop_run_until(struct loop *loop, int64_t until_ms);

/*
 * Makes the loop call the timer once, at the time at_ms of clock_ms() or later. A timer that is set
 * already is moved. Timers of the same time are called in the order in which they were set. If the
 * call of a timer sets a timer, the loop calls it in the next turn or later, after the descriptors
 * of this turn.
 */
void loop_timer_set(struct loop *loop, struct loop_timer *timer, int64_t at_ms);
void loop_timer_cancel(struct loop *loop, struct loop_timer *timer);

/* Makes the loop call the watch in each turn in which the descriptor can be read, has failed or has
 * ended. Returns false, with errno set, if the descriptor cannot be watched. */
bool loop_watch(struct loop *loop, struct loop_watch *watch, int fd) MUST_USE;
/* Changes the events of epoll for which the loop calls the watch: EPOLLIN, EPOLLOUT or both. Before
 * a call, the loop sets watch->ready to the events that have happened, failures included. Returns
 * false with errno set on failure. */
bool loop_watch_for(struct loop *loop, struct loop_watch *watch, uint32_t events) MUST_USE;
/* Ends the watch. Call it before the descriptor is closed. Does nothing if the watch has ended. */
void loop_unwatch(struct loop *loop, struct loop_watch *watch);

struct loop_signals {
	/* Called for each signal. Several pending signals of one number count as one signal, unless
	 * they are real-time signals. */
	void (*call)(void *context, const struct signalfd_siginfo *signal);
	void *context;

	struct loop_watch watch;
};
/* Watches the signals in `numbers`, a list that ends with 0. Blocks them for this thread, and for
 * the threads that this thread starts. */
bool loop_signals_watch(struct loop *loop, struct loop_signals *signals, const int *numbers)
	MUST_USE;
/* Ends the watch of the signals. The signals stay blocked. */
void loop_signals_unwatch(struct loop *loop, struct loop_signals *signals);

struct loop_child {
	/* Called once, after the child has ended and waitpid() has collected it; `status` is from
	 * waitpid(). */
	void (*call)(void *context, pid_t pid, int status);
	void *context;

	struct loop *loop;
	pid_t pid; /* 0: no child is watched */
	struct loop_watch watch;
	struct loop_timer timer;
};
/* Watches a child of this process, which may have ended already. No other code may wait for the
 * child. */
void loop_child_watch(struct loop *loop, struct loop_child *child, pid_t pid);

#endif
