/*
 * Hashes and compares passwords of pages and of users. Limits how many passwords are hashed at the
 * same time, so that the process can still serve other requests. Both functions return E_BUSY if
 * too many passwords wait (with a text for the client), or if there is no memory (without a text).
 */
#ifndef SERVICE_PASSWORDS_H
#define SERVICE_PASSWORDS_H

#include "service/service.h"

enum result service_hash_password(struct service *service, const char *password, const char **hash)
	MUST_USE;
enum result service_password_matches(struct service *service, const char *hash,
				     const char *password, bool *is_right) MUST_USE;

#endif
