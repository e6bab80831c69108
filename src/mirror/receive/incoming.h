/*
 * The files that a mirror has received and that no page has yet. A file is named after the SHA-256
 * of its content.
 */
#ifndef MIRROR_RECEIVE_INCOMING_H
#define MIRROR_RECEIVE_INCOMING_H

#include "mirror/protocol_part.h"
#include "mirror/receive/receiver.h"

/*
 * Stores a part of a file. Returns E_INVALID if the part does not continue the file, or if the
 * complete file has another SHA-256.
 */
enum result incoming_add(const struct receiver *receiver, const struct protocol_part *part,
			 struct error *error) MUST_USE;
bool incoming_has(const struct receiver *receiver, const uint8_t *sha256, size_t size);
/* Opens the file for reading. Returns -1 if the file does not exist. */
int incoming_open(const struct receiver *receiver, const uint8_t *sha256);
/* Moves a file from another folder to the received files, because it will be needed again. Does
 * nothing if the file does not exist. */
enum result incoming_take(const struct receiver *receiver, const uint8_t *sha256, int from_fd,
			  const char *name, struct error *error) MUST_USE;
/* incoming_keep() removes the oldest files until these bounds hold. Call it before files are added,
 * so that it keeps the files that the origin has just sent. */
struct incoming_bounds {
	size_t files;
	int64_t bytes;
};
extern const struct incoming_bounds incoming_bounds;
enum result incoming_keep(const struct receiver *receiver, const struct incoming_bounds *bounds,
			  struct error *error) MUST_USE;
void incoming_forget(const struct receiver *receiver, const uint8_t *sha256);

#endif
