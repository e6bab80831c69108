/* A part of a file, as in mirror/protocol.h: a line that describes the part, and its bytes. */
#ifndef MIRROR_PROTOCOL_PART_H
#define MIRROR_PROTOCOL_PART_H

#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/secret.h"
#include "base/str.h"

struct protocol_part {
	uint8_t sha256[SECRET_HASH_BYTES]; /* of the whole file */
	size_t size;			   /* of the whole file */
	size_t offset;
	struct str data; /* borrowed from the body */
};

/* Appends a part. */
void protocol_part_print(struct buf *out, const struct protocol_part *part, struct arena *arena);
/* The most bytes that protocol_part_print() adds to the data. */
enum { PROTOCOL_PART_HEAD_MAX_BYTES = 64 + 3 * 21 + 1 };
/*
 * Removes the next part from the front of *rest. Returns E_NOT_FOUND if *rest is empty. Returns
 * E_INVALID if *rest does not begin with a complete part, if the part does not lie within its file,
 * or if the file is larger than PROTOCOL_FILE_MAX.
 */
enum result protocol_part_next(struct str *rest, struct protocol_part *part, struct error *error)
	MUST_USE;

#endif
