/* Host names of the domains that pages may have. */
#ifndef DOMAIN_DOMAIN_NAME_H
#define DOMAIN_DOMAIN_NAME_H

#include "base/arena.h"

/*
 * Returns the ASCII form (RFC 5891) of a host name, in lower case and without a final dot, owned by
 * the arena. Returns NULL if the text has no dot inside, is an IP address, or has more than 253
 * bytes, or if a label has other characters than letters, digits and inner hyphens.
 */
const char *domain_name_ascii(struct arena *arena, const char *name);

#endif
