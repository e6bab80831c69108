/* The Cookie header (RFC 6265 5.4). */
#ifndef WIRE_COOKIE_H
#define WIRE_COOKIE_H

#include <stdbool.h>

#include "base/str.h"

/*
 * Takes the next cookie of that name off the front of `*header`; false when there is none
 * left. A browser sends one for each path and domain that has set it, and which comes first
 * says nothing of which is the right one.
 */
bool cookie_next(struct str *header, struct str name, struct str *value);

#endif
