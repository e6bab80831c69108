/*
 * HTTP requests to other servers, by libcurl. libcurl is loaded when a process opens its first
 * client: most processes open none. A client keeps its connections open. Only one thread may use a
 * client at a time.
 *
 * Certificates are always verified. Redirects are not followed, and no proxy is used. The only
 * schemes are http and https. Headers and bodies of requests are never logged.
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
	const char *url;	    /* percent-encoded; without user and password */
	const char *const *headers; /* "Name: value", ended by NULL; NULL: no headers */
	/*
	 * The body of PUT and POST. If `read` is NULL, it is `body`; otherwise it has body_bytes
	 * bytes, which `read` provides. `read` copies at most `max` bytes of the body, from
	 * `offset` on, and returns their number, or a value below 1 after a failure.
	 */
	struct str body;
	int64_t (*read)(void *context, int64_t offset, char *to, size_t max);
	void *context;
	int64_t body_bytes;
	/* The longest time to connect, and then the longest time without progress: see
	 * wire/http_progress.h. */
	int timeout_s;
	int limit_s;	     /* the longest time of the whole request; 0: no limit */
	size_t response_max; /* the most bytes of the response's body */
	/* Accept a response with a status, even if its body is too long or does not end in time.
	 * The body is then cut. */
	bool takes_part;
	/*
	 * Signs the request by AWS Signature Version 4, if sigv4 is not NULL: "aws:amz:REGION:s3".
	 * libcurl signs the path and query of the URL without change: encode all but unreserved
	 * characters, and sort the query. The header x-amz-content-sha256 must be among `headers`.
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
	bool is_cut;	   /* the body is incomplete */
	int64_t date_s;	   /* the header Date; 0: none */
};

/* How many requests are sent at the same time. */
enum { HTTP_CLIENT_PARALLEL = 8 };

/* Opens a client. ca_file has the certificates of the trusted authorities (PEM); NULL: the system's
 * authorities. Returns E_FAILED if libcurl is not installed; the error names what is missing. */
enum result http_client_open(struct http_client **client, const char *ca_file, struct error *error)
	MUST_USE;
/*
 * Makes the client connect only to addresses for which may_connect() returns true. If a host name
 * has several addresses, each is checked. A request fails with E_FORBIDDEN if it could not connect,
 * and an address was refused.
 */
struct sockaddr;
void http_client_guard(struct http_client *client,
		       bool (*may_connect)(const struct sockaddr *address));
/* Closes the client, which may be NULL. */
void http_client_close(struct http_client *client);
/*
 * Sends a request. Returns OK if a response came, with any status. Returns E_UNAVAILABLE if no
 * complete response came. Returns E_FAILED if something on this machine is wrong, such as a body
 * that cannot be read. The error's log text has the reason.
 */
enum result http_client_send(struct http_client *client, const struct http_client_request *request,
			     struct arena *arena, struct http_client_response *response,
			     struct error *error) MUST_USE;
/*
 * Sends several requests, HTTP_CLIENT_PARALLEL at a time, and starts them in the order of the
 * array. If a request fails or gets a status of 300 or above, starts no more requests, and waits
 * only for the started ones. Returns the first failure.
 */
enum result http_client_send_all(struct http_client *client,
				 const struct http_client_request *requests, size_t count,
				 struct arena *arena, struct http_client_response *responses,
				 struct error *error) MUST_USE;

#endif
