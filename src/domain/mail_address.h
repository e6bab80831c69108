/* Addresses of e-mail. */
#ifndef DOMAIN_MAIL_ADDRESS_H
#define DOMAIN_MAIL_ADDRESS_H

#include "base/arena.h"

enum { MAIL_ADDRESS_MAX_BYTES = 254 }; /* RFC 5321 section 4.5.3.1.3 */

/*
 * The address as servers take it, owned by the arena: the domain in its ASCII form (RFC 5891).
 * NULL if the text is not a dot-atom, "@" and a domain with a dot inside (RFC 5321 section 4.1.2).
 * A local part beyond ASCII is refused, since only some servers accept such an address (RFC 6531),
 * and a quoted one, since nobody has it.
 */
const char *mail_address_ascii(struct arena *arena, const char *text);

#endif
