/*
 * FastCGI: reads a request with libfcgi. The body is read before the request is served, so that
 * slow clients occupy no database connection.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/attr.h"
#include "base/budget.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "http/fcgi_pool.h"
#include "wire/limits.h"

/* The size of libfcgi's own buffer. */
enum { PIECE_BYTES = 8192 };

static size_t held_bytes(const struct fcgi_request *request)
{
	return request->variables_bytes + request->body.size;
}

static struct fcgi_request *request_of(struct gateway *gateway)
{
	return CONTAINER_OF(gateway, struct fcgi_request, gateway);
}

static const char *request_param(struct gateway *gateway, const char *name)
{
	return FCGX_GetParam(name, request_of(gateway)->fcgx.envp);
}

static ssize_t request_body(struct gateway *gateway, char *out, size_t size)
{
	struct fcgi_request *request = request_of(gateway);
	size_t len = request->body.len - request->body_at;
	if (len > size)
		len = size;
	if (len > 0)
		memcpy(out, request->body.data + request->body_at, len);
	request->body_at += len;
	return (ssize_t)len;
}

static void request_pause(struct gateway *gateway)
{
	struct fcgi_request *request = request_of(gateway);
	pool_pause(request->pool, request->seat);
}

static struct fcgi_request *request_new(struct connection *connection)
{
	struct fcgi_request *request = calloc(1, sizeof(*request));
	if (!request)
		die("fcgi: out of memory");
	request->gateway.param = request_param;
	request->gateway.read = request_body;
	request->gateway.write = fcgi_response_write;
	request->gateway.pause = request_pause;
	request->gateway.is_framed = true;
	request->pool = connection->pool;
	request->connection = connection;
	request->body = BUF_INIT(connection->pool->limits->max_body_bytes + 1);
	/* libfcgi must neither accept connections nor close them after a request. */
	FCGX_InitRequest(&request->fcgx, -1, FCGI_FAIL_ACCEPT_ON_INTR);
	request->fcgx.keepConnection = 1;
	request->fcgx.ipcFd = connection->fd;
	return request;
}

void fcgi_request_done(struct fcgi_request *request)
{
	FCGX_Free(&request->fcgx, 0);
	budget_give(request->variables_bytes);
	buf_done(&request->body);
	free(request);
}

/* Reserves memory for a body of `len` bytes, or for twice the present body if that is more. Returns
 * false if there is no memory. */
static bool expect_body(struct fcgi_request *request, size_t len)
{
	struct buf *body = &request->body;
	if (len <= WIRE_SMALL_BYTES || len < body->size)
		return true;
	return buf_expect(body, len > 2 * body->len ? len : 2 * body->len) &&
	       connection_has_room(request->connection, held_bytes(request));
}

/* Drops the body. The request is then served without a body, and gets the response for
 * `refusal`. */
static void refuse_body(struct fcgi_request *request, enum result refusal)
{
	buf_done(&request->body);
	request->gateway.refusal = refusal;
}

/* Reads the body up to its end, or to one byte more than the limit. */
static void read_body(struct fcgi_request *request)
{
	char piece[PIECE_BYTES];
	struct buf *body = &request->body;
	size_t most = request->pool->limits->max_body_bytes;
	const char *text = FCGX_GetParam("CONTENT_LENGTH", request->fcgx.envp);
	int64_t said = 0;
	int len;
	if (!str_to_int64(str_trim_ows(str_from(text)), &said) || said < 0)
		said = 0;
	request->has_rest = (uint64_t)said > most;
	if (request->has_rest)
		return;
	bool has_room = expect_body(request, (size_t)said);
	while (has_room && body->len <= most &&
	       (len = FCGX_GetStr(piece, sizeof(piece), request->fcgx.in)) > 0) {
		size_t left = most + 1 - body->len;
		size_t some = (size_t)len < left ? (size_t)len : left;
		has_room = expect_body(request, body->len + some);
		if (has_room)
			buf_add(body, piece, some);
		has_room = has_room && buf_ok(body);
		if (request->connection->is_awaited &&
		    !connection_set_reading(request->connection, held_bytes(request)))
			break;
	}
	request->has_rest = !has_room || body->len > most;
	if (!has_room)
		refuse_body(request, E_BUSY);
}

/* Adds up the memory that libfcgi uses for the variables: some web servers pass on a megabyte of
 * header lines. */
static void count_variables(struct fcgi_request *request)
{
	for (char **one = request->fcgx.envp; *one; one++)
		request->variables_bytes += strlen(*one) + 1;
	budget_take(request->variables_bytes);
}

bool fcgi_request_read(struct connection *connection)
{
	struct fcgi_request *request = request_new(connection);
	if (FCGX_Accept_r(&request->fcgx) != 0) {
		connection->fd = -1;
		fcgi_request_done(request);
		return false;
	}
	request->is_kept = request->fcgx.keepConnection;
	count_variables(request);
	if (connection->is_awaited) {
		connection->deadline_ms = clock_ms() + request->pool->limits->read_timeout_s * 1000;
		connection_set_reading(connection, held_bytes(request));
	}
	read_body(request);
	int error = FCGX_GetError(request->fcgx.in);
	enum result ended = connection->is_awaited ? connection_end_reading(connection) : OK;
	bool is_whole = FCGX_HasSeenEOF(request->fcgx.in) && error == 0;
	/* The body arrived as another thread ended the wait: serve the request, then close the
	 * connection. */
	if (ended != OK && is_whole) {
		request->is_kept = false;
	} else if (ended != OK && !request->has_rest) {
		refuse_body(request, ended);
		request->has_rest = true;
	} else if (!request->has_rest && error == EAGAIN) {
		refuse_body(request, E_TOO_SLOW);
		request->is_kept = false;
	} else if (!request->has_rest && error != 0) {
		/* The connection has failed, so there is nobody to respond to. */
		fcgi_request_done(request);
		return false;
	}
	request->gateway.body_bytes = request->body.size;
	connection->request = request;
	connection->deadline_ms = 0;
	return true;
}
