/* Host names of the domains that pages may have. */
#ifndef DOMAIN_DOMAIN_NAME_H
#define DOMAIN_DOMAIN_NAME_H

#include "base/arena.h"

/*
 * Returns the ASCII form (RFC 5891) of a host name, in lower case and without a final dot, owned by
 * the arena. Returns NULL for an IP address, for a name without a dot inside, for a name of more
 * than 253 bytes in ASCII, and for a name with characters other than letters, digits and inner
 * hyphens.
 */
const char *domain_name_ascii(struct arena *arena, const char *name);

#endif
