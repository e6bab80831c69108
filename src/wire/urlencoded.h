/*
 * application/x-www-form-urlencoded, in a query or a body (WHATWG URL section 5.1).
 *
 * Only '&' separates pairs; '+' is a blank; a '%' without two hexadecimal digits is kept; empty
 * pairs ("&&") are skipped. Values are bytes; the fields check whether they are valid text.
 */
#ifndef WIRE_URLENCODED_H
#define WIRE_URLENCODED_H

#include "base/str.h"
#include "wire/limits.h"
#include "wire/pairs.h"

struct urlencoded {
	struct pair_sink *sink;
	char name[WIRE_NAME_MAX_BYTES];
	size_t name_len;
	size_t pairs;
	char escape[2];	  /* bytes of an incomplete %XX */
	int escape_len;	  /* -1: not in an escape */
	bool is_in_value; /* after the '=' of the pair */
	bool is_empty;	  /* no byte of this pair was read */
};

void urlencoded_init(struct urlencoded *decoder, struct pair_sink *sink);
/* E_MALFORMED: more than WIRE_PARTS_MAX pairs, or a name that is too long; or the result of the
 * sink. */
enum result urlencoded_feed(struct urlencoded *decoder, struct str bytes, struct error *error)
	MUST_USE;
/* Ends the input, and sends a pending pair to the sink. */
enum result urlencoded_finish(struct urlencoded *decoder, struct error *error) MUST_USE;

/*
 * Decodes %XX in a path segment to `out`, which has at least text.len + 1 bytes; keeps '+'. False:
 * a '%' without two digits, or a NUL.
 */
bool percent_decode(struct str text, char *out);

#endif
