/*
 * Parses the input of a FastCGI connection (FastCGI Specification 1.0): records of one request
 * after another. The parser does not block, and does not trust the input: any process that can
 * reach the socket may send anything.
 */
#ifndef HTTP_FCGI_INPUT_H
#define HTTP_FCGI_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

enum fcgi_type {
	FCGI_BEGIN_REQUEST = 1,
	FCGI_ABORT_REQUEST,
	FCGI_END_REQUEST,
	FCGI_PARAMS,
	FCGI_STDIN,
	FCGI_STDOUT,
	FCGI_STDERR,
	FCGI_DATA,
	FCGI_GET_VALUES,
	FCGI_GET_VALUES_RESULT,
	FCGI_UNKNOWN_TYPE,
};

enum { FCGI_VERSION = 1, FCGI_HEADER_BYTES = 8 };

/* A complete request, or one whose body is rejected. */
struct fcgi_request {
	uint16_t id;
	bool is_kept;	      /* the web server wants to keep the connection */
	bool is_refused;      /* there was no memory for the body, which is empty */
	struct buf variables; /* "NAME\0value\0" for each */
	/* If the body exceeds the limit: one byte more than the limit, or nothing if
	 * CONTENT_LENGTH exceeds it. */
	struct buf body;
};

enum fcgi_state {
	FCGI_WANTS_MORE,
	FCGI_HAS_REQUEST, /* take the request with fcgi_take() before feeding more */
	FCGI_IS_BROKEN,	  /* not FastCGI, or over a limit: close the connection */
};

enum fcgi_phase {
	FCGI_BETWEEN, /* between requests */
	FCGI_IN_PARAMS,
	FCGI_IN_BODY,
	FCGI_IN_REST, /* in a body that is dropped */
};

struct fcgi_input {
	size_t body_max_bytes;
	/* Called before a body takes more memory, with the new total of the input. NULL: only
	 * the process's budget is checked. */
	bool (*has_room)(struct fcgi_input *input, size_t held_bytes);
	struct buf reply; /* to be sent now; the sender clears it */
	enum fcgi_phase phase;
	struct fcgi_request request;
	struct buf params; /* undecoded */
	size_t rest_bytes;
	unsigned char header[FCGI_HEADER_BYTES];
	size_t header_len;
	size_t content_left; /* of the record with this `header` */
	size_t padding_left;
	unsigned char begin[8];
	size_t begin_len;
};

void fcgi_input_init(struct fcgi_input *input, size_t body_max_bytes);
void fcgi_input_done(struct fcgi_input *input);

/* Parses and removes bytes from the front of `bytes`: all, or those up to the end of a request. */
enum fcgi_state fcgi_feed(struct fcgi_input *input, struct str *bytes);

/* Whether a request or a record is incomplete. */
bool fcgi_is_unfinished(const struct fcgi_input *input);

/* The memory that an incomplete request takes. */
size_t fcgi_held_bytes(const struct fcgi_input *input);

/* Moves the request to the caller, who ends it with fcgi_request_done(). */
void fcgi_take(struct fcgi_input *input, struct fcgi_request *request);
void fcgi_request_done(struct fcgi_request *request);

/* The value of a variable, or NULL. */
const char *fcgi_variable(const struct fcgi_request *request, const char *name);

void fcgi_put_header(unsigned char header[FCGI_HEADER_BYTES], enum fcgi_type type, uint16_t id,
		     size_t content_len);
/* Appends the records that end the response. */
void fcgi_put_end(struct buf *out, uint16_t id);

#endif
