/*
 * FastCGI: the threads of a worker process.
 *
 * All connections of a process are in one epoll set. Any thread takes the next ready connection,
 * reads what is there, and gives the connection back: at once while the request is incomplete,
 * otherwise after its response. Events are delivered once (EPOLLONESHOT), so exactly one thread
 * handles a connection. Kept connections, slow clients and slow readers therefore occupy no thread.
 *
 * A slow request (a slow query, a locked row) does occupy its thread. Another thread, a stand-in,
 * is then started in its place, so that the configured number of threads can work. It ends when
 * there are more threads than that again.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "http/fcgi_pool.h"

/*
 * While draining: the time for the web server to close kept connections, and then to send the rest
 * of incomplete requests and read the rest of responses. The supervisor waits longer.
 */
#define GIVE_UP_MS	    2000
#define GIVE_UP_REQUESTS_MS 20000

/* The time after which a stand-in replaces a busy thread, and the interval of this check. */
#define PATIENCE_MS 200

/* Each thread may have a connection to the database. */
enum { EVENTS_MAX = 8, THREADS_MAX = 64, STAND_INS_MAX = 32, STAND_IN_IDLE_MS = 1000 };

static void *stand_in_thread(void *argument);

/* Call with the lock held. */
static void add_stand_in(struct pool *pool, struct seat *seat)
{
	pthread_t thread;
	if (pool->stand_ins == STAND_INS_MAX ||
	    pthread_create(&thread, NULL, stand_in_thread, pool) != 0)
		return;
	pthread_detach(thread);
	pool->stand_ins++;
	seat->is_stood_in_for = true;
}

/* Starts stand-ins for threads that have been busy with one request for too long. */
static void look_after_seats(struct pool *pool)
{
	int64_t late_ms = clock_ms() - PATIENCE_MS;
	pthread_mutex_lock(&pool->lock);
	for (struct seat *one = pool->seats; one; one = one->next)
		if (one->busy_since_ms > 0 && one->busy_since_ms <= late_ms &&
		    !one->is_stood_in_for)
			add_stand_in(pool, one);
	pthread_mutex_unlock(&pool->lock);
}

static void seat_take(struct pool *pool, struct seat *seat)
{
	pthread_mutex_lock(&pool->lock);
	seat->next = pool->seats;
	if (seat->next)
		seat->next->previous = seat;
	pool->seats = seat;
	pthread_mutex_unlock(&pool->lock);
}

static void seat_leave(struct pool *pool, struct seat *seat)
{
	pthread_mutex_lock(&pool->lock);
	if (seat->previous)
		seat->previous->next = seat->next;
	else
		pool->seats = seat->next;
	if (seat->next)
		seat->next->previous = seat->previous;
	pthread_mutex_unlock(&pool->lock);
}

/* If the thread was replaced, there is one thread too many after its request. */
static void seat_set_busy(struct pool *pool, struct seat *seat, bool is_busy)
{
	pthread_mutex_lock(&pool->lock);
	seat->busy_since_ms = is_busy ? clock_ms() : 0;
	pool->surplus += seat->is_stood_in_for;
	seat->is_stood_in_for = false;
	pthread_mutex_unlock(&pool->lock);
}

static void serve_connection(struct pool *pool, struct seat *seat, struct connection *connection,
			     void *state)
{
	seat_set_busy(pool, seat, true);
	bool is_served = connection_serve(pool, connection, state);
	seat_set_busy(pool, seat, false);
	if (!is_served)
		return;
	long served = atomic_fetch_add(&pool->served, 1) + 1;
	if (pool->limits->max_requests > 0 && served % pool->limits->max_requests == 0)
		pool->limits->worn_out();
}

/* Serves ready connections. False: there was only the wake-up event. */
static bool pool_turn(struct pool *pool, struct seat *seat, void *state, int timeout_ms)
{
	struct epoll_event events[EVENTS_MAX];
	/* One event at a time: other threads cannot handle an event that this thread has
	 * fetched. */
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
			serve_connection(pool, seat, events[i].data.ptr, state);
	}
	return is_busy;
}

/* Whether this stand-in should end, because a replaced thread is free again. */
static bool may_leave(struct pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	bool is_surplus = pool->surplus > 0;
	pool->surplus -= is_surplus;
	pthread_mutex_unlock(&pool->lock);
	return is_surplus;
}

/*
 * Serves what arrives on connections that are being closed. This takes no time if the web server
 * closes them.
 */
static void drain_connections(struct pool *pool, struct seat *seat, void *state)
{
	while (connections_are_left(pool)) {
		if (pool_turn(pool, seat, state, 0))
			continue;
		int64_t gone_ms = clock_ms() - pool->draining_since_ms;
		connections_give_up(pool);
		if (gone_ms > GIVE_UP_MS)
			connections_hang_up(pool, gone_ms > GIVE_UP_REQUESTS_MS);
		if (gone_ms > GIVE_UP_REQUESTS_MS)
			connections_cut_unsent(pool);
		usleep(gone_ms > GIVE_UP_MS ? 10000 : 1000);
	}
}

/* Serves until the pool is draining, or while the stand-in is needed. Then drains. */
static void run_thread(struct pool *pool, bool is_stand_in)
{
	struct seat seat = { 0 };
	void *state = pool->responder->open(pool->responder->context);
	seat_take(pool, &seat);
	while (!pool->is_draining && !(is_stand_in && may_leave(pool)))
		pool_turn(pool, &seat, state, is_stand_in ? STAND_IN_IDLE_MS : -1);
	if (pool->is_draining)
		drain_connections(pool, &seat, state);
	seat_leave(pool, &seat);
	pool->responder->close(state);
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
	pthread_cond_signal(&pool->stand_in_left);
	pthread_mutex_unlock(&pool->lock);
	return NULL;
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
		connections_limit_unsent(pool);
	}
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
		.stand_in_left = PTHREAD_COND_INITIALIZER,
	};
	sigset_t signals;
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGINT);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	if (pool.epoll_fd < 0 || pool.wake_fd < 0)
		die("fcgi: cannot start");
	/* Several threads may get the event for one connection; accept() must not block the
	 * others. */
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
	while (pool.stand_ins > 0)
		pthread_cond_wait(&pool.stand_in_left, &pool.lock);
	pthread_mutex_unlock(&pool.lock);
	pthread_cond_destroy(&pool.stand_in_left);
	pthread_mutex_destroy(&pool.lock);
	close(pool.wake_fd);
	close(pool.epoll_fd);
}
