/*
 * multipart/form-data (RFC 7578, based on RFC 2046 section 5.1).
 *
 * A delimiter consists of CRLF, two dashes, the boundary, blanks, and CRLF; other text with the
 * same beginning is data. Values are byte-exact. Inputs that other parsers interpret differently
 * are rejected, because a filter in front of the service could be deceived: a body without its last
 * boundary, a part without name or with two Content-Dispositions, and bare LF as a line end.
 * Content-Transfer-Encoding and filename* are ignored (RFC 7578 sections 4.7 and 4.2).
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
	MULTIPART_EPILOGUE, /* after the last boundary */
};

struct multipart {
	struct pair_sink *sink;
	enum multipart_state state;

	/* CRLF, two dashes and the boundary, and the number of its bytes that the input matches. */
	char delimiter[4 + WIRE_BOUNDARY_MAX_BYTES];
	size_t delimiter_len;
	size_t matched;
	size_t assumed; /* bytes of the match that were not in the input: 0 or 2 */
	/* Bytes after a complete delimiter: dashes, blanks and CR. */
	char tail[WIRE_BOUNDARY_PADDING_MAX_BYTES + 2];
	size_t tail_len;

	char header[WIRE_PART_HEADER_MAX_BYTES]; /* header lines of the part so far, with CRLF */
	size_t header_len;
	size_t line_start;
	size_t lines;
	size_t parts;
};

/* `boundary` comes from mediatype_parse(). */
void multipart_init(struct multipart *decoder, const char *boundary, struct pair_sink *sink);
/* E_MALFORMED: input that is rejected as described above, or over a limit; or the result of the
 * sink. */
enum result multipart_feed(struct multipart *decoder, struct str bytes, struct error *error)
	MUST_USE;
/* E_MALFORMED: the last boundary is missing. */
enum result multipart_finish(struct multipart *decoder, struct error *error) MUST_USE;

#endif
