/*
 * The signatures of webhooks (Standard Webhooks 1.0.2). Each signs the text "id.timestamp.body".
 * There is an HMAC for each secret of the receiver, and an ed25519 signature with the key pair of
 * the installation. The key pair is derived from the installation's signing key, so a backup of the
 * signing key is sufficient.
 */
#ifndef NOTIFY_WEBHOOK_SIGNATURE_H
#define NOTIFY_WEBHOOK_SIGNATURE_H

#include "access/signing_key.h"
#include "base/clock.h"

enum { WEBHOOK_SECRETS_MAX = 2 }; /* the present secret, and for some time the former secret */

/* A request to a webhook. */
struct webhook_message {
	const char *id;	   /* without a dot; all attempts of a message have the same id */
	struct instant at; /* the time of the attempt */
	struct str body;
};

/*
 * Returns the value of the header webhook-signature: "v1,HMAC" for each secret, then
 * "v1a,SIGNATURE", separated by blanks. `secrets` begins with the newest secret. A valid secret is
 * "whsec_" and base64. NULL and invalid secrets are omitted. Owned by the arena.
 */
const char *webhook_signature(const struct webhook_message *message,
			      const char *const secrets[WEBHOOK_SECRETS_MAX],
			      const struct signing_key *key, struct arena *arena);

/* Returns the public key with which receivers verify "v1a": "whpk_" and base64. Owned by the
 * arena. */
const char *webhook_public_key(const struct signing_key *key, struct arena *arena);

#endif
