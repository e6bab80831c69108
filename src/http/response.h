/* A response, complete in memory before its first byte is sent. */
#ifndef HTTP_RESPONSE_H
#define HTTP_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "http/gateway.h"

struct json_object;

enum { RESPONSE_HEADERS_MAX = 24 };

struct response {
	int status;
	const char *content_type; /* NULL: no body */
	struct buf body;
	bool is_failed;	     /* the body could not be printed: send 500 */
	struct arena *arena; /* owns the headers */
	struct {
		const char *name;
		const char *value;
	} headers[RESPONSE_HEADERS_MAX];
	size_t header_count;
};

void response_init(struct response *response, struct arena *arena);
void response_done(struct response *response);

/* Adds a header, or replaces the header with this name. Control characters become blanks. */
void response_header(struct response *response, const char *name, const char *format, ...)
	PRINTF_LIKE(3, 4);

/* Keeps the first `header_count` headers, removes the others, and resets all other members. */
void response_rewind(struct response *response, size_t header_count);

/* Sets the body to the tree and a newline, and frees the tree. Sets is_failed if memory is short,
 * or if the body exceeds WIRE_RESPONSE_MAX_BYTES. */
void response_json(struct response *response, int status, struct json_object *tree);
/* The second part of response_json(), for a body that the caller has printed: adds the newline. */
void response_end_json(struct response *response, int status);

/* Writes the head, and the body unless the request is HEAD. Returns the number of body bytes
 * written. */
size_t response_send(const struct response *response, struct gateway *gateway, bool is_head);

#endif
