/*
 * multipart/form-data (RFC 7578 over RFC 2046 5.1).
 *
 * A delimiter is CRLF, two dashes, the boundary, blanks, CRLF; anything else
 * that begins like one is data. Values are byte-exact. Refused, because
 * parsers disagree on them and a filter in front could be led astray: a body
 * that ends before its last boundary, a part without a name or with two
 * Content-Dispositions, bare LF as line end. Content-Transfer-Encoding and
 * filename* are ignored (RFC 7578 4.7, 4.2).
 */
#ifndef WIRE_MULTIPART_H
#define WIRE_MULTIPART_H

#include <stdbool.h>

#include "base/str.h"
#include "wire/limits.h"
#include "wire/pairs.h"

enum multipart_state {
	MULTIPART_PREAMBLE, /* before the first boundary */
	MULTIPART_HEADERS,
	MULTIPART_VALUE,
	MULTIPART_EPILOGUE, /* behind the last boundary */
};

struct multipart {
	struct pair_sink *sink;
	enum multipart_state state;

	/* CRLF, two dashes and the boundary; how much of it the input has matched. */
	char delimiter[4 + WIRE_BOUNDARY_MAX_BYTES];
	size_t delimiter_len;
	size_t matched;
	size_t assumed; /* leading bytes of the match that were not in the input: 0 or 2 */
	/* What followed a whole delimiter so far: its dashes, blanks and CR. */
	char tail[WIRE_BOUNDARY_PADDING_MAX_BYTES + 2];
	size_t tail_len;

	char header[WIRE_PART_HEADER_MAX_BYTES]; /* the part's header lines so far, CRLFs and all */
	size_t header_len;
	size_t line_start;
	size_t lines;
	size_t parts;
};

/* `boundary` as mediatype_parse() gives it. */
void multipart_init(struct multipart *decoder, const char *boundary, struct pair_sink *sink);
/* E_MALFORMED for what is refused above or over a limit; else what the sink says. */
enum result multipart_feed(struct multipart *decoder, struct str bytes, struct error *error)
	MUST_USE;
/* E_MALFORMED when the last boundary has not been seen. */
enum result multipart_finish(struct multipart *decoder, struct error *error) MUST_USE;

#endif
