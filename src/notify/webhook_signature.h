/*
 * The signatures of webhooks (Standard Webhooks 1.0.2). They sign the text "id.timestamp.body".
 * They are an HMAC with each secret of the receiver, and an ed25519 signature with the key pair of
 * the installation. The pair is derived from the installation's signing key, so a backup of this
 * key includes the pair.
 */
#ifndef NOTIFY_WEBHOOK_SIGNATURE_H
#define NOTIFY_WEBHOOK_SIGNATURE_H

#include "access/signing_key.h"
#include "base/clock.h"

enum { WEBHOOK_SECRETS_MAX = 2 }; /* the present secret, and the former secret for a time */

/* A request to a webhook. */
struct webhook_message {
	const char *id;	   /* the same for each attempt; without a dot */
	struct instant at; /* the time of the attempt */
	struct str body;
};

/*
 * Returns the value of the header webhook-signature: "v1,HMAC" for each secret, the newest first,
 * then "v1a,SIGNATURE", with blanks between. A secret is "whsec_" and base64; NULL: no secret. A
 * secret of another form is left out. Owned by the arena.
 */
const char *webhook_signature(const struct webhook_message *message,
			      const char *const secrets[WEBHOOK_SECRETS_MAX],
			      const struct signing_key *key, struct arena *arena);

/* Returns the public key with which receivers verify "v1a": "whpk_" and base64. Owned by the
 * arena. */
const char *webhook_public_key(const struct signing_key *key, struct arena *arena);

#endif
