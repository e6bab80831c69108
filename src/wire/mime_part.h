/*
 * Reads mails (RFC 5322) and their parts (MIME, RFC 2045 and 2046), as far as delivery reports need
 * it. Lines may end with CRLF or LF. No mail is rejected as malformed: parts that cannot be read
 * are omitted.
 *
 * Texts point into the mail, except where a comment says that the arena owns them.
 */
#ifndef WIRE_MIME_PART_H
#define WIRE_MIME_PART_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"
#include "wire/limits.h"

struct mime_field {
	struct str name;
	struct str value; /* may be folded: contain line ends */
};

/* Reads the next field of a header from the front of *rest. Returns false at the end of the header.
 * *rest is then the text after the header. */
bool mime_next_field(struct str *rest, struct mime_field *field);

struct mime_part {
	const char *type; /* "text/plain", without parameters; "": none; owned by the arena */
	char boundary[WIRE_BOUNDARY_MAX_BYTES + 1]; /* the boundary of a multipart; "": none */
	const char *encoding;			    /* "base64"; "": none; owned by the arena */
	struct str body;			    /* not decoded */
};

/* Reads a message, or a part of one. */
void mime_part_read(struct str text, struct arena *arena, struct mime_part *part);

/*
 * Moves the text before the next delimiter from *rest to *text. For the first call, set *rest to
 * the body of a multipart; *text is then the text before the first part. In each later call, *text
 * is the next part. Returns true if another part follows.
 */
bool mime_part_split(struct str *rest, const char *boundary, struct str *text);

/* Returns the body. If it is base64 or quoted-printable (RFC 2045 section 6), decodes it; the arena
 * then owns the text. */
struct str mime_part_decode(const struct mime_part *part, struct arena *arena);

#endif
