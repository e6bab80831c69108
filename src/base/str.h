/* Text as a pointer and a length, and checks for text from outside. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str {
	const char *data; /* borrowed; not necessarily NUL-terminated */
	size_t len;
};

#define STR(literal) ((struct str){ "" literal "", sizeof(literal) - 1 })

/* NULL gives the empty text. */
struct str str_from(const char *text);
bool str_eq(struct str a, struct str b);
/* Whether both texts are equal, or both are NULL. */
bool str_same(const char *a, const char *b);
/* For qsort() and bsearch() of an array of texts (const char *): by their bytes. */
int str_compare_texts(const void *a, const void *b);
/* The place of the text in an array that ends with NULL; -1: it is not there. */
int str_place(const char *const *texts, struct str text);
/* Ignores the case of ASCII letters. */
bool str_eq_nocase(struct str a, struct str b);
/* Changes ASCII letters only, in every locale. */
void str_to_lower(char *text);
bool str_starts(struct str text, struct str prefix);

/* The text without its first `count` bytes; empty if it is shorter. */
struct str str_skip(struct str text, size_t count);
/* The text without the byte order mark that some programs write in front of UTF-8. */
struct str str_skip_mark(struct str text);
/*
 * Removes the text up to the first `separator` from the front of *rest. False: nothing is left. A
 * text without a separator is one item.
 */
bool str_split(struct str *rest, char separator, struct str *item);

/* The text without blanks and tabs at both ends (optional white space, RFC 9110 section 5.6.3). */
struct str str_trim_ows(struct str text);
/* The text without Unicode white space at both ends, including zero-width space and byte order
 * mark. Invalid UTF-8 is kept. */
struct str str_trim(struct str text);

/* Returns the number of bytes of the UTF-8 character at `at`, in a text that ends with NUL. */
size_t str_char_len(const char *at);
/* Returns the text, cut between two characters to at most `most` bytes. */
struct str str_cut(struct str text, size_t most);

/* Whether the text is valid UTF-8 (RFC 3629: no surrogates, no overlong forms) without NUL. */
bool str_is_text(struct str text);
/* The number of code points in valid UTF-8. */
size_t str_chars(struct str text);

/*
 * Parses a decimal integer: an optional minus sign and digits, without leading zeros and blanks.
 * False: another text, or out of range; *value is unchanged.
 */
bool str_to_int64(struct str text, int64_t *value);

/* The value of a hexadecimal digit; -1: another character. */
int hex_digit(char c);

#endif
