#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/attr.h"
#include "base/clock.h"
#include "base/log.h"
#include "http/fcgi_pool.h"

enum {
	READ_BYTES = 65536,
	/* reads before the thread turns to other connections */
	READS_MAX = 16,
	WRITE_BYTES = 32768,
};

struct fcgi_gateway {
	struct gateway gateway;
	struct pool *pool;
	struct seat *seat;
	struct connection *connection; /* NULL once the response is complete */
	struct fcgi_request request;
	size_t body_at;
	size_t out_len;
	bool is_gone;
	char out[WRITE_BYTES];
};

/*
 * An empty stderr record, by which the program asks nginx to close a kept connection. If either
 * side simply closed it, the other could be sending at that moment, and web servers do not repeat a
 * lost POST. FastCGI has no message for this. But nginx closes a connection on which it receives an
 * unexpected record: after the end of a response, in the same write, or while the connection is
 * idle. If a request is already on its way, nginx reads the record before the response, where an
 * empty stderr record is valid.
 */
static const unsigned char nothing[] = { FCGI_VERSION, FCGI_STDERR, 0, 1, 0, 0, 0, 0 };

static struct fcgi_gateway *fcgi_of(struct gateway *gateway)
{
	return CONTAINER_OF(gateway, struct fcgi_gateway, gateway);
}

static const char *fcgi_param(struct gateway *gateway, const char *name)
{
	return fcgi_variable(&fcgi_of(gateway)->request, name);
}

static ssize_t fcgi_read(struct gateway *gateway, char *out, size_t size)
{
	struct fcgi_gateway *fcgi = fcgi_of(gateway);
	const struct buf *body = &fcgi->request.body;
	size_t len = body->len - fcgi->body_at;
	if (len > size)
		len = size;
	if (len > 0)
		memcpy(out, body->data + fcgi->body_at, len);
	fcgi->body_at += len;
	return (ssize_t)len;
}

/* Sends the output so far, followed by `end`. Keeps what cannot be sent now. */
static void flush_output(struct fcgi_gateway *fcgi, const struct buf *end)
{
	unsigned char header[FCGI_HEADER_BYTES];
	fcgi_put_header(header, FCGI_STDOUT, fcgi->request.id, fcgi->out_len);
	struct iovec pieces[] = {
		{ header, fcgi->out_len > 0 ? sizeof(header) : 0 },
		{ fcgi->out, fcgi->out_len },
		{ end ? end->data : NULL, end ? end->len : 0 },
	};
	struct connection *connection = fcgi->connection;
	if (!fcgi->is_gone &&
	    !fcgi_output_put(&connection->output, connection->fd, pieces, ARRAY_LEN(pieces)))
		fcgi->is_gone = true;
	fcgi->out_len = 0;
}

static bool fcgi_write(struct gateway *gateway, const void *data, size_t len)
{
	struct fcgi_gateway *fcgi = fcgi_of(gateway);
	const char *rest = data;
	while (len > 0 && fcgi->connection && !fcgi->is_gone) {
		size_t room = sizeof(fcgi->out) - fcgi->out_len;
		size_t piece = len < room ? len : room;
		memcpy(fcgi->out + fcgi->out_len, rest, piece);
		fcgi->out_len += piece;
		rest += piece;
		len -= piece;
		if (fcgi->out_len == sizeof(fcgi->out))
			flush_output(fcgi, NULL);
	}
	return len == 0 && !fcgi->is_gone;
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
	close(connection->fd);
	fcgi_input_done(&connection->input);
	fcgi_output_done(&connection->output);
	buf_done(&connection->ahead);
	free(connection);
}

/* Waits for input. The event is delivered once, so that only one thread handles the connection. */
static void connection_await(struct pool *pool, struct connection *connection, int operation)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLRDHUP | EPOLLONESHOT,
				     .data.ptr = connection };
	/* Input that was read ahead can be handled as soon as the connection is writable. */
	if (connection->ahead.len > 0)
		event.events |= EPOLLOUT;
	connection_set_idle(pool, connection);
	if (epoll_ctl(pool->epoll_fd, operation, connection->fd, &event) != 0)
		connection_close(pool, connection);
}

void connection_accept(struct pool *pool)
{
	int fd = accept4(pool->listen_fd, NULL, NULL, SOCK_CLOEXEC);
	if (fd < 0) {
		/* Another thread accepted the connection, or file descriptors are used up for
		 * now. */
		if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
			usleep(20000);
		return;
	}
	struct connection *connection = calloc(1, sizeof(*connection));
	if (!connection)
		die("fcgi: out of memory");
	connection->fd = fd;
	connection->ahead = BUF_INIT(READ_BYTES);
	connection->pool = pool;
	fcgi_input_init(&connection->input, pool->limits->max_body_bytes);
	connection->input.has_room = connection_has_room;
	fcgi_output_init(&connection->output, pool->limits->read_timeout_s * 1000);

	pthread_mutex_lock(&pool->lock);
	connection->next = pool->connections;
	if (connection->next)
		connection->next->previous = connection;
	pool->connections = connection;
	pthread_mutex_unlock(&pool->lock);
	connection_await(pool, connection, EPOLL_CTL_ADD);
}

/* Waits until the web server accepts more of the response. */
static void await_reader(struct pool *pool, struct connection *connection)
{
	struct epoll_event event = { .events = EPOLLOUT | EPOLLONESHOT, .data.ptr = connection };
	connection_set_sending(pool, connection);
	if (epoll_ctl(pool->epoll_fd, EPOLL_CTL_MOD, connection->fd, &event) != 0)
		connection_close(pool, connection);
}

/* Continues after a response. The next request is read only after this response was sent. */
static void connection_go_on(struct pool *pool, struct connection *connection)
{
	/* A web server that is still sending would treat a close as an error. */
	bool has_rest = connection->input.phase == FCGI_IN_REST;
	if (!fcgi_output_send(&connection->output, connection->fd))
		connection_close(pool, connection);
	else if (fcgi_output_waits(&connection->output))
		await_reader(pool, connection);
	else if (connection->is_last && !has_rest)
		connection_close(pool, connection);
	else
		connection_await(pool, connection, EPOLL_CTL_MOD);
}

/* Sends the end of the response, and gives the connection back to the pool. */
static void fcgi_finish(struct gateway *gateway)
{
	struct fcgi_gateway *fcgi = fcgi_of(gateway);
	struct pool *pool = fcgi->pool;
	struct connection *connection = fcgi->connection;
	struct buf end CLEANUP(buf_done) = BUF_INIT(64);
	if (!connection)
		return;
	bool is_farewell = fcgi->request.is_kept && pool->is_draining;
	fcgi_put_end(&end, fcgi->request.id);
	if (is_farewell)
		buf_add(&end, nothing, sizeof(nothing));
	flush_output(fcgi, &end);
	fcgi->connection = NULL;
	connection->is_last = is_farewell || !fcgi->request.is_kept;
	if (fcgi->is_gone)
		connection_close(pool, connection);
	else
		connection_go_on(pool, connection);
}

static void fcgi_pause(struct gateway *gateway)
{
	struct fcgi_gateway *fcgi = fcgi_of(gateway);
	pool_pause(fcgi->pool, fcgi->seat);
}

static struct fcgi_gateway *gateway_of(struct pool *pool, struct connection *connection,
				       struct seat *seat)
{
	struct fcgi_gateway *fcgi = malloc(sizeof(*fcgi));
	if (!fcgi)
		die("fcgi: out of memory");
	fcgi->gateway = (struct gateway){ fcgi_param,  fcgi_read,  fcgi_write,
					  fcgi_finish, fcgi_pause, .is_framed = true };
	fcgi->pool = pool;
	fcgi->seat = seat;
	fcgi->connection = connection;
	fcgi->body_at = fcgi->out_len = 0;
	fcgi->is_gone = false;
	fcgi_take(&connection->input, &fcgi->request);
	fcgi->gateway.refusal = fcgi->request.is_refused ? E_BUSY : OK;
	fcgi->gateway.body_bytes = fcgi->request.body.size;
	return fcgi;
}

static void gateway_done(struct fcgi_gateway *fcgi)
{
	fcgi_finish(&fcgi->gateway);
	fcgi_request_done(&fcgi->request);
	free(fcgi);
}

/* refusal is not OK if the body is incomplete. */
static void serve_request(struct pool *pool, struct connection *connection, enum result refusal,
			  struct seat *seat)
{
	struct fcgi_gateway *fcgi = gateway_of(pool, connection, seat);
	if (refusal != OK) {
		buf_done(&fcgi->request.body);
		fcgi->gateway.body_bytes = 0;
		fcgi->gateway.refusal = refusal;
		fcgi->request.is_kept = false;
	}
	pool->responder->serve(seat->state, &fcgi->gateway);
	gateway_done(fcgi);
}

/* Sends replies other than responses. If the web server does not read them, they are dropped. */
static bool send_replies(struct connection *connection)
{
	struct buf *reply = &connection->input.reply;
	if (reply->len == 0)
		return true;
	ssize_t len = send(connection->fd, reply->data, reply->len, MSG_NOSIGNAL | MSG_DONTWAIT);
	bool is_sent = len == (ssize_t)reply->len;
	buf_clear(reply);
	return is_sent;
}

static enum fcgi_state parse_input(struct connection *connection, const char *data, size_t len)
{
	struct str bytes = { data, len };
	enum fcgi_state state = fcgi_feed(&connection->input, &bytes);
	buf_add(&connection->ahead, bytes.data, bytes.len);
	if (!send_replies(connection) || !buf_ok(&connection->ahead))
		return FCGI_IS_BROKEN;
	return state;
}

/* Parses the input that was read ahead. */
static enum fcgi_state take_ahead(struct connection *connection)
{
	struct buf ahead CLEANUP(buf_done) = connection->ahead;
	connection->ahead = BUF_INIT(READ_BYTES);
	return parse_input(connection, ahead.data, ahead.len);
}

/* Reads available input without waiting. *is_ended: there will be no more. */
static enum fcgi_state read_available(struct connection *connection, bool *is_ended)
{
	char piece[READ_BYTES];
	enum fcgi_state state = FCGI_WANTS_MORE;
	*is_ended = false;
	if (connection->ahead.len > 0)
		state = take_ahead(connection);
	for (int i = 0; i < READS_MAX && state == FCGI_WANTS_MORE; i++) {
		ssize_t len = recv(connection->fd, piece, sizeof(piece), MSG_DONTWAIT);
		if (len < 0 && errno == EINTR)
			continue;
		if (len < 0 && errno == EAGAIN)
			break;
		*is_ended = len <= 0;
		if (*is_ended)
			break;
		state = parse_input(connection, piece, (size_t)len);
	}
	return state;
}

bool connection_serve(struct pool *pool, struct connection *connection, struct seat *seat)
{
	bool is_ended;
	pthread_mutex_lock(&pool->lock);
	connection->is_idle = connection->is_sending = false;
	pthread_mutex_unlock(&pool->lock);
	if (fcgi_output_waits(&connection->output)) {
		connection_go_on(pool, connection);
		return false;
	}
	enum fcgi_state heard = read_available(connection, &is_ended);
	if (heard == FCGI_HAS_REQUEST) {
		pthread_mutex_lock(&pool->lock);
		connection->is_unfinished = false;
		pthread_mutex_unlock(&pool->lock);
		serve_request(pool, connection, OK, seat);
		return true;
	}
	bool is_between = connection->input.phase == FCGI_BETWEEN;
	if (is_ended && connection->is_overdue && connection->input.phase == FCGI_IN_BODY)
		serve_request(pool, connection, connection->overdue_result, seat);
	else if (heard == FCGI_IS_BROKEN || is_ended || (connection->is_last && is_between))
		connection_close(pool, connection);
	else
		connection_await(pool, connection, EPOLL_CTL_MOD);
	return false;
}

void connections_give_up(struct pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	for (struct connection *one = pool->connections; one; one = one->next) {
		if (!one->is_idle || one->is_given_up)
			continue;
		one->is_given_up = true;
		send(one->fd, nothing, sizeof(nothing), MSG_NOSIGNAL | MSG_DONTWAIT);
	}
	pthread_mutex_unlock(&pool->lock);
}

bool connections_are_left(struct pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	bool has_one = pool->connections != NULL;
	pthread_mutex_unlock(&pool->lock);
	return has_one;
}
