/*
 * Makes names safe in the middle of other text: characters of a name that set the direction of text
 * (UAX #9) must not reorder the text beside the name. Text is valid UTF-8, owned by the arena.
 */
#ifndef BASE_BIDI_H
#define BASE_BIDI_H

#include "base/arena.h"

/*
 * Returns the name for an HTML element that isolates it, such as <bdi>. At the end of the name,
 * closes each embedding, override or isolate that the name opens (U+202A to U+202E, U+2066 to
 * U+2068). Leaves out a closing character without an opening one.
 */
const char *bidi_closed(const char *name, struct arena *arena);
/*
 * For the middle of a sentence: like bidi_closed(), and encloses the name in U+2068 and U+2069. A
 * name without right-to-left characters and without characters that set a direction stays
 * unchanged: it has no effect on words that are written from left to right.
 */
const char *bidi_isolated(const char *name, struct arena *arena);

#endif
