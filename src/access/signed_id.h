/*
 * Ids in addresses that nobody can guess, such as the address by which a system reports its
 * heartbeats: "<id>-<signature>", with 22 characters (132 bits) of an HMAC. They are checked
 * without the database, and never expire.
 */
#ifndef ACCESS_SIGNED_ID_H
#define ACCESS_SIGNED_ID_H

#include "access/signing_key.h"

/* What the id is of. An id that was signed for one purpose is refused for the others. */
enum signed_id_purpose {
	SIGNED_HEARTBEAT,  /* a monitor */
	SIGNED_SUBSCRIBER, /* a subscriber: the token confirms, changes and ends the subscription */
	SIGNED_CHALLENGE,  /* a subscriber whose webhook returns it */
	SIGNED_BOUNCE,	   /* a delivery, in the sender's address of its mail */
};

/* Owned by the arena. Only SIGNED_BOUNCE has no capital letters: mail servers change them. */
const char *signed_id_make(const struct signing_key *key, enum signed_id_purpose purpose,
			   int64_t id, struct arena *arena);
/* False: no token of this installation and purpose. The object may be deleted. */
bool signed_id_read(const struct signing_key *key, enum signed_id_purpose purpose, struct str token,
		    int64_t *id) MUST_USE;

#endif
