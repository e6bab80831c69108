/*
 * What a web server sends over a FastCGI connection (FastCGI Specification 1.0), fed as it
 * comes: records, one request after another. Nothing here waits, and no input is trusted:
 * whoever can reach the socket may send anything.
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

/* A request that has come whole, or whose body cannot be taken. */
struct fcgi_request {
	uint16_t id;
	bool is_kept;	      /* the web server wants to go on using the connection */
	bool is_refused;      /* there was no room for its body, which is empty */
	struct buf variables; /* "NAME\0value\0" for each */
	/* Of a longer body than is allowed: one byte more than that, or nothing if its
	 * CONTENT_LENGTH says so. */
	struct buf body;
};

enum fcgi_state {
	FCGI_WANTS_MORE,
	FCGI_HAS_REQUEST, /* to be taken with fcgi_take() before more is fed */
	FCGI_IS_BROKEN,	  /* no FastCGI, or too much of it: the connection must be closed */
};

enum fcgi_phase {
	FCGI_BETWEEN, /* no request has begun, or the last has come to its end */
	FCGI_IN_PARAMS,
	FCGI_IN_BODY,
	FCGI_IN_REST, /* of a body that is not taken: it is read away */
};

struct fcgi_input {
	size_t body_max_bytes;
	/* Asked when a body is about to take more memory than it has, with what the input then
	 * holds. NULL: only the process's budget is asked. */
	bool (*has_room)(struct fcgi_input *input, size_t held_bytes);
	struct buf reply; /* to be sent now; the sender clears it */
	enum fcgi_phase phase;
	struct fcgi_request request;
	struct buf params; /* as they came */
	size_t rest_bytes;
	unsigned char header[FCGI_HEADER_BYTES];
	size_t header_len;
	size_t content_left; /* of the record that `header` begins */
	size_t padding_left;
	unsigned char begin[8];
	size_t begin_len;
};

void fcgi_input_init(struct fcgi_input *input, size_t body_max_bytes);
void fcgi_input_done(struct fcgi_input *input);

/* Takes bytes off the front of `bytes`: all, or those up to the end of a request. */
enum fcgi_state fcgi_feed(struct fcgi_input *input, struct str *bytes);

/* A request, or a record, has begun and is not there as a whole. */
bool fcgi_is_unfinished(const struct fcgi_input *input);

/* The memory that an unfinished request takes. */
size_t fcgi_held_bytes(const struct fcgi_input *input);

/* Moves the request out; the caller ends it with fcgi_request_done(). */
void fcgi_take(struct fcgi_input *input, struct fcgi_request *request);
void fcgi_request_done(struct fcgi_request *request);

/* The variable's value, or NULL. */
const char *fcgi_variable(const struct fcgi_request *request, const char *name);

void fcgi_put_header(unsigned char header[FCGI_HEADER_BYTES], enum fcgi_type type, uint16_t id,
		     size_t content_len);
/* The end of its standard output, and of the request. */
void fcgi_put_end(struct buf *out, uint16_t id);

#endif
