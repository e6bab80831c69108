/*
 * A sink that stands before another and keeps what passes, so that two bodies can
 * be told to say the same: of two multipart bodies, whose boundaries differ at
 * every try, it makes the same text, wherever the decoder has split them.
 */
#ifndef WIRE_FINGERPRINT_H
#define WIRE_FINGERPRINT_H

#include "base/buf.h"
#include "wire/pairs.h"

struct fingerprint {
	struct pair_sink sink; /* what the decoder is given */
	struct pair_sink *next;
	struct buf text;
	size_t value_at; /* where the value at hand begins in it */
};

/* What passes may have max_bytes in all: see buf_ok() of its text. Free that with buf_done(). */
void fingerprint_init(struct fingerprint *fingerprint, struct pair_sink *next, size_t max_bytes);

#endif
