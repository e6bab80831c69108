/*
 * Text from outside, made safe to show: every text that reaches a terminal or
 * the log passes through here.
 *
 * Escaped are the control characters C0, DEL and C1 (ECMA-48), which move a cursor
 * or run a terminal's commands; the line separators U+2028 and U+2029; the
 * characters that reorder what is shown (UAX #9: U+202A to U+202E, U+2066 to U+2069);
 * and bytes that are not UTF-8. An escape is "\u001b", as in JSON, or "\x9b" for a
 * stray byte.
 */
#ifndef BASE_PRINTABLE_H
#define BASE_PRINTABLE_H

#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/str.h"

enum { PRINTABLE_SIZE = 8 };

/*
 * Writes the first character of `text`, which must not be empty, to `out` as it is or
 * escaped, with a NUL. Returns how many bytes of `text` the character takes.
 */
size_t printable_first(struct str text, char out[PRINTABLE_SIZE]);

/* The whole text, owned by the arena. */
const char *printable_text(struct arena *arena, const char *text);
/* Writes the text; newlines of the text are escaped, too. */
void printable_write(FILE *out, struct str text);
/* Writes the text, and keeps its newlines: for output of several lines, such as JSON. */
void printable_write_lines(FILE *out, struct str text);

#endif
