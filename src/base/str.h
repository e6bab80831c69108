/* Text as a pointer and a length, and the questions asked of text from outside. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str {
	const char *data; /* borrowed; need not be NUL-terminated */
	size_t len;
};

#define STR(literal) ((struct str){ "" literal "", sizeof(literal) - 1 })

/* `text` may be NULL, which is the empty text. */
struct str str_from(const char *text);
bool str_eq(struct str a, struct str b);
/* Letter case of ASCII letters is ignored. */
bool str_eq_nocase(struct str a, struct str b);
bool str_starts(struct str text, struct str prefix);

/* Without the first `count` bytes (all of it when it is shorter). */
struct str str_skip(struct str text, size_t count);
/*
 * Takes the text before the first `separator` off the front of `*rest`.
 * Returns false when nothing is left; a text without separator is one item.
 */
bool str_split(struct str *rest, char separator, struct str *item);

/* Without ASCII blanks and tabs at either end (the optional white space of RFC 9110 5.6.3). */
struct str str_trim_ows(struct str text);
/* Without white space at either end as Unicode has it, zero-width space and BOM included.
 * Bytes that are not UTF-8 are kept. */
struct str str_trim(struct str text);

/* Well-formed UTF-8 (RFC 3629: no surrogates, no overlong forms) without NUL. */
bool str_is_text(struct str text);
/* The number of code points of well-formed UTF-8. */
size_t str_chars(struct str text);

/*
 * A decimal integer: an optional minus sign and digits, no leading zeros, no
 * blanks. False when it is something else or does not fit; then *value is
 * untouched.
 */
bool str_to_int64(struct str text, int64_t *value);

/* The value of a hexadecimal digit, or -1. */
int hex_digit(char c);

#endif
