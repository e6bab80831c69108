/* The Cookie header (RFC 6265 section 5.4). */
#ifndef WIRE_COOKIE_H
#define WIRE_COOKIE_H

#include <stdbool.h>

#include "base/str.h"

/*
 * Finds the next cookie with this name, and removes it and all cookies before it from *header.
 * Returns false if there is none. Call it in a loop, and try each value: a browser may send several
 * cookies with the name, for different paths and domains, in any order.
 */
bool cookie_next(struct str *header, struct str name, struct str *value);

#endif
