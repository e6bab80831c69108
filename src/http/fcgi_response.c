/*
 * FastCGI: sends a response. libfcgi would send 8 KB at a time, and a thread would wait for each
 * slow receiver. This file sends without waiting. It keeps the bytes that the socket does not
 * accept now, and sends them when the connection is writable. The kept bytes count against the
 * process's memory.
 */
#include <errno.h>
#include <fastcgi.h>
#include <sys/socket.h>

#include "base/attr.h"
#include "base/clock.h"
#include "http/fcgi_pool.h"

/*
 * The minimum rate of a receiver. A lower minimum would not help: the kernel reports a socket as
 * writable only when three quarters of its buffer of about 200 KB are free. At this rate, that
 * takes most of the default timeout of 30 s.
 */
enum { SLOWEST_BYTES_PER_S = 8192 };

enum { PIECE_BYTES = 32768 };

static void put_record(struct buf *out, int type, int id, const void *content, size_t len)
{
	const unsigned char header[FCGI_HEADER_LEN] = {
		FCGI_VERSION_1,	   (unsigned char)type,	      (unsigned char)(id >> 8),
		(unsigned char)id, (unsigned char)(len >> 8), (unsigned char)len,
	};
	buf_add(out, header, sizeof(header));
	buf_add(out, content, len);
}

/* Sends as many bytes as possible without waiting, and returns their number; -1: the connection is
 * lost. */
static ssize_t send_now(int fd, const char *data, size_t len)
{
	ssize_t sent;
	do
		sent = send(fd, data, len, MSG_NOSIGNAL | MSG_DONTWAIT);
	while (sent < 0 && errno == EINTR);
	return sent < 0 && errno == EAGAIN ? 0 : sent;
}

/* Moves the deadline by the time that the `taken` bytes need at the minimum rate, but not beyond
 * the full timeout from now. */
static void move_deadline(struct connection *connection, size_t taken)
{
	int64_t latest_ms = clock_ms() + connection->pool->limits->read_timeout_s * 1000;
	int64_t moved_ms = connection->deadline_ms + (int64_t)taken * 1000 / SLOWEST_BYTES_PER_S;
	bool is_first = connection->deadline_ms == 0;
	connection->deadline_ms = is_first || moved_ms > latest_ms ? latest_ms : moved_ms;
}

bool fcgi_response_send(struct connection *connection)
{
	struct buf *out = &connection->out;
	size_t before = connection->out_at;
	ssize_t sent = 1;
	while (connection->out_at < out->len && sent > 0) {
		sent = send_now(connection->fd, out->data + connection->out_at,
				out->len - connection->out_at);
		connection->out_at += sent > 0 ? (size_t)sent : 0;
	}
	if (sent < 0 || !buf_ok(out))
		return false;
	if (connection->out_at < out->len) {
		move_deadline(connection, connection->out_at - before);
	} else {
		buf_clear(out);
		connection->out_at = 0;
		connection->deadline_ms = 0;
	}
	return true;
}

bool fcgi_response_write(struct gateway *gateway, const void *data, size_t len)
{
	struct fcgi_request *request = CONTAINER_OF(gateway, struct fcgi_request, gateway);
	struct connection *connection = request->connection;
	const char *rest = data;
	while (len > 0 && connection && buf_ok(&connection->out)) {
		size_t piece = len < PIECE_BYTES ? len : PIECE_BYTES;
		put_record(&connection->out, FCGI_STDOUT, request->fcgx.requestId, rest, piece);
		rest += piece;
		len -= piece;
		if (connection->out.len - connection->out_at >= PIECE_BYTES &&
		    !fcgi_response_send(connection))
			return false;
	}
	return len == 0;
}

/*
 * Appends an empty stderr record, by which the program asks nginx to close a kept connection. If
 * the program simply closed the connection, nginx could be sending a POST at that moment. Web
 * servers do not repeat a lost POST. FastCGI has no message that asks for a close. But nginx closes
 * a connection on which it receives an unexpected record. The record must come in the same write as
 * the end of a response, or while the connection is idle. If a request is already on its way, nginx
 * reads the record before the response. An empty stderr record is valid there.
 */
void fcgi_farewell(struct connection *connection)
{
	put_record(&connection->out, FCGI_STDERR, 1, NULL, 0);
}

void fcgi_response_end(struct connection *connection, int id)
{
	static const FCGI_EndRequestBody complete = { .protocolStatus = FCGI_REQUEST_COMPLETE };
	put_record(&connection->out, FCGI_STDOUT, id, NULL, 0);
	put_record(&connection->out, FCGI_END_REQUEST, id, &complete, sizeof(complete));
}
