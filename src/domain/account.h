/* The rules of an account's fields. */
#ifndef DOMAIN_ACCOUNT_H
#define DOMAIN_ACCOUNT_H

#include "base/arena.h"

enum { ACCOUNT_NAME_MAX_CHARS = 255 };

/*
 * The name in its stored form; NULL: it has not 1 to ACCOUNT_NAME_MAX_CHARS characters, or is a
 * number, which commands take for an id.
 */
const char *account_name(struct arena *arena, const char *text);

#endif
