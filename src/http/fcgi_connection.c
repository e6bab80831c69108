#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/attr.h"
#include "base/clock.h"
#include "base/log.h"
#include "http/fcgi_guard.h"
#include "http/fcgi_pool.h"
#include "wire/limits.h"

enum {
	/* peek() looks at this many bytes. Larger requests need a reader thread. */
	LOOK_BYTES = 32768,
	DROP_BYTES = 65536,
	/* The maximum for the records of one response: its body, and a megabyte for its head. */
	OUT_MAX_BYTES = WIRE_RESPONSE_MAX_BYTES + (1 << 20),
};

/* Returns the former state. */
static enum connection_state set_state(struct connection *connection, enum connection_state state)
{
	struct pool *pool = connection->pool;
	pthread_mutex_lock(&pool->lock);
	enum connection_state former = connection->state;
	connection->state = state;
	connection->is_overdue = false;
	pthread_mutex_unlock(&pool->lock);
	return former;
}

static void connection_close(struct connection *connection)
{
	struct pool *pool = connection->pool;
	pthread_mutex_lock(&pool->lock);
	LIST_REMOVE(connection, others);
	pthread_mutex_unlock(&pool->lock);
	if (connection->request)
		fcgi_request_done(connection->request);
	if (connection->fd >= 0)
		close(connection->fd);
	buf_done(&connection->out);
	free(connection);
}

/* Registers the connection for events. epoll delivers an event once, so that only one thread
 * handles the connection. */
static void connection_await(struct connection *connection, uint32_t events, int operation)
{
	struct epoll_event event = { .events = events | EPOLLONESHOT, .data.ptr = connection };
	if (epoll_ctl(connection->pool->epoll_fd, operation, connection->fd, &event) != 0)
		connection_close(connection);
}

static void await_input(struct connection *connection, enum connection_state state, int operation)
{
	set_state(connection, state);
	connection_await(connection, EPOLLIN | EPOLLRDHUP, operation);
}

void connection_accept(struct pool *pool)
{
	int fd = accept4(pool->listen_fd, NULL, NULL, SOCK_CLOEXEC);
	if (fd < 0) {
		/* Another thread has accepted the connection, or the system has no free file
		 * descriptors or memory. If the system has none, wait a moment. */
		if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
			usleep(20000);
		return;
	}
	struct connection *connection = calloc(1, sizeof(*connection));
	if (!connection)
		die("fcgi: out of memory");
	const struct timeval most = { .tv_sec = pool->limits->read_timeout_s };
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most));
	connection->fd = fd;
	connection->pool = pool;
	connection->out = BUF_INIT(OUT_MAX_BYTES);

	pthread_mutex_lock(&pool->lock);
	LIST_INSERT_HEAD(&pool->connections, connection, others);
	pthread_mutex_unlock(&pool->lock);
	await_input(connection, CONNECTION_IDLE, EPOLL_CTL_ADD);
}

/* Reads and discards the next data that the web server sends after the response. */
static void connection_drop(struct connection *connection)
{
	char dropped[DROP_BYTES];
	ssize_t len = recv(connection->fd, dropped, sizeof(dropped), MSG_DONTWAIT);
	if (len > 0 || (len < 0 && (errno == EAGAIN || errno == EINTR)))
		await_input(connection, CONNECTION_ENDING, EPOLL_CTL_MOD);
	else
		connection_close(connection);
}

/* Sends the rest of the response. After that, waits for the next request, or closes the
 * connection. */
static void connection_go_on(struct connection *connection)
{
	if (!fcgi_response_send(connection)) {
		connection_close(connection);
	} else if (connection->out.len > 0) {
		connection_set_sending(connection);
		connection_await(connection, EPOLLOUT, EPOLL_CTL_MOD);
	} else if (connection->has_rest) {
		/* Do not close the connection yet: a web server that is still sending the body
		 * would report an error. */
		connection->deadline_ms =
			clock_ms() + connection->pool->limits->read_timeout_s * 1000;
		await_input(connection, CONNECTION_ENDING, EPOLL_CTL_MOD);
	} else if (connection->is_last) {
		connection_close(connection);
	} else {
		buf_done(&connection->out);
		await_input(connection, CONNECTION_IDLE, EPOLL_CTL_MOD);
	}
}

/* Ends the response. The connection then goes on without the request. */
static void finish_response(struct gateway *gateway)
{
	struct fcgi_request *request = CONTAINER_OF(gateway, struct fcgi_request, gateway);
	struct connection *connection = request->connection;
	if (!connection)
		return;
	bool is_farewell = request->is_kept && (request->has_rest || request->pool->is_draining);
	connection->is_last = is_farewell || !request->is_kept;
	connection->has_rest = request->has_rest;
	request->connection = NULL;
	fcgi_response_end(connection, request->fcgx.requestId);
	if (is_farewell)
		fcgi_farewell(connection);
	connection_go_on(connection);
}

static void serve_request(struct pool *pool, struct connection *connection, struct seat *seat)
{
	struct fcgi_request *request = connection->request;
	connection->request = NULL;
	request->gateway.finish = finish_response;
	request->seat = seat;
	pool->responder->serve(seat->state, &request->gateway);
	finish_response(&request->gateway);
	fcgi_request_done(request);
}

void connection_read(struct connection *connection)
{
	if (!fcgi_request_read(connection)) {
		connection_close(connection);
		return;
	}
	set_state(connection, CONNECTION_READ);
	/* The connection is writable now, so a serving thread gets it at once. */
	connection_await(connection, EPOLLOUT, EPOLL_CTL_MOD);
}

static enum fcgi_sight peek(const struct connection *connection)
{
	unsigned char bytes[LOOK_BYTES];
	ssize_t len = recv(connection->fd, bytes, sizeof(bytes), MSG_PEEK | MSG_DONTWAIT);
	return len > 0 ? fcgi_look(bytes, (size_t)len) : FCGI_IS_NO_REQUEST;
}

/* Reads a request that has arrived, or starts a reader thread if a part is missing. Returns true if
 * the request is complete. */
static bool take_request(struct pool *pool, struct connection *connection)
{
	enum fcgi_sight sight = peek(connection);
	connection->is_awaited = sight == FCGI_IS_PART;
	/* If no reader can start, this thread reads the request, within the same limits. */
	if (connection->is_awaited && pool_start_reader(pool, connection))
		return false;
	if (sight != FCGI_IS_NO_REQUEST && fcgi_request_read(connection))
		return true;
	connection_close(connection);
	return false;
}

bool connection_serve(struct pool *pool, struct connection *connection, struct seat *seat)
{
	enum connection_state former = set_state(connection, CONNECTION_BUSY);
	if (former == CONNECTION_SENDING)
		connection_go_on(connection);
	else if (former == CONNECTION_ENDING)
		connection_drop(connection);
	if (former != CONNECTION_READ &&
	    (former != CONNECTION_IDLE || !take_request(pool, connection)))
		return false;
	serve_request(pool, connection, seat);
	return true;
}
