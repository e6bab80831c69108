/* The beginning of a text from outside, for a cause: printable, and short. */
#ifndef PROBE_EXCERPT_H
#define PROBE_EXCERPT_H

#include "base/str.h"

enum { EXCERPT_MAX_CHARS = 60 };

struct excerpt {
	char text[4 * EXCERPT_MAX_CHARS + 4]; /* ends in "..." if the text is longer */
};

/* At most max_chars characters, which are at most EXCERPT_MAX_CHARS. */
void excerpt_make(struct excerpt *excerpt, struct str text, size_t max_chars);

#endif
