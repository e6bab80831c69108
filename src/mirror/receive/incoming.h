/*
 * Files that a mirror has received, by the SHA-256 of their content, and that are not in a page
 * yet.
 */
#ifndef MIRROR_RECEIVE_INCOMING_H
#define MIRROR_RECEIVE_INCOMING_H

#include "mirror/protocol_part.h"
#include "mirror/receive/receiver.h"

/*
 * Stores a part. E_INVALID: the part does not continue the file, or the complete file has another
 * content.
 */
enum result incoming_add(const struct receiver *receiver, const struct protocol_part *part,
			 struct error *error) MUST_USE;
bool incoming_has(const struct receiver *receiver, const uint8_t *sha256, size_t size);
/* Opens the file for reading; -1: the file does not exist. */
int incoming_open(const struct receiver *receiver, const uint8_t *sha256);
/* Takes over a file from another folder because it will be needed again. */
enum result incoming_take(const struct receiver *receiver, const uint8_t *sha256, int from_fd,
			  const char *name, struct error *error) MUST_USE;
/* Removes the oldest files until the bounds hold. Call it before files are added, so that the
 * files that the origin has just sent stay. */
struct incoming_bounds {
	size_t files;
	int64_t bytes;
};
extern const struct incoming_bounds incoming_bounds;
enum result incoming_keep(const struct receiver *receiver, const struct incoming_bounds *bounds,
			  struct error *error) MUST_USE;
void incoming_forget(const struct receiver *receiver, const uint8_t *sha256);

#endif
