/*
 * Detects whether a request of wire/http_client.c has progress. A byte of the request counts when
 * the other side has acknowledged it, not when a socket takes it: the socket's buffer takes
 * megabytes at once, for which a slow line needs minutes.
 */
#ifndef WIRE_HTTP_PROGRESS_H
#define WIRE_HTTP_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "wire/http_library.h"

/* The open sockets of a client. The bytes of a socket that has no place here count when the kernel
 * takes them. */
struct http_sockets {
	int fds[32];					     /* -1: a free place */
	bool (*may_connect)(const struct sockaddr *address); /* NULL: to any */
	bool has_refused;				     /* may_connect() was false */
};

struct http_progress {
	const struct http_sockets *sockets;
	int timeout_s;
	int fd;		     /* the descriptor of the connection; -1: not known */
	int64_t arrived;     /* bytes that each side had received at the last progress */
	int64_t progress_ms; /* time of the last progress */
	bool is_stalled;
};

void http_sockets_init(struct http_sockets *sockets);
/* Sets the options of a request. Both structures must outlive the request, and `sockets` must
 * outlive the connections. */
void http_progress_watch(CURL *easy, struct http_sockets *sockets, int timeout_s,
			 struct http_progress *progress);

#endif
