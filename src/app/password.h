/*
 * Passwords of pages, hashed and compared: so many at once that other requests are served
 * meanwhile.
 */
#ifndef APP_PASSWORD_H
#define APP_PASSWORD_H

#include "app/exchange.h"

/* Both: E_UNAVAILABLE, with a text for the client, when too many want to be hashed. */
enum result password_hash(struct exchange *exchange, const char *password, const char **hash)
	MUST_USE;
enum result password_matches(struct exchange *exchange, const char *hash, const char *password,
			     bool *is_right) MUST_USE;

#endif
