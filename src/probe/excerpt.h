/* The short, printable beginning of a text from outside, for the cause of a failed check. */
#ifndef PROBE_EXCERPT_H
#define PROBE_EXCERPT_H

#include "base/str.h"

enum { EXCERPT_MAX_CHARS = 60 };

struct excerpt {
	char text[4 * EXCERPT_MAX_CHARS + 4]; /* ends in "..." if the text is longer */
};

void excerpt_make(struct excerpt *excerpt, struct str text);
/*
 * Prints an excerpt of at most `max_chars` characters before the dots, and less than `size` bytes.
 */
void excerpt_print(char *to, size_t size, struct str text, size_t max_chars);

#endif
