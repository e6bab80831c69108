/*
 * multipart/form-data (RFC 7578, based on RFC 2046 section 5.1).
 *
 * A delimiter consists of CRLF, two dashes, the boundary, blanks, and CRLF. In the last delimiter,
 * two dashes replace the blanks and the second CRLF. Text that only begins like a delimiter is part
 * of a value. Values are byte-exact.
 *
 * Inputs that other parsers interpret differently are rejected, because they could deceive a filter
 * in front of the service:
 * - a body without its last delimiter
 * - a part without name, or with two Content-Dispositions
 * - LF alone as the end of a header line
 *
 * Content-Transfer-Encoding and filename* are ignored (RFC 7578 sections 4.7 and 4.2).
 */
#ifndef WIRE_MULTIPART_H
#define WIRE_MULTIPART_H

#include <stdbool.h>

#include "base/str.h"
#include "wire/pairs.h"

/* Sends all parts to the sink. `boundary` comes from mediatype_parse(). Returns E_MALFORMED if the
 * input is rejected as described above, or exceeds a limit. Also returns failures of the sink. */
enum result multipart_decode(struct str text, const char *boundary, struct pair_sink *sink,
			     struct error *error) MUST_USE;

#endif
