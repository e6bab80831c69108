/*
 * The identity of an origin towards a mirror, which keeps two origins from feeding one mirror in
 * turns: an id that the origin has made on its disk, and a step. See mirror/protocol.h.
 *
 * An origin makes a step at most every ten seconds, when the mirror has accepted the last step. So
 * a copy of its disk falls behind. If two copies start at the same step, the first to make the next
 * step wins, since steps have tokens. An origin repeats a step if it has not seen the response, or
 * was killed. It may also leave out steps, since a mirror may have lost the last ones.
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
	char token[SECRET_ID_SIZE]; /* of the step */
};

enum { ORIGIN_MARK_SIZE = 2 * SECRET_ID_SIZE + 24 };

/* "<id> <step> <token>" */
void origin_mark_print(const struct origin_mark *mark, char text[ORIGIN_MARK_SIZE]);
/* Removes the three words of a mark from the front of *text. False: the text does not begin with a
 * mark. */
bool origin_mark_take(struct str *text, struct origin_mark *mark);
bool origin_mark_is_same(const struct origin_mark *a, const struct origin_mark *b);
/* Whether a mirror that has accepted `last` accepts `next`. */
bool origin_mark_follows(const struct origin_mark *last, const struct origin_mark *next);

/*
 * Returns the digest of the bodies of manifests that the mirror has put in place, with one more
 * body: in hexadecimal, owned by the arena. The first digest is 64 zeros. Both sides keep it: if
 * the mirror's digest differs, somebody else has changed the mirror.
 */
const char *origin_digest_add(struct arena *arena, const char *digest, const uint8_t *body_sha256);

/* The text for operators when the mirror follows another origin. */
#define ORIGIN_REFUSED_TEXT "another origin feeds this mirror"

#endif
