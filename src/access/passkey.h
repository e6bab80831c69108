/*
 * Passkeys (W3C Web Authentication, level 2): ECDSA on P-256 with SHA-256. The console's script
 * sends the browser's result as four parts in base64url, separated by dots: client data,
 * authenticator data, public key (of a new passkey) or signature, and credential id.
 *
 * Challenges are not stored. They are signed with the key of the installation.
 */
#ifndef ACCESS_PASSKEY_H
#define ACCESS_PASSKEY_H

#include "access/signing_key.h"
#include "base/arena.h"
#include "domain/account/user.h"

enum {
	PASSKEY_TEXT_MAX = 8192, /* bytes of the four parts; browsers send about 1000 */
	PASSKEY_CHALLENGE_S = 300,
};

struct passkey_claim {
	const char *text;    /* the four parts that the script sent; NULL: none */
	const char *browser; /* a secret of this browser; the challenge's signature covers it */
	const char *origin;  /* of the console: "https://status.example.org" */
	struct signing_key key;
	struct instant now;
	struct arena *arena; /* owns the results */
	struct error *error;
	/* The time of the challenge, set by the checks. Callers accept only a challenge that is
	 * newer than the last one they accepted, so that each challenge works once. */
	int64_t made_us;
};

/* Makes a challenge for the claim's browser. `us`: the time now, in microseconds since 1970. */
const char *passkey_challenge(const struct passkey_claim *claim, int64_t us);
/* Returns the host name for which the console at `origin` makes passkeys. */
const char *passkey_rp_id(const char *origin, struct arena *arena);
/*
 * Checks a new passkey, and sets its credential_id, public_key, rp_id and counter.
 * E_UNAUTHENTICATED: the claim's text is wrong; the error's log text has the reason. E_FAILED:
 * libcrypto is missing. E_BUSY: too much memory is in use.
 */
enum result passkey_read_new(struct passkey_claim *claim, struct user_passkey *passkey) MUST_USE;
/* Checks a signature of the stored passkey, and sets the passkey's counter. Returns the same
 * results as passkey_read_new(). */
enum result passkey_verify(struct passkey_claim *claim, struct user_passkey *passkey) MUST_USE;

#endif
