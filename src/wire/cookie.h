/* The Cookie header (RFC 6265 section 5.4). */
#ifndef WIRE_COOKIE_H
#define WIRE_COOKIE_H

#include <stdbool.h>

#include "base/str.h"

/*
 * Removes the next cookie with this name from the front of *header. False: none is left. A browser
 * sends every cookie of the name, for each path and domain, in an order that does not tell which is
 * current.
 */
bool cookie_next(struct str *header, struct str name, struct str *value);

#endif
