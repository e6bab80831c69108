/* The Cookie header (RFC 6265 section 5.4). */
#ifndef WIRE_COOKIE_H
#define WIRE_COOKIE_H

#include <stdbool.h>

#include "base/str.h"

/*
 * Removes the next cookie with this name from the front of *header. False: the header has no more.
 * A browser sends every cookie with the name, for each path and domain, in an order that does not
 * tell which one is current.
 */
bool cookie_next(struct str *header, struct str name, struct str *value);

#endif
