/* A request's head: what the web server's variables say, in the terms of HTTP. */
#ifndef HTTP_REQUEST_H
#define HTTP_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/config.h"
#include "base/error.h"
#include "base/secret.h"
#include "base/str.h"
#include "http/gateway.h"

enum { REQUEST_SEGMENTS_MAX = 16 };

struct request {
	char id[SECRET_ID_SIZE];
	const char *method; /* never NULL; HEAD is kept apart in is_head */
	bool is_head;	    /* method is then "GET" */

	/* The path below base_url, decoded segment by segment ("%2F" stays inside its
	 * segment). A slash at the end makes no difference. */
	const char *segments[REQUEST_SEGMENTS_MAX];
	size_t segment_count;
	bool has_final_slash;
	bool is_for_programs; /* below an address that browsers are not led to: the API, hooks,
				 health */
	struct str query;     /* not decoded */

	const char *base_url;	  /* absolute, no slash at its end: what links begin with */
	const char *host;	  /* of the Host header, without its port; "" when there is none */
	const char *client;	  /* see http/client_address.h */
	const char *content_type; /* "" when there is none */
	int64_t content_length;	  /* -1 when it was not said */
	const char *authorization;
	const char *cookie;
	const char *if_match;
	const char *if_none_match;
	const char *idempotency_key;
	struct arena *arena; /* all that the request needs is in it, or expected by it */
};

/*
 * Reads the head. All texts belong to the arena or to the gateway. id, method,
 * base_url and is_for_programs are set even on failure, for the response and the log.
 * E_MALFORMED: a path that cannot be decoded or is too long, or a
 * Content-Length that is no length.
 */
enum result request_read(struct request *request, struct gateway *gateway,
			 const struct config *config, struct arena *arena, struct error *error)
	MUST_USE;

/* Whether a path, as it stands in an address, is for programs; they get their failures in JSON. */
bool request_path_is_for_programs(struct str path);

#endif
