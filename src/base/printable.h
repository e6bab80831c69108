/*
 * Makes text from outside safe to display. All text for a terminal or the log is escaped here.
 * These characters are escaped:
 *   - control characters (C0, DEL and C1, ECMA-48), which can control a terminal
 *   - the line separators U+2028 and U+2029
 *   - characters that reorder text (UAX #9: U+202A to U+202E, U+2066 to U+2069)
 *   - bytes that are not UTF-8
 *
 * An escape is "\u001b", as in JSON, or "\x9b" for an invalid byte.
 */
#ifndef BASE_PRINTABLE_H
#define BASE_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/str.h"

enum { PRINTABLE_SIZE = 8 };

/*
 * Writes the first character of `text` to `out`, escaped if necessary, with a NUL. `text` must not
 * be empty. Returns the length of the character in `text`, in bytes.
 */
size_t printable_first(struct str text, char out[PRINTABLE_SIZE]);

/* Returns whether all characters of the text are visible. A character that needs an escape is not
 * visible, and neither is a character without width, such as U+200B. */
bool printable_is_visible(const char *text);

/* Returns the escaped text, owned by the arena. */
const char *printable_text(struct arena *arena, const char *text);
/* Writes the escaped text. Newlines are escaped as well. */
void printable_write(FILE *out, struct str text);
/* Like printable_write(), but does not escape newlines: for output such as JSON. */
void printable_write_lines(FILE *out, struct str text);

#endif
