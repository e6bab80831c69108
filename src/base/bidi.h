/*
 * Makes names safe inside other text. A name may have characters that set the direction of text
 * (UAX #9), which could reorder the text beside the name. Results are UTF-8; the arena owns them.
 */
#ifndef BASE_BIDI_H
#define BASE_BIDI_H

#include "base/arena.h"

/*
 * Returns the name in a form that is safe inside <bdi>, which isolates its text. Adds a closing
 * character at the end for each embedding, override or isolate that the name leaves open (U+202A to
 * U+202E, U+2066 to U+2068). Omits closing characters that close nothing.
 */
const char *bidi_closed(const char *name, struct arena *arena);
/*
 * Returns the name for the middle of a sentence: the result of bidi_closed() between U+2068 and
 * U+2069. Returns the name itself if it has no right-to-left characters, and no characters that set
 * a direction: such a name cannot reorder words that are written from left to right.
 */
const char *bidi_isolated(const char *name, struct arena *arena);

#endif
