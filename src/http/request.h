/* The head of a request, read from the web server's variables. */
#ifndef HTTP_REQUEST_H
#define HTTP_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/secret.h"
#include "base/str.h"
#include "http/gateway.h"

enum { REQUEST_SEGMENTS_MAX = 16 };

struct request {
	char id[SECRET_ID_SIZE];
	const char *method; /* never NULL; "GET" for HEAD, see is_head */
	bool is_head;	    /* method is then "GET" */

	/* The path below base_url, decoded by segment, so "%2F" stays inside its segment. A
	 * slash at the end is dropped. */
	const char *segments[REQUEST_SEGMENTS_MAX];
	size_t segment_count;
	bool has_final_slash;
	bool is_for_programs; /* API, hooks and health: errors are JSON */
	struct str query;     /* undecoded */

	const char *base_url; /* an absolute URL without a slash at the end; all links begin with
				 it */
	bool is_for_console;  /* the host is that of [console] url */
	const char *host;     /* the host of the request, without port; "" if unknown */
	const char *client;   /* see http/client_address.h */
	const char *content_type; /* "" if there is none */
	int64_t content_length;	  /* -1 if there is none */
	const char *authorization;
	const char *cookie;
	const char *if_match;
	const char *if_none_match;
	const char *idempotency_key;
	struct arena *arena; /* owns the memory of the request */
};

/*
 * Reads the head. All texts belong to the arena or to the gateway. id, method, base_url and
 * is_for_programs are set even after a failure, for the response and the log. Returns E_MALFORMED
 * for a path that cannot be decoded, for a path or query that is too long, and for an invalid
 * Content-Length.
 */
enum result request_read(struct request *request, struct gateway *gateway,
			 const struct config *config, struct arena *arena, struct error *error)
	MUST_USE;

/* Whether the path of a URL belongs to the API, hooks or health, which respond with errors as
 * JSON. */
bool request_path_is_for_programs(struct str path);

#endif
