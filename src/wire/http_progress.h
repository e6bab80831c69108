/*
 * Detects whether a request of wire/http_client.c has progress. A sent byte counts as progress only
 * when the other side has acknowledged it. It does not count while it is in the socket's buffer:
 * the buffer may have megabytes, and a slow line needs minutes to send them.
 */
#ifndef WIRE_HTTP_PROGRESS_H
#define WIRE_HTTP_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "wire/http_library.h"

/* The open sockets of a client. If `fds` is full, a new socket is not stored, and its sent bytes
 * count as progress as soon as they are in the socket's buffer. */
struct http_sockets {
	int fds[32];					     /* -1: a free place */
	bool (*may_connect)(const struct sockaddr *address); /* NULL: any address is allowed */
	bool has_refused;				     /* may_connect() has returned false */
};

struct http_progress {
	const struct http_sockets *sockets;
	int timeout_s;
	int fd;		     /* the socket of the connection; -1: not in `sockets` */
	int64_t arrived;     /* the sum of the bytes that both sides had received at progress_ms */
	int64_t progress_ms; /* the time of the last progress */
	bool is_stalled;
};

void http_sockets_init(struct http_sockets *sockets);
/* Makes libcurl end a request without progress. `progress` must outlive the request, `sockets` must
 * outlive the connections. */
void http_progress_watch(CURL *easy, struct http_sockets *sockets, int timeout_s,
			 struct http_progress *progress);

#endif
