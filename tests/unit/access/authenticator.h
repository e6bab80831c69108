/* An authenticator and a browser, for tests of passkeys: their texts, right or with a fault. */
#ifndef UNIT_ACCESS_AUTHENTICATOR_H
#define UNIT_ACCESS_AUTHENTICATOR_H

#include <openssl/evp.h>

#include "access/passkey.h"

/* What the browser and the authenticator put into their texts. */
struct ceremony {
	EVP_PKEY *key;
	const char *type; /* NULL: the right one, as in the next two */
	const char *origin;
	const char *challenge;
	const char *client; /* the whole client data; NULL: of the members above */
	const char *rp_id;  /* NULL: that of the origin of the claim */
	int flags;	    /* 0: the right ones */
	uint32_t counter;
	int id_len;	 /* 0: 16 */
	int other_id;	 /* the browser names another id than the authenticator data */
	size_t data_len; /* of the authenticator data; 0: all */
	int is_unsigned; /* the signature is one of another text */
};

EVP_PKEY *authenticator_key(const char *curve);
/* The text of a new passkey, or of a signature, that the claim accepts if the ceremony has no
 * fault. Challenges are made at claim->now. */
const char *authenticator_create(const struct passkey_claim *claim,
				 const struct ceremony *ceremony);
const char *authenticator_sign(const struct passkey_claim *claim, const struct ceremony *ceremony);
/* The bytes in base64url. */
const char *authenticator_base64url(const void *data, size_t len, struct arena *arena);

#endif
