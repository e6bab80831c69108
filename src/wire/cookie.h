/* The Cookie header (RFC 6265 5.4). */
#ifndef WIRE_COOKIE_H
#define WIRE_COOKIE_H

#include <stdbool.h>

#include "base/str.h"

/* The value of the first cookie of that name; false when there is none. `header` may be NULL. */
bool cookie_find(const char *header, struct str name, struct str *value);

#endif
