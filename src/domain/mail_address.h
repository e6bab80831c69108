/* Addresses of e-mail. */
#ifndef DOMAIN_MAIL_ADDRESS_H
#define DOMAIN_MAIL_ADDRESS_H

#include "base/arena.h"

enum { MAIL_ADDRESS_MAX_BYTES = 254 }; /* RFC 5321 section 4.5.3.1.3 */

/*
 * Returns the address in the form that mail servers accept, owned by the arena. The domain is in
 * ASCII (RFC 5891). Returns NULL if the text is not a dot-atom, "@" and a domain with a dot inside
 * (RFC 5321 section 4.1.2). A local part beyond ASCII is rejected, since only some servers accept
 * it (RFC 6531). A quoted local part is rejected, since nobody uses such an address.
 */
const char *mail_address_ascii(struct arena *arena, const char *text);

#endif
