/*
 * The token in the address by which a system reports its heartbeats: "<id>-<signature>", the id of
 * the monitor and 22 characters (132 bits) of an HMAC. It is checked without the database.
 */
#ifndef ACCESS_HEARTBEAT_TOKEN_H
#define ACCESS_HEARTBEAT_TOKEN_H

#include "access/signing_key.h"

/* Owned by the arena. */
const char *heartbeat_token_make(const struct signing_key *key, int64_t monitor_id,
				 struct arena *arena);
/* False: no token of this installation. The monitor may have another type, or be deleted. */
bool heartbeat_token_read(const struct signing_key *key, struct str token, int64_t *monitor_id)
	MUST_USE;

#endif
