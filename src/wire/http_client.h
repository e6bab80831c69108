/*
 * HTTP requests to other servers, by libcurl. The first client loads libcurl, since most runs of
 * the program need none. A client keeps its connections open; one thread uses it at a time.
 *
 * Certificates are always verified, redirects are not followed, no proxy is used, and only http and
 * https are spoken. Neither a header nor a body of a request is ever logged.
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
	const char *method;	    /* GET, HEAD, PUT, POST or DELETE */
	const char *url;	    /* encoded; without user and password */
	const char *const *headers; /* "Name: value"; NULL at the end. NULL: none */
	/*
	 * The body of PUT and POST: `body`, or body_bytes from `read`, which gets pieces of it at
	 * any offset. A return of less than 1 is a failure.
	 */
	struct str body;
	int64_t (*read)(void *context, int64_t offset, char *to, size_t max);
	void *context;
	int64_t body_bytes;
	/* The longest time for connecting, and the longest time without progress. A byte of the
	 * request counts as progress when the other side has acknowledged it. */
	int timeout_s;
	int limit_s;	     /* the longest time of the whole request; 0: no limit */
	size_t response_max; /* bytes of the response's body that are accepted */
	/* The status is enough: a body that is longer, or does not end in time, is cut. */
	bool takes_part;
	/*
	 * Signs by AWS Signature Version 4, if sigv4 is not NULL: "aws:amz:REGION:s3". The URL's
	 * path and query are signed as they are: encode all but unreserved characters, and sort
	 * the query. The header x-amz-content-sha256 must be among `headers`.
	 */
	const char *sigv4;
	const char *access_key;
	const char *secret_key;
};

struct http_client_response {
	int status;	   /* 0: the request was not sent, or has no complete response */
	struct str body;   /* owned by the arena, like etag */
	const char *etag;  /* NULL: none */
	int retry_after_s; /* 0: none */
	bool is_cut;	   /* the body is not whole */
	int64_t date_s;	   /* the time by the other side's clock; 0: not known */
};

/* How many requests are sent at the same time. */
enum { HTTP_CLIENT_PARALLEL = 8 };

/* Opens a client. ca_file has the certificates of the trusted authorities (PEM); NULL: the system's
 * authorities. E_FAILED: libcurl is not installed; the error names what is missing. */
enum result http_client_open(struct http_client **client, const char *ca_file, struct error *error)
	MUST_USE;
/* Makes the client connect only to addresses for which the function is true, whatever a name
 * resolves to. A request fails with E_FORBIDDEN if the function was true for no address. */
struct sockaddr;
void http_client_guard(struct http_client *client,
		       bool (*may_connect)(const struct sockaddr *address));
/* The client may be NULL. */
void http_client_close(struct http_client *client);
/*
 * Sends a request. OK: a response came, with any status. E_UNAVAILABLE: no complete response came.
 * E_FAILED: something on this machine is wrong, such as a body that cannot be read. The error's log
 * text has the reason.
 */
enum result http_client_send(struct http_client *client, const struct http_client_request *request,
			     struct arena *arena, struct http_client_response *response,
			     struct error *error) MUST_USE;
/*
 * Sends several requests, HTTP_CLIENT_PARALLEL at a time, and starts them in this order. Starts no
 * further request after a request without a response, or after a response of 300 or above. Then
 * waits for the requests under way. The result is the failure of the first request that failed.
 */
enum result http_client_send_all(struct http_client *client,
				 const struct http_client_request *requests, size_t count,
				 struct arena *arena, struct http_client_response *responses,
				 struct error *error) MUST_USE;

#endif
