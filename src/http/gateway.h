/*
 * A request from a web server, whatever the protocol: CGI variables (RFC 3875 section 4.1), body,
 * and response. gateway_cgi.c and gateway_fcgi.c implement this interface. The upper layers do not
 * know which of the two is used.
 */
#ifndef HTTP_GATEWAY_H
#define HTTP_GATEWAY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

struct gateway {
	/* Returns the value of a variable, or NULL. The value is valid until the request ends. */
	const char *(*param)(struct gateway *gateway, const char *name);
	/* Reads the next bytes of the body. Returns 0 at the end, and -1 if the connection
	 * failed. */
	ssize_t (*read)(struct gateway *gateway, char *out, size_t size);
	/* Writes a part of the response. Returns false if the connection is lost. The rest of the
	 * response is then dropped. */
	bool (*write)(struct gateway *gateway, const void *data, size_t len);
	/* Completes and sends the response, so that the client does not wait for work that follows
	 * it. */
	void (*finish)(struct gateway *gateway);
	/* Call it before this thread waits for another request. Until this request ends, an
	 * additional thread serves requests. NULL: the process has only one thread. */
	void (*pause)(struct gateway *gateway);
	/* The protocol marks the end of the body, so a length is not needed. */
	bool is_framed;
	/* OK, or why the body is missing: the request gets the response for this result */
	enum result refusal;
	size_t body_bytes; /* memory that the body occupies */
};

/* Serves requests. Each thread calls open(), and passes the result to serve() and close(). */
struct responder {
	void *(*open)(const void *context);
	void (*serve)(void *state, struct gateway *gateway);
	void (*close)(void *state);
	const void *context;
};

/* Serves the one request in the environment and standard input of this process. */
void gateway_cgi_run(const struct responder *responder);

struct fcgi_limits {
	long threads;
	long max_requests; /* worn_out() is called after each `max_requests` served requests; 0:
			      never */
	void (*worn_out)(void);
	long read_timeout_s;   /* the longest time between two pieces of a request or a response */
	size_t max_body_bytes; /* a longer body is cut; it is missing if Content-Length exceeds
				  this limit */
	size_t unfinished_max_bytes; /* memory for all incomplete requests */
	size_t memory_bytes;	     /* memory for all requests of the process; 0: no limit */
};

/*
 * Serves FastCGI connections of the listening socket until SIGTERM. Then completes current
 * requests, closes kept connections without losing a request that is on its way, and returns. Call
 * it in a separate process.
 */
void gateway_fcgi_run(int listen_fd, const struct responder *responder,
		      const struct fcgi_limits *limits);

#endif
