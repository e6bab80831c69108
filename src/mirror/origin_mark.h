/*
 * A mark identifies an origin to a mirror, so that two origins do not send to one mirror in turns.
 * A mark has an id, which the origin has created on its disk, and a step, which is a counter with a
 * random token. See mirror/protocol.h.
 *
 * An origin raises the counter at most every ten seconds, after the mirror has accepted the last
 * value. So a copy of the origin's disk falls behind. If two copies start at the same value, the
 * first to raise the counter wins, because the tokens differ. An origin repeats a value if it has
 * not seen the response, or if it was killed. A mirror may have lost the newest values, so it
 * accepts any higher value than the one that it has stored.
 */
#ifndef MIRROR_ORIGIN_MARK_H
#define MIRROR_ORIGIN_MARK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/secret.h"
#include "base/str.h"

struct origin_mark {
	char id[SECRET_ID_SIZE]; /* "": none */
	int64_t step;
	char token[SECRET_ID_SIZE]; /* random, for each step */
};

enum { ORIGIN_MARK_SIZE = 2 * SECRET_ID_SIZE + 24 };

/* Prints "<id> <step> <token>". */
void origin_mark_print(const struct origin_mark *mark, char text[ORIGIN_MARK_SIZE]);
/* Removes the three words of a mark from the front of *text. Returns false if the text does not
 * begin with a mark. */
bool origin_mark_take(struct str *text, struct origin_mark *mark);
bool origin_mark_is_same(const struct origin_mark *a, const struct origin_mark *b);
/* Whether a mirror that has accepted `last` accepts `next`. */
bool origin_mark_follows(const struct origin_mark *last, const struct origin_mark *next);

/*
 * Returns the next digest: the digest of `digest` and of a body of manifests whose pages are in
 * place. It is in hexadecimal and owned by the arena. The first digest is 64 zeros. Origin and
 * mirror both compute the digest. If the mirror's digest differs, another origin has changed the
 * mirror.
 */
const char *origin_digest_add(struct arena *arena, const char *digest, const uint8_t *body_sha256);

/* The text for operators when the mirror follows another origin. */
#define ORIGIN_REFUSED_TEXT "another origin feeds this mirror"

#endif
