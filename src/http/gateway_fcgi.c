/*
 * FastCGI by libfcgi, with the accepting done here.
 *
 * libfcgi's own accept pins a worker to each connection that the web server
 * keeps, and starves the others. Here all connections of a process wait in one
 * epoll; any of its threads takes the next that has something to say, serves
 * one request, and puts it back. A connection is armed for one event at a
 * time (EPOLLONESHOT), so exactly one thread has it.
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
#include "base/log.h"
#include "http/gateway.h"

/* While leaving: how long to wait for a request that was already on its way. */
#define LINGER_MS 200

/* What of an unread body is read away, so that the connection can be kept. */
#define DRAIN_MAX_BYTES (16L << 20)

enum { EVENTS_MAX = 8 };

struct connection {
	FCGX_Request request;
	struct connection *next; /* all of the process, for the end */
	struct connection *previous;
};

struct pool {
	int listen_fd;
	int epoll_fd;
	int wake_fd; /* readable once the pool is draining */
	const struct responder *responder;
	const struct fcgi_limits *limits;
	atomic_bool is_draining;
	atomic_long served;
	pthread_mutex_t lock; /* guards the list */
	struct connection *connections;
};

struct fcgi_gateway {
	struct gateway gateway;
	FCGX_Request *request;
};

static FCGX_Request *request_of(struct gateway *gateway)
{
	return CONTAINER_OF(gateway, struct fcgi_gateway, gateway)->request;
}

static const char *fcgi_param(struct gateway *gateway, const char *name)
{
	return FCGX_GetParam(name, request_of(gateway)->envp);
}

static ssize_t fcgi_read(struct gateway *gateway, char *out, size_t size)
{
	FCGX_Stream *in = request_of(gateway)->in;
	int len = FCGX_GetStr(out, (int)size, in);
	return len == 0 && FCGX_GetError(in) != 0 ? -1 : len;
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
static bool drain_body(FCGX_Request *request)
{
	char scratch[8192];
	long drained = 0;
	int len;
	while ((len = FCGX_GetStr(scratch, sizeof(scratch), request->in)) > 0) {
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
		.request = request,
	};
	pool->responder->serve(state, &fcgi.gateway);
	if (!drain_body(request) || pool->is_draining)
		request->keepConnection = 0;
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

static void *pool_thread(void *argument)
{
	struct pool *pool = argument;
	void *state = pool->responder->open(pool->responder->context);
	while (!pool->is_draining)
		pool_turn(pool, state, -1);
	/* What was on its way when the call came is still served; each such
	 * connection is closed behind its answer, so this comes to an end. */
	for (int idle_ms = 0; idle_ms < LINGER_MS;) {
		if (pool_turn(pool, state, 0))
			continue;
		usleep(10000);
		idle_ms += 10;
	}
	pool->responder->close(state);
	return NULL;
}

static void pool_watch(struct pool *pool, int *fd, uint32_t extra)
{
	struct epoll_event event = { .events = EPOLLIN | extra, .data.ptr = fd };
	if (epoll_ctl(pool->epoll_fd, EPOLL_CTL_ADD, *fd, &event) != 0)
		die("fcgi: epoll: errno %d", errno);
}

static void wait_for_sigterm(const sigset_t *signals)
{
	int number;
	do
		sigwait(signals, &number);
	while (number != SIGTERM);
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

	pthread_t threads[64];
	long count = limits->threads < 64 ? limits->threads : 64;
	for (long i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, pool_thread, &pool) != 0)
			die("fcgi: cannot start thread %ld", i);

	wait_for_sigterm(&signals);
	epoll_ctl(pool.epoll_fd, EPOLL_CTL_DEL, listen_fd, NULL);
	pool.is_draining = true;
	uint64_t one = 1;
	if (write(pool.wake_fd, &one, sizeof(one)) < 0)
		die("fcgi: cannot wake the threads");
	for (long i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	while (pool.connections)
		connection_close(&pool, pool.connections);
	pthread_mutex_destroy(&pool.lock);
	close(pool.wake_fd);
	close(pool.epoll_fd);
}
