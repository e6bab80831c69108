/* vsnprintf() for the simple formats that most texts are made of, in a fraction of the time; and
 * percentages. */
#ifndef BASE_FORMAT_H
#define BASE_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/field.h"

/*
 * The same contract as vsnprintf() in the locale C: never writes more than `room` bytes with the
 * NUL, and returns the length of the whole text, or a negative number. Conversions besides %d, %u,
 * %zu, %ld, %lld, %lu, %llu (these with a width and zeros in front, if any), %s, %.Ns, %.*s, %c and
 * %% are left to vsnprintf().
 */
int format_text(char *to, size_t room, const char *format, va_list args) PRINTF_LIKE(3, 0);

/* "99.98", or "null" if it is not known. Returns `text`. */
enum { PERCENT_TEXT_SIZE = 16 };
const char *percent_format(const struct percent *percent, char text[PERCENT_TEXT_SIZE]);

#endif
