/* Host names of the domains that pages may have. */
#ifndef DOMAIN_DOMAIN_NAME_H
#define DOMAIN_DOMAIN_NAME_H

#include "base/arena.h"

/*
 * Returns the ASCII form (RFC 5891) of a host name, in lower case and without a final dot. The
 * arena owns it. NULL: `name` is an IP address, has no inner dot, is longer than 253 bytes in
 * ASCII, or has characters other than letters, digits and inner hyphens.
 */
const char *domain_name_ascii(struct arena *arena, const char *name);

#endif
