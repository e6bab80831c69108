/* Short texts that name things: trimmed, and of 1 to so many characters. */
#ifndef DOMAIN_SHORT_TEXT_H
#define DOMAIN_SHORT_TEXT_H

#include "base/arena.h"

/* The text without white space at either end; NULL: it is empty, too long, or not UTF-8. */
const char *short_text(struct arena *arena, const char *text, size_t max_chars);

#endif
