/*
 * A sink that stands before another and hashes what passes, so that two bodies can be told
 * to say the same: of two multipart bodies, whose boundaries differ at every try, it makes
 * the same hash, wherever the decoder has split them. It keeps nothing of the values.
 */
#ifndef WIRE_FINGERPRINT_H
#define WIRE_FINGERPRINT_H

#include "base/secret.h"
#include "wire/pairs.h"

struct fingerprint {
	struct pair_sink sink; /* what the decoder is given */
	struct pair_sink *next;
	struct secret_digest pairs;
	struct secret_digest value; /* of the pair at hand */
};

void fingerprint_init(struct fingerprint *fingerprint, struct pair_sink *next);
/* Of all pairs in their order. Once, at the end. */
void fingerprint_end(struct fingerprint *fingerprint, uint8_t hash[SECRET_HASH_BYTES]);

#endif
