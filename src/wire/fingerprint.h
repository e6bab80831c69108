/*
 * Hashes pairs on their way to another sink, so that two equal bodies can be detected. Multipart
 * bodies with different boundaries give the same hash.
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
