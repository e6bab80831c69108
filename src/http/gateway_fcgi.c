/*
 * FastCGI by libfcgi, with the accepting done here.
 *
 * libfcgi's own accept pins a worker to each connection that the web server
 * keeps, and starves the others. Here all connections of a process wait in one
 * epoll; any of its threads takes the next that has something to say, serves
 * one request, and puts it back. A connection is armed for one event at a
 * time (EPOLLONESHOT), so exactly one thread has it.
 *
 * Some web servers hand a body on as it comes. A thread that has to wait for a
 * slow client gives up its seat meanwhile: a stand-in takes it, so that as many
 * work as were asked for, and leaves when there are more than that.
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

/* While leaving: how long the web server has to close the connections that it keeps. */
#define GIVE_UP_MS 2000

/* How long a body may keep a thread waiting before a stand-in takes its seat; it is looked
 * at as often. */
#define PATIENCE_MS 200

/* Each may hold a connection to the database. */
enum { EVENTS_MAX = 8, THREADS_MAX = 64, STAND_INS_MAX = 32, STAND_IN_IDLE_MS = 1000 };

static void *stand_in_thread(void *argument);

/* With the lock. */
static void add_stand_in(struct pool *pool, struct connection *connection)
{
	pthread_t thread;
	if (pool->stand_ins == STAND_INS_MAX ||
	    pthread_create(&thread, NULL, stand_in_thread, pool) != 0)
		return;
	pthread_detach(thread);
	pool->stand_ins++;
	connection->is_stood_in_for = true;
}

/* Threads that wait for bodies which take too long, stalled or by drops, are stood in for. */
static void look_after_seats(struct pool *pool)
{
	int64_t late_ms = clock_ms() - PATIENCE_MS;
	pthread_mutex_lock(&pool->lock);
	for (struct connection *one = pool->connections; one; one = one->next)
		if (one->is_waiting && one->body_since_ms <= late_ms && !one->is_stood_in_for)
			add_stand_in(pool, one);
	pthread_mutex_unlock(&pool->lock);
}

static void serve(struct pool *pool, struct connection *connection, void *state)
{
	connection_serve(pool, connection, state);
	long served = atomic_fetch_add(&pool->served, 1) + 1;
	if (pool->limits->max_requests > 0 && served % pool->limits->max_requests == 0)
		pool->limits->worn_out();
}

/* Serves what is ready. False when nothing but the wake-up call was. */
static bool pool_turn(struct pool *pool, void *state, int timeout_ms)
{
	struct epoll_event events[EVENTS_MAX];
	/* One at a time: what a thread has fetched but not begun, no other could take. */
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
			serve(pool, events[i].data.ptr, state);
	}
	return is_busy;
}

/* A stand-in leaves when one that was stood in for is back. */
static bool may_leave(struct pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	bool is_surplus = pool->surplus > 0;
	pool->surplus -= is_surplus;
	pthread_mutex_unlock(&pool->lock);
	return is_surplus;
}

/*
 * Connections that are given up serve what is on its way on them, which takes no time
 * where the web server closes the others.
 */
static void linger(struct pool *pool, void *state)
{
	while (connections_are_left(pool)) {
		if (pool_turn(pool, state, 0))
			continue;
		connections_give_up(pool);
		if (clock_ms() > pool->patience_ends_ms)
			connections_hang_up(pool);
		usleep(1000);
	}
}

static void *pool_thread(void *argument)
{
	struct pool *pool = argument;
	void *state = pool->responder->open(pool->responder->context);
	while (!pool->is_draining)
		pool_turn(pool, state, -1);
	linger(pool, state);
	pool->responder->close(state);
	return NULL;
}

static void *stand_in_thread(void *argument)
{
	struct pool *pool = argument;
	void *state = pool->responder->open(pool->responder->context);
	while (!pool->is_draining && !may_leave(pool))
		pool_turn(pool, state, STAND_IN_IDLE_MS);
	if (pool->is_draining)
		linger(pool, state);
	pool->responder->close(state);
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
	while (sigtimedwait(signals, NULL, &patience) != SIGTERM)
		look_after_seats(pool);
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
	if (pool.epoll_fd < 0 || pool.wake_fd < 0 || FCGX_Init() != 0)
		die("fcgi: cannot start");
	/* Several threads may be told of one connection; the late ones must not wait. */
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
	pool.patience_ends_ms = clock_ms() + GIVE_UP_MS;
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
