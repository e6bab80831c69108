/*
 * Hashes the pairs of a body, and passes them on to another sink. Equal bodies have equal hashes,
 * also multipart bodies that differ only in their boundaries.
 */
#ifndef WIRE_FINGERPRINT_H
#define WIRE_FINGERPRINT_H

#include "base/secret.h"
#include "wire/pairs.h"

struct fingerprint {
	struct pair_sink sink; /* the decoder sends its pairs to this sink */
	struct pair_sink *next;
	struct secret_digest pairs;
};

void fingerprint_init(struct fingerprint *fingerprint, struct pair_sink *next);
/* Writes the hash of all pairs, in their order. Call it once, after the last pair. */
void fingerprint_end(struct fingerprint *fingerprint, uint8_t hash[SECRET_HASH_BYTES]);

#endif
