/* The printable beginning of a text, for the cause of a failed check. */
#ifndef PROBE_EXCERPT_H
#define PROBE_EXCERPT_H

#include "base/str.h"

enum { EXCERPT_MAX_CHARS = 60 };

struct excerpt {
	char text[4 * EXCERPT_MAX_CHARS + 4]; /* ends in "..." if the text is longer */
};

void excerpt_make(struct excerpt *excerpt, struct str text);
/* Writes the first `max_chars` characters of the text, and "..." if the text is longer. Writes at
 * most `size` bytes, including the NUL. */
void excerpt_print(char *to, size_t size, struct str text, size_t max_chars);

#endif
