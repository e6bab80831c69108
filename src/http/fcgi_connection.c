#include <errno.h>
#include <fastcgi.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/attr.h"
#include "base/clock.h"
#include "base/log.h"
#include "http/fcgi_pool.h"

/* What of an unread body is read away, so that the connection can be kept. */
#define DRAIN_MAX_BYTES (16L << 20)

struct fcgi_gateway {
	struct gateway gateway;
	struct pool *pool;
	struct connection *connection;
};

/*
 * Whichever side closes a kept connection, the other may be sending on it at that moment;
 * and a web server does not repeat a POST that was lost so. FastCGI has no word for "no
 * more on this one". What nginx takes for it is a record that it does not await: behind
 * the end of an answer, in one write with it, or while the connection is idle, it makes
 * nginx close the connection. If a request is on its way already, the record comes before
 * its answer, where nginx reads it as what it is: nothing on standard error.
 */
#define NOTHING FCGI_VERSION_1, FCGI_STDERR, 0, 1, 0, 0, 0, 0

static FCGX_Request *request_of(struct gateway *gateway)
{
	return &CONTAINER_OF(gateway, struct fcgi_gateway, gateway)->connection->request;
}

static const char *fcgi_param(struct gateway *gateway, const char *name)
{
	return FCGX_GetParam(name, request_of(gateway)->envp);
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

static void set_idle(struct pool *pool, struct connection *connection, bool is_idle)
{
	pthread_mutex_lock(&pool->lock);
	connection->is_idle = is_idle;
	pthread_mutex_unlock(&pool->lock);
}

/* Whoever is told of what it says next has it to itself. */
static void connection_await(struct pool *pool, struct connection *connection, int operation)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLRDHUP | EPOLLONESHOT,
				     .data.ptr = connection };
	set_idle(pool, connection, true);
	if (epoll_ctl(pool->epoll_fd, operation, connection->request.ipcFd, &event) != 0)
		connection_close(pool, connection);
}

void connection_accept(struct pool *pool)
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
	connection_await(pool, connection, EPOLL_CTL_ADD);
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

/* The last answer on a connection that the web server means to keep. */
static void say_farewell(FCGX_Request *request)
{
	const unsigned char high = (unsigned char)(request->requestId >> 8);
	const unsigned char low = (unsigned char)request->requestId;
	const unsigned char records[] = {
		FCGI_VERSION_1, FCGI_STDOUT, high, low, 0, 0, 0, 0,
		FCGI_VERSION_1, FCGI_END_REQUEST, high, low, 0, FCGI_HEADER_LEN, 0, 0,
		0, 0, 0, 0, FCGI_REQUEST_COMPLETE, 0, 0, 0,
		NOTHING,
	};
	if (FCGX_FFlush(request->out) == 0)
		send(request->ipcFd, records, sizeof(records), MSG_NOSIGNAL);
}

void connection_serve(struct pool *pool, struct connection *connection, void *state)
{
	FCGX_Request *request = &connection->request;
	set_idle(pool, connection, false);
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
	bool is_wanted = request->keepConnection;
	bool is_last = !drain_body(pool, connection) || pool->is_draining;
	body_done(pool, connection);
	if (is_wanted && is_last)
		say_farewell(request);
	else
		FCGX_Finish_r(request);
	if (is_last || request->ipcFd < 0)
		connection_close(pool, connection);
	else
		connection_await(pool, connection, EPOLL_CTL_MOD);
}

void connections_give_up(struct pool *pool)
{
	static const unsigned char nothing[] = { NOTHING };
	pthread_mutex_lock(&pool->lock);
	for (struct connection *one = pool->connections; one; one = one->next) {
		if (!one->is_idle || one->is_given_up)
			continue;
		one->is_given_up = true;
		send(one->request.ipcFd, nothing, sizeof(nothing), MSG_NOSIGNAL | MSG_DONTWAIT);
	}
	pthread_mutex_unlock(&pool->lock);
}

void connections_hang_up(struct pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	for (struct connection *one = pool->connections; one; one = one->next)
		if (one->is_idle)
			shutdown(one->request.ipcFd, SHUT_RD);
	pthread_mutex_unlock(&pool->lock);
}

bool connections_are_left(struct pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	bool has_one = pool->connections != NULL;
	pthread_mutex_unlock(&pool->lock);
	return has_one;
}
