/*
 * application/x-www-form-urlencoded, as query or body (WHATWG URL 5.1).
 *
 * '&' separates, nothing else does; '+' is a blank; a '%' without two
 * hexadecimal digits stays as it is; empty pairs ("&&") are skipped. Values
 * are bytes: whether they are text is asked later, by field.
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
	char escape[2];	  /* what of a %XX is here so far */
	int escape_len;	  /* -1: not in an escape */
	bool is_in_value; /* the name's '=' has been seen */
	bool is_empty;	  /* nothing of this pair has been seen */
};

void urlencoded_init(struct urlencoded *decoder, struct pair_sink *sink);
/* E_MALFORMED: more than WIRE_PARTS_MAX pairs, or a name that is too long; else what the
 * sink says. */
enum result urlencoded_feed(struct urlencoded *decoder, struct str bytes, struct error *error)
	MUST_USE;
/* The end of the input; says what is still pending. */
enum result urlencoded_finish(struct urlencoded *decoder, struct error *error) MUST_USE;

/*
 * Decodes %XX of a path segment into `out` (of at least text.len + 1 bytes);
 * '+' stays. False for a '%' without two digits and for a NUL.
 */
bool percent_decode(struct str text, char *out);

#endif
