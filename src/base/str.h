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

/* Returns the text with its length; for NULL the empty text. */
struct str str_from(const char *text);
bool str_eq(struct str a, struct str b);
/* Whether both texts are equal, or both are NULL. */
bool str_same(const char *a, const char *b);
/* Compares two elements of an array of texts (const char *) by their bytes, for qsort() and
 * bsearch(). */
int str_compare_texts(const void *a, const void *b);
/* Returns the index of the text in an array that ends with NULL; -1 if it is not there. */
int str_place(const char *const *texts, struct str text);
/* Whether both texts are equal if the case of ASCII letters is ignored. */
bool str_eq_nocase(struct str a, struct str b);
/* Changes ASCII letters to lower case, in the same way in every locale. */
void str_to_lower(char *text);
bool str_starts(struct str text, struct str prefix);

/* Returns the text without its first `count` bytes, or the empty text if it is shorter. */
struct str str_skip(struct str text, size_t count);
/* Returns the text without the byte order mark that some programs write in front of UTF-8. */
struct str str_skip_mark(struct str text);
/*
 * Splits *rest at the first `separator`: sets *item to the text before it, and *rest to the text
 * after it. Without a separator, the whole *rest is the last item. Returns false after the last
 * item.
 */
bool str_split(struct str *rest, char separator, struct str *item);

/* Returns the text without blanks and tabs at both ends (optional white space, RFC 9110 section
 * 5.6.3). */
struct str str_trim_ows(struct str text);
/* Returns the text without Unicode white space at both ends, including zero-width space and byte
 * order mark. Keeps invalid UTF-8. */
struct str str_trim(struct str text);

/* Returns the number of bytes of the UTF-8 character at `at`, in a text that ends with NUL. */
size_t str_char_len(const char *at);
/* Returns at most the first `most` bytes of the text. Does not split a UTF-8 character. */
struct str str_cut(struct str text, size_t most);

/* Whether the text is valid UTF-8 (RFC 3629: no surrogates, no overlong forms) without NUL. */
bool str_is_text(struct str text);
/* Returns the number of code points in valid UTF-8. */
size_t str_chars(struct str text);

/*
 * Parses a decimal integer: an optional minus sign and digits, without blanks or leading zeros.
 * Returns false, and leaves *value unchanged, if the text is not a number or is out of range.
 */
bool str_to_int64(struct str text, int64_t *value);

/* Returns the value of a hexadecimal digit, or -1 for another character. */
int hex_digit(char c);

#endif
