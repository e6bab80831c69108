/*
 * Detects whether a request of wire/http_client.c has progress. A byte of the request counts when
 * the other side has acknowledged it. A byte in the socket's buffer does not count: the buffer can
 * have megabytes, which a slow line needs minutes to send.
 */
#ifndef WIRE_HTTP_PROGRESS_H
#define WIRE_HTTP_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "wire/http_library.h"

/* The open sockets of a client. If no place is free, a new socket is not stored. The bytes that it
 * sends then count as soon as the kernel has them. */
struct http_sockets {
	int fds[32];					     /* -1: a free place */
	bool (*may_connect)(const struct sockaddr *address); /* NULL: any address is allowed */
	bool has_refused;				     /* may_connect() has returned false */
};

struct http_progress {
	const struct http_sockets *sockets;
	int timeout_s;
	int fd;		     /* the descriptor of the connection; -1: not known */
	int64_t arrived;     /* bytes received by either side, up to the last progress */
	int64_t progress_ms; /* time of the last progress */
	bool is_stalled;
};

void http_sockets_init(struct http_sockets *sockets);
/* Makes libcurl detect a request without progress. Both structures must outlive the request.
 * `sockets` must also outlive the connections. */
void http_progress_watch(CURL *easy, struct http_sockets *sockets, int timeout_s,
			 struct http_progress *progress);

#endif
