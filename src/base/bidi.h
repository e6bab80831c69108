/*
 * Makes names safe in the middle of other text: characters of a name that set the direction of text
 * (UAX #9) must not reorder the text beside the name. Text is valid UTF-8, owned by the arena.
 */
#ifndef BASE_BIDI_H
#define BASE_BIDI_H

#include "base/arena.h"

/*
 * Returns the name in a form that is safe inside <bdi>, which isolates its text. Adds, at the end,
 * a closing character for each embedding, override or isolate that the name opens (U+202A to
 * U+202E, U+2066 to U+2068). Leaves out a closing character without an opening character.
 */
const char *bidi_closed(const char *name, struct arena *arena);
/*
 * Returns the name for the middle of a sentence: closed as by bidi_closed(), between U+2068 and
 * U+2069. A name with no right-to-left characters and no characters that set a direction stays
 * unchanged, because it cannot reorder words that are written from left to right.
 */
const char *bidi_isolated(const char *name, struct arena *arena);

#endif
