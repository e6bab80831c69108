/*
 * Hashes and compares page passwords. Limits how many passwords are hashed at once, so that other
 * requests are still served. Both functions return E_BUSY, with a text for the client if too many
 * passwords wait, and without a text if there is no memory.
 */
#ifndef SERVICE_PASSWORDS_H
#define SERVICE_PASSWORDS_H

#include "service/service.h"

enum result service_hash_password(struct service *service, const char *password, const char **hash)
	MUST_USE;
enum result service_password_matches(struct service *service, const char *hash,
				     const char *password, bool *is_right) MUST_USE;

#endif
