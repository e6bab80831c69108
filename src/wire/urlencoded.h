/*
 * application/x-www-form-urlencoded, in a query or a body (WHATWG URL section 5.1).
 *
 * Only '&' separates pairs; '+' is a blank; a '%' without two hexadecimal digits is kept; empty
 * pairs ("&&") are skipped. Values are bytes; the fields check whether they are valid text.
 */
#ifndef WIRE_URLENCODED_H
#define WIRE_URLENCODED_H

#include "base/buf.h"
#include "base/str.h"
#include "wire/pairs.h"

/* Sends all pairs to the sink. Returns E_MALFORMED if there are more than WIRE_PARTS_MAX pairs, or
 * a name has more than WIRE_NAME_MAX_BYTES. Also returns failures of the sink. */
enum result urlencoded_decode(struct str text, struct pair_sink *sink, struct error *error)
	MUST_USE;

/* Decodes %XX in a path segment to `out`, which has at least text.len + 1 bytes; keeps '+'. Returns
 * false if a '%' has no two digits after it, or if there is a NUL. */
bool percent_decode(struct str text, char *out);

/* Appends the text, with %XX for all characters but letters and digits. */
void percent_encode(struct buf *out, const char *text);

#endif
