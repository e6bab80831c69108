/*
 * Signed ids make addresses that nobody can guess, such as the address to which a system sends its
 * heartbeats. The form is "<id>-<signature>". The signature is 22 characters (132 bits) of an HMAC.
 * A signed id is checked without the database, and never expires.
 */
#ifndef ACCESS_SIGNED_ID_H
#define ACCESS_SIGNED_ID_H

#include "access/signing_key.h"

/* The kind of object that the id names. An id that was signed for one purpose is rejected for every
 * other purpose. */
enum signed_id_purpose {
	SIGNED_HEARTBEAT,  /* a monitor */
	SIGNED_SUBSCRIBER, /* a subscriber: the token confirms, changes and ends the subscription */
	SIGNED_CHALLENGE,  /* a subscriber; sent as a challenge that its webhook must return */
	SIGNED_BOUNCE,	   /* a delivery; part of the sender address of its mail */
};

/* Returns the signed id, owned by the arena. An id of SIGNED_BOUNCE has no capital letters, because
 * mail servers may change these. */
const char *signed_id_make(const struct signing_key *key, enum signed_id_purpose purpose,
			   int64_t id, struct arena *arena);
/* Reads the id of a token. Returns false if this installation did not make the token for this
 * purpose. Does not check whether the object still exists. */
bool signed_id_read(const struct signing_key *key, enum signed_id_purpose purpose, struct str token,
		    int64_t *id) MUST_USE;

#endif
