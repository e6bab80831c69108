/*
 * One request as a web server hands it over, whatever the protocol: its CGI
 * variables (RFC 3875 4.1), its body, and the way back. gateway_cgi.c and
 * gateway_fcgi.c implement it; nothing above knows which is at work.
 */
#ifndef HTTP_GATEWAY_H
#define HTTP_GATEWAY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

struct gateway {
	/* The variable's value, or NULL. Borrowed for the request. */
	const char *(*param)(struct gateway *gateway, const char *name);
	/* The next bytes of the body: 0 at its end, -1 when the connection failed. */
	ssize_t (*read)(struct gateway *gateway, char *out, size_t size);
	/* False once the other side is gone; the rest of the response is then dropped. */
	bool (*write)(struct gateway *gateway, const void *data, size_t len);
	/* The response is complete, and goes out: what follows need not keep the client waiting. */
	void (*finish)(struct gateway *gateway);
	/* The body's end is told by the protocol, so it may come without a length. */
	bool is_framed;
	/* OK, or why the body is not there: the response to the request. */
	enum result refusal;
	size_t body_bytes; /* the memory that the body takes */
};

/* What answers requests: one for each thread, made and used in it. */
struct responder {
	void *(*open)(const void *context);
	void (*serve)(void *state, struct gateway *gateway);
	void (*close)(void *state);
	const void *context;
};

/* Serves the one request of this process's environment and standard streams. */
void gateway_cgi_run(const struct responder *responder);

struct fcgi_limits {
	long threads;
	long max_requests; /* so often worn_out() is called; 0: never */
	void (*worn_out)(void);
	long read_timeout_s;	     /* of a request or a response, between two pieces */
	size_t max_body_bytes;	     /* a larger body is handed on in part, or not at all */
	size_t unfinished_max_bytes; /* of all requests that are not whole yet */
	size_t memory_bytes;	     /* of the process, for all requests; 0: no limit */
};

/*
 * Serves FastCGI connections of the listening socket until SIGTERM. Then requests in hand
 * are finished, connections that the web server keeps are given up in a way that loses
 * nothing which it may be sending, and it returns. Call it in a process of its own.
 */
void gateway_fcgi_run(int listen_fd, const struct responder *responder,
		      const struct fcgi_limits *limits);

#endif
