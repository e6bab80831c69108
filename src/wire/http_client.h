/*
 * HTTP requests to other servers, by libcurl, which is loaded at the first request: most runs of
 * the program need none. A client keeps its connections open; one thread uses it at a time.
 *
 * Certificates are always verified, redirects are not followed, and only http and https are
 * spoken. Neither a header nor a body of a request is ever logged.
 */
#ifndef WIRE_HTTP_CLIENT_H
#define WIRE_HTTP_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

struct http_client;

struct http_client_request {
	const char *method;
	const char *url;
	const char *const *headers; /* "Name: value"; NULL at the end */
	/* The body: `body`, or else `read` is called for pieces of it, body_bytes in all. */
	struct str body;
	size_t (*read)(void *context, char *to, size_t max); /* 0 before body_bytes: failure */
	void *context;
	int64_t body_bytes;
	int timeout_s;	     /* without progress */
	size_t response_max; /* bytes of the response's body that are accepted */
	/* Signs by AWS Signature Version 4, if sigv4 is not NULL: "aws:amz:REGION:s3". */
	const char *sigv4;
	const char *access_key;
	const char *secret_key;
};

struct http_client_response {
	int status;
	struct str body;   /* owned by the arena, as the next */
	const char *etag;  /* NULL: none */
	int retry_after_s; /* 0: none */
};

/* E_FAILED: libcurl is not installed; the error says which package has it. */
enum result http_client_open(struct http_client **client, struct error *error) MUST_USE;
void http_client_close(struct http_client *client);
/* CLEANUP-compatible forms are for callers to add. E_UNAVAILABLE: no complete response came; the
 * error's log text has the reason. Any status is OK. */
enum result http_client_send(struct http_client *client, const struct http_client_request *request,
			     struct arena *arena, struct http_client_response *response,
			     struct error *error) MUST_USE;

#endif
