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
#include <fcgiapp.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/attr.h"
#include "base/clock.h"
#include "base/log.h"
#include "http/gateway.h"

/* While leaving: how long to wait for a request that was already on its way. */
#define LINGER_MS 200

/* What of an unread body is read away, so that the connection can be kept. */
#define DRAIN_MAX_BYTES (16L << 20)

/* How long a body may keep a thread waiting before a stand-in takes its seat; it is looked
 * at as often. */
#define PATIENCE_MS 200

/* Each may hold a connection to the database. */
enum { EVENTS_MAX = 8, THREADS_MAX = 64, STAND_INS_MAX = 32, STAND_IN_IDLE_MS = 1000 };

struct connection {
	FCGX_Request request;
	struct connection *next; /* all of the process */
	struct connection *previous;
	int64_t body_since_ms; /* when its request's body was first asked for; 0: not yet */
	bool is_waiting;       /* its thread waits for more of it */
	bool is_stood_in_for;  /* until the request is served */
};

struct pool {
	int listen_fd;
	int epoll_fd;
	int wake_fd; /* readable once the pool is draining */
	const struct responder *responder;
	const struct fcgi_limits *limits;
	atomic_bool is_draining;
	atomic_long served;
	pthread_mutex_t lock; /* guards what follows */
	struct connection *connections;
	long stand_ins;
	long surplus; /* how many of them are not needed any more */
	pthread_cond_t stand_in_left;
};

struct fcgi_gateway {
	struct gateway gateway;
	struct pool *pool;
	struct connection *connection;
};

static void *stand_in_thread(void *argument);

static FCGX_Request *request_of(struct gateway *gateway)
{
	return &CONTAINER_OF(gateway, struct fcgi_gateway, gateway)->connection->request;
}

static const char *fcgi_param(struct gateway *gateway, const char *name)
{
	return FCGX_GetParam(name, request_of(gateway)->envp);
}

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

/* The next byte, for which the client may have to be waited for. -1: none. */
static int next_byte(struct pool *pool, struct connection *connection)
{
	pthread_mutex_lock(&pool->lock);
	if (connection->body_since_ms == 0)
		connection->body_since_ms = clock_ms();
	connection->is_waiting = true;
	pthread_mutex_unlock(&pool->lock);
	int byte = FCGX_GetChar(connection->request.in);
	pthread_mutex_lock(&pool->lock);
	connection->is_waiting = false;
	pthread_mutex_unlock(&pool->lock);
	return byte;
}

/* The request is served. If it was stood in for, there is one thread more than is needed. */
static void body_done(struct pool *pool, struct connection *connection)
{
	pthread_mutex_lock(&pool->lock);
	connection->body_since_ms = 0;
	pool->surplus += connection->is_stood_in_for;
	connection->is_stood_in_for = false;
	pthread_mutex_unlock(&pool->lock);
}

/* What has come of the body, at least a byte; 0 at its end. */
static ssize_t read_body(struct pool *pool, struct connection *connection, char *out,
			 size_t size)
{
	FCGX_Stream *in = connection->request.in;
	size_t len = 0;
	if (in->rdNext == in->stop) {
		int byte = next_byte(pool, connection);
		if (byte < 0)
			return FCGX_GetError(in) != 0 ? -1 : 0;
		out[len++] = (char)byte;
	}
	size_t at_hand = (size_t)(in->stop - in->rdNext);
	if (at_hand > size - len)
		at_hand = size - len;
	return at_hand == 0 ? (ssize_t)len
			    : (ssize_t)len + FCGX_GetStr(out + len, (int)at_hand, in);
}

static ssize_t fcgi_read(struct gateway *gateway, char *out, size_t size)
{
	struct fcgi_gateway *fcgi = CONTAINER_OF(gateway, struct fcgi_gateway, gateway);
	return read_body(fcgi->pool, fcgi->connection, out, size);
}

static bool fcgi_write(struct gateway *gateway, const void *data, size_t len)
{
	const char *rest = data;
	while (len > 0) {
		int piece = len > 1 << 20 ? 1 << 20 : (int)len;
		if (FCGX_PutStr(rest, piece, request_of(gateway)->out) != piece)
			return false;
		rest += piece;
		len -= (size_t)piece;
	}
	return true;
}

static void connection_close(struct pool *pool, struct connection *connection)
{
	pthread_mutex_lock(&pool->lock);
	if (connection->previous)
		connection->previous->next = connection->next;
	else
		pool->connections = connection->next;
	if (connection->next)
		connection->next->previous = connection->previous;
	pthread_mutex_unlock(&pool->lock);
	/* Closes the descriptor when libfcgi has not. */
	FCGX_Free(&connection->request, 1);
	free(connection);
}

static void connection_arm(struct pool *pool, struct connection *connection, int operation)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLRDHUP | EPOLLONESHOT,
				     .data.ptr = connection };
	if (epoll_ctl(pool->epoll_fd, operation, connection->request.ipcFd, &event) != 0)
		connection_close(pool, connection);
}

static void pool_accept(struct pool *pool)
{
	int fd = accept4(pool->listen_fd, NULL, NULL, SOCK_CLOEXEC);
	if (fd < 0) {
		/* Another thread was faster, or descriptors have run out for now. */
		if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
			usleep(20000);
		return;
	}
	struct timeval timeout = { .tv_sec = pool->limits->read_timeout_s };
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));

	struct connection *connection = calloc(1, sizeof(*connection));
	if (!connection)
		die("fcgi: out of memory");
	/* No listening socket: FCGX_Accept_r() must only ever use the descriptor given. */
	FCGX_InitRequest(&connection->request, -1, FCGI_FAIL_ACCEPT_ON_INTR);
	connection->request.ipcFd = fd;

	pthread_mutex_lock(&pool->lock);
	connection->next = pool->connections;
	if (connection->next)
		connection->next->previous = connection;
	pool->connections = connection;
	pthread_mutex_unlock(&pool->lock);
	connection_arm(pool, connection, EPOLL_CTL_ADD);
}

/*
 * A body that was not read would stand in front of the connection's next
 * request. False when there is too much of it.
 */
static bool drain_body(struct pool *pool, struct connection *connection)
{
	char scratch[8192];
	long drained = 0;
	ssize_t len;
	while ((len = read_body(pool, connection, scratch, sizeof(scratch))) > 0) {
		drained += len;
		if (drained > DRAIN_MAX_BYTES)
			return false;
	}
	return true;
}

static void connection_serve(struct pool *pool, struct connection *connection, void *state)
{
	FCGX_Request *request = &connection->request;
	/* So that the Finish inside Accept_r leaves the descriptor open. */
	request->keepConnection = 1;
	if (FCGX_Accept_r(request) < 0) {
		connection_close(pool, connection);
		return;
	}
	struct fcgi_gateway fcgi = {
		.gateway = { fcgi_param, fcgi_read, fcgi_write, .is_framed = true },
		.pool = pool,
		.connection = connection,
	};
	pool->responder->serve(state, &fcgi.gateway);
	if (!drain_body(pool, connection) || pool->is_draining)
		request->keepConnection = 0;
	body_done(pool, connection);
	FCGX_Finish_r(request);
	if (request->ipcFd < 0)
		connection_close(pool, connection);
	else
		connection_arm(pool, connection, EPOLL_CTL_MOD);

	long served = atomic_fetch_add(&pool->served, 1) + 1;
	if (pool->limits->max_requests > 0 && served == pool->limits->max_requests)
		kill(getpid(), SIGTERM);
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
			pool_accept(pool);
		else
			connection_serve(pool, events[i].data.ptr, state);
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
 * What was on its way when the call to leave came is still served; each such
 * connection is closed behind its answer, so this comes to an end.
 */
static void linger(struct pool *pool, void *state)
{
	for (int idle_ms = 0; idle_ms < LINGER_MS;) {
		if (pool_turn(pool, state, 0))
			continue;
		usleep(10000);
		idle_ms += 10;
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
	while (pool.connections)
		connection_close(&pool, pool.connections);
	pthread_cond_destroy(&pool.stand_in_left);
	pthread_mutex_destroy(&pool.lock);
	close(pool.wake_fd);
	close(pool.epoll_fd);
}
