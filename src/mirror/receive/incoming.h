/* Files that a mirror has received, by the SHA-256 of their content, and that no page has yet. */
#ifndef MIRROR_RECEIVE_INCOMING_H
#define MIRROR_RECEIVE_INCOMING_H

#include "mirror/protocol_part.h"
#include "mirror/receive/receiver.h"

/* A file by its content. */
struct incoming_file {
	uint8_t sha256[SECRET_HASH_BYTES];
	size_t size;
};

/* Stores a part. E_INVALID: it does not continue the file, or the file is complete and another. */
enum result incoming_add(const struct receiver *receiver, const struct protocol_part *part,
			 struct error *error) MUST_USE;
bool incoming_has(const struct receiver *receiver, const struct incoming_file *file);
/* Opens the file for reading; -1: it is not there. */
int incoming_open(const struct receiver *receiver, const struct incoming_file *file);
/* Takes over a file of another folder, which is still wanted. */
enum result incoming_take(const struct receiver *receiver, const struct incoming_file *file,
			  int from_fd, const char *name, struct error *error) MUST_USE;
/* Forgets the oldest files until there are at most so many, of so many bytes. Call it before files
 * are added: those that the origin has just sent stay. */
struct incoming_bounds {
	size_t files;
	int64_t bytes;
};
extern const struct incoming_bounds incoming_bounds;
enum result incoming_keep(const struct receiver *receiver, const struct incoming_bounds *bounds,
			  struct error *error) MUST_USE;
void incoming_forget(const struct receiver *receiver, const struct incoming_file *file);

#endif
