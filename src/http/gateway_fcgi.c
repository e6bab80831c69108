/*
 * FastCGI: the threads of a worker process.
 *
 * All connections of a process are in one epoll set. Any thread takes the next ready connection,
 * reads the request, serves it, and returns the connection to the set. Events are delivered once
 * (EPOLLONESHOT), so exactly one thread handles a connection. Kept connections and slow receivers
 * occupy no thread. For a request that has not arrived completely, the thread starts a reader. A
 * reader is a thread with a small stack. It returns the connection to the set when the request is
 * complete.
 *
 * A slow request (a slow query, a locked row) does occupy its thread. Another thread, a stand-in,
 * then serves in place of this thread, so that the configured number of threads can work. A request
 * that waits for another request calls pool_pause(), and gets its stand-in at once. When the
 * replaced thread is free again, the stand-in rests, because a new stand-in would have to connect
 * to the database. After some seconds of rest the stand-in ends.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/config/config.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "http/fcgi_pool.h"

/* How long a thread is busy before a stand-in replaces it, and how often this is checked. */
#define PATIENCE_MS 200

/* THREADS_MAX is small, because each thread may have a connection to the database. */
enum {
	EVENTS_MAX = 8,
	THREADS_MAX = 64,
	STAND_IN_IDLE_MS = 1000,
	STAND_IN_REST_S = 3,
	/* pool_pause() starts a stand-in only if the process has fewer than this many stand-ins per
	 * configured thread: some databases accept few connections. */
	WAITING_SHARE = 2,
	/* For this time after draining began, check every millisecond whether the web servers have
	 * closed their kept connections; later every 10 ms. */
	SOON_MS = 2000,
	READER_STACK_BYTES = 256 * 1024,
};

static void *stand_in_thread(void *argument);

/* Wakes a stand-in, or starts one if there are fewer than `most`. Call it with the lock held. */
static void call_stand_in(struct pool *pool, struct seat *seat, long most)
{
	pthread_t thread;
	if (seat->is_stood_in_for)
		return;
	/* If a stand-in is surplus, but has not stopped yet, let it go on. */
	if (pool->surplus > 0) {
		pool->surplus--;
	} else if (pool->resting > pool->called) {
		pool->called++;
		pthread_cond_signal(&pool->stand_in_called);
	} else {
		if (pool->stand_ins >= most ||
		    pthread_create(&thread, NULL, stand_in_thread, pool) != 0)
			return;
		pthread_detach(thread);
		pool->stand_ins++;
	}
	seat->is_stood_in_for = true;
}

void pool_pause(struct pool *pool, struct seat *seat)
{
	long most = WAITING_SHARE * pool->limits->threads;
	pthread_mutex_lock(&pool->lock);
	call_stand_in(pool, seat, most < CONFIG_STAND_INS_MAX ? most : CONFIG_STAND_INS_MAX);
	pthread_mutex_unlock(&pool->lock);
}

/* Starts stand-ins for threads that have been busy with one request for too long. */
static void look_after_seats(struct pool *pool)
{
	int64_t late_ms = clock_ms() - PATIENCE_MS;
	pthread_mutex_lock(&pool->lock);
	struct seat *one;
	LIST_FOREACH(one, &pool->seats, others)
		if (one->busy_since_ms > 0 && one->busy_since_ms <= late_ms)
			call_stand_in(pool, one, CONFIG_STAND_INS_MAX);
	pthread_mutex_unlock(&pool->lock);
}

/* Notes that the thread begins or ends a request. If a stand-in has replaced the thread, one
 * stand-in is surplus at the end of the request. */
static void seat_set_busy(struct pool *pool, struct seat *seat, bool is_busy)
{
	pthread_mutex_lock(&pool->lock);
	seat->busy_since_ms = is_busy ? clock_ms() : 0;
	pool->surplus += seat->is_stood_in_for;
	seat->is_stood_in_for = false;
	pthread_mutex_unlock(&pool->lock);
}

static void serve_connection(struct pool *pool, struct seat *seat, struct connection *connection)
{
	seat_set_busy(pool, seat, true);
	bool is_served = connection_serve(pool, connection, seat);
	seat_set_busy(pool, seat, false);
	if (!is_served)
		return;
	long served = atomic_fetch_add(&pool->served, 1) + 1;
	if (pool->limits->max_requests > 0 && served % pool->limits->max_requests == 0)
		pool->limits->worn_out();
}

/* Serves ready connections. Returns false if no connection was ready. */
static bool pool_turn(struct pool *pool, struct seat *seat, int timeout_ms)
{
	struct epoll_event events[EVENTS_MAX];
	/* Fetch one event at a time, because other threads cannot handle an event that this thread
	 * has fetched. While the pool is draining, the wake-up event needs a second place. */
	int room = pool->is_draining ? 2 : 1;
	int count = epoll_wait(pool->epoll_fd, events, room, timeout_ms);
	bool is_busy = count < 0;
	for (int i = 0; i < count; i++) {
		if (events[i].data.ptr == &pool->wake_fd)
			continue;
		is_busy = true;
		if (events[i].data.ptr == &pool->listen_fd)
			connection_accept(pool);
		else
			serve_connection(pool, seat, events[i].data.ptr);
	}
	return is_busy;
}

/* Rests until the stand-in is called. Returns false if it was not called for some seconds, or if
 * the pool is draining. */
static bool rest(struct pool *pool)
{
	struct timespec until;
	int outcome = 0;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += STAND_IN_REST_S;
	pool->resting++;
	while (pool->called == 0 && outcome == 0 && !pool->is_draining)
		outcome = pthread_cond_timedwait(&pool->stand_in_called, &pool->lock, &until);
	pool->resting--;
	bool is_called = pool->called > 0;
	pool->called -= is_called;
	return is_called;
}

/* Whether this stand-in continues to serve. If the pool has surplus stand-ins, this stand-in first
 * rests, and continues only if the pool calls it. */
static bool stand_in_goes_on(struct pool *pool)
{
	bool goes_on = true;
	pthread_mutex_lock(&pool->lock);
	if (pool->surplus > 0) {
		pool->surplus--;
		goes_on = rest(pool);
	}
	pthread_mutex_unlock(&pool->lock);
	return goes_on;
}

/* Closes the connections of the draining pool, and serves requests that still arrive on them.
 * Returns at once when the web server has closed all connections itself. */
static void drain_connections(struct pool *pool, struct seat *seat)
{
	int64_t gone_ms = clock_ms() - pool->draining_since_ms;
	while (connections_give_up(pool, gone_ms)) {
		if (!pool_turn(pool, seat, 0))
			usleep(gone_ms > SOON_MS ? 10000 : 1000);
		gone_ms = clock_ms() - pool->draining_since_ms;
	}
}

/* Serves until the pool is draining. A stand-in also stops when it is no longer needed. If the pool
 * is draining, closes the connections. */
static void run_thread(struct pool *pool, bool is_stand_in)
{
	struct seat seat = { .state = pool->responder->open(pool->responder->context) };
	pthread_mutex_lock(&pool->lock);
	LIST_INSERT_HEAD(&pool->seats, &seat, others);
	pthread_mutex_unlock(&pool->lock);
	while (!pool->is_draining && (!is_stand_in || stand_in_goes_on(pool)))
		pool_turn(pool, &seat, is_stand_in ? STAND_IN_IDLE_MS : -1);
	if (pool->is_draining)
		drain_connections(pool, &seat);
	pthread_mutex_lock(&pool->lock);
	LIST_REMOVE(&seat, others);
	pthread_mutex_unlock(&pool->lock);
	pool->responder->close(seat.state);
}

static void *pool_thread(void *argument)
{
	run_thread(argument, false);
	return NULL;
}

static void *stand_in_thread(void *argument)
{
	struct pool *pool = argument;
	run_thread(pool, true);
	pthread_mutex_lock(&pool->lock);
	pool->stand_ins--;
	pthread_cond_signal(&pool->thread_left);
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

static void *reader_thread(void *argument)
{
	struct connection *connection = argument;
	struct pool *pool = connection->pool;
	connection_read(connection);
	pthread_mutex_lock(&pool->lock);
	pool->readers--;
	pthread_cond_signal(&pool->thread_left);
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

bool pool_start_reader(struct pool *pool, struct connection *connection)
{
	pthread_t thread;
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, READER_STACK_BYTES);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_mutex_lock(&pool->lock);
	bool is_started = pthread_create(&thread, &attributes, reader_thread, connection) == 0;
	pool->readers += is_started; /* a started reader owns the connection */
	pthread_mutex_unlock(&pool->lock);
	pthread_attr_destroy(&attributes);
	return is_started;
}

static void pool_watch(struct pool *pool, int *fd, uint32_t extra)
{
	struct epoll_event event = { .events = EPOLLIN | extra, .data.ptr = fd };
	if (epoll_ctl(pool->epoll_fd, EPOLL_CTL_ADD, *fd, &event) != 0)
		die("fcgi: epoll: errno %d", errno);
}

static void wait_for_sigterm(struct pool *pool, const sigset_t *signals)
{
	static const struct timespec patience = { .tv_nsec = PATIENCE_MS * 1000000L };
	while (sigtimedwait(signals, NULL, &patience) != SIGTERM) {
		look_after_seats(pool);
		connections_look_after(pool);
	}
}

/* Makes `stand_in_called` use the monotonic clock, as rest() does. */
static void init_call(struct pool *pool)
{
	pthread_condattr_t clock;
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&pool->stand_in_called, &clock);
	pthread_condattr_destroy(&clock);
}

void gateway_fcgi_run(int listen_fd, const struct responder *responder,
		      const struct fcgi_limits *limits)
{
	struct pool pool = {
		.listen_fd = listen_fd,
		.epoll_fd = epoll_create1(EPOLL_CLOEXEC),
		.wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
		.responder = responder,
		.limits = limits,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.thread_left = PTHREAD_COND_INITIALIZER,
	};
	init_call(&pool);
	FCGX_Init();
	sigset_t signals;
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGINT);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	interrupt_by(FCGI_READER_SIGNAL);
	if (pool.epoll_fd < 0 || pool.wake_fd < 0)
		die("fcgi: cannot start");
	/* Several threads may get the event for one new connection. Only one accepts it, so
	 * accept() must not block the other threads. */
	fcntl(listen_fd, F_SETFL, fcntl(listen_fd, F_GETFL) | O_NONBLOCK);
	pool_watch(&pool, &pool.listen_fd, EPOLLEXCLUSIVE);
	pool_watch(&pool, &pool.wake_fd, 0);

	pthread_t threads[THREADS_MAX];
	long count = limits->threads < THREADS_MAX ? limits->threads : THREADS_MAX;
	for (long i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, pool_thread, &pool) != 0)
			die("fcgi: cannot start thread %ld", i);

	wait_for_sigterm(&pool, &signals);
	epoll_ctl(pool.epoll_fd, EPOLL_CTL_DEL, listen_fd, NULL);
	pool.draining_since_ms = clock_ms();
	pool.is_draining = true;
	uint64_t one = 1;
	if (write(pool.wake_fd, &one, sizeof(one)) < 0)
		die("fcgi: cannot wake the threads");
	for (long i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	pthread_mutex_lock(&pool.lock);
	pthread_cond_broadcast(&pool.stand_in_called);
	while (pool.stand_ins + pool.readers > 0)
		pthread_cond_wait(&pool.thread_left, &pool.lock);
	pthread_mutex_unlock(&pool.lock);
	pthread_cond_destroy(&pool.stand_in_called);
	pthread_cond_destroy(&pool.thread_left);
	pthread_mutex_destroy(&pool.lock);
	close(pool.wake_fd);
	close(pool.epoll_fd);
}
