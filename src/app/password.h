/*
 * Hashes and compares page passwords. Limits how many are hashed at once, so that other
 * requests are still served.
 */
#ifndef APP_PASSWORD_H
#define APP_PASSWORD_H

#include "app/exchange.h"

/* Both: E_BUSY, with a text for the client, when too many want to be hashed. */
enum result password_hash(struct exchange *exchange, const char *password, const char **hash)
	MUST_USE;
enum result password_matches(struct exchange *exchange, const char *hash, const char *password,
			     bool *is_right) MUST_USE;

#endif
