/* Host names of the domains that pages may have. */
#ifndef DOMAIN_DOMAIN_NAME_H
#define DOMAIN_DOMAIN_NAME_H

#include "base/arena.h"

/*
 * The ASCII form (RFC 5891) of a host name, in lower case and without a
 * final dot; NULL when it is none: no dot inside, an IP address, a label of
 * other than letters, digits and inner hyphens, more than 253 bytes. Owned by
 * the arena.
 */
const char *domain_name_ascii(struct arena *arena, const char *name);

#endif
