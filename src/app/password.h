/* A visitor's password for a page: see service/passwords.h. */
#ifndef APP_PASSWORD_H
#define APP_PASSWORD_H

#include "app/exchange.h"
#include "service/passwords.h"

/* E_BUSY, with a text for the visitor, when too many want to be hashed. */
static inline enum result password_matches(struct exchange *exchange, const char *hash,
					   const char *password, bool *is_right)
{
	return service_password_matches(&exchange->service, hash, password, is_right);
}

#endif
