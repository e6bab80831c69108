/*
 * application/x-www-form-urlencoded, in a query or a body (WHATWG URL section 5.1).
 *
 * Only '&' separates pairs. '+' is decoded to a space. A '%' without two hexadecimal digits after
 * it stays. Empty pairs ("&&") are skipped. Values may be any bytes; the checks of fields reject
 * invalid text.
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

/* Copies a path segment to `out`, with %XX decoded and '+' unchanged. `out` must have text.len + 1
 * bytes. Returns false if a '%' lacks two hexadecimal digits, or if the result has a NUL. */
bool percent_decode(struct str text, char *out);

/* Appends the text, with %XX for all characters but letters and digits. */
void percent_encode(struct buf *out, const char *text);

#endif
