/*
 * Names that people give, between words of others: characters of a name that set the direction of
 * text (UAX #9) must not reorder what stands beside it. Text is valid UTF-8, owned by the arena.
 */
#ifndef BASE_BIDI_H
#define BASE_BIDI_H

#include "base/arena.h"

/*
 * For an element of its own that isolates, such as <bdi>: what the name opens (U+202A to U+202E,
 * U+2066 to U+2068) is closed at its end, and what it closes without having opened it is left out.
 */
const char *bidi_closed(const char *name, struct arena *arena);
/*
 * For the middle of a sentence: the same between U+2068 and U+2069. A name without a character that
 * is written from right to left, or that sets a direction, stays as it is: it has no effect on the
 * words of a language that is written from left to right.
 */
const char *bidi_isolated(const char *name, struct arena *arena);

#endif
