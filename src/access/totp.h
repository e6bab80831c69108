/*
 * Second factors: codes of an authenticator app, and recovery codes, which work once each. liboath
 * computes the codes of the app by RFC 6238 with SHA-1, six digits and steps of 30 s. All apps know
 * this variant.
 */
#ifndef ACCESS_TOTP_H
#define ACCESS_TOTP_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"

enum {
	TOTP_STEP_S = 30,
	TOTP_DIGITS = 6,
	TOTP_SECRET_CHARS = 32, /* 160 bits in base32, as RFC 4226 section 4 advises */
	RECOVERY_CODES = 10,
	RECOVERY_HASH_CHARS = 64,
};

/* Makes a random secret in base32, owned by the arena. E_FAILED: liboath is missing. */
enum result totp_make_secret(struct arena *arena, const char **secret, struct error *error)
	MUST_USE;
bool totp_is_secret(const char *text);
/* The address that an authenticator app reads from a QR code, owned by the arena. `issuer` and
 * `user` may have any characters. */
const char *totp_address(const char *secret, const char *issuer, const char *user,
			 struct arena *arena);
/* Returns the typed text in lower case, without blanks and hyphens; owned by the arena. */
const char *totp_tidy(const char *typed, struct arena *arena);
/* Whether a text from totp_tidy() has the form of a code. No password has this form. */
bool totp_is_code(const char *text);
/*
 * Compares a tidy code with the codes of the present step, the step before and the next step,
 * because clocks differ and people type slowly. Rejects codes of `last_step` and of earlier steps,
 * so that a code works once. Sets *step to the step of the code. E_UNAUTHENTICATED: the code is
 * wrong or used up. E_FAILED: liboath is missing.
 */
enum result totp_check(const char *secret, const char *code, struct instant now, int64_t last_step,
		       int64_t *step, struct error *error) MUST_USE;

/*
 * Makes RECOVERY_CODES codes of 120 bits, such as "k3ua-…". *hashes: the hexadecimal SHA-256 of
 * each code, to be stored. E_FAILED: liboath is missing.
 */
enum result recovery_make(struct arena *arena, const char *codes[RECOVERY_CODES],
			  const char **hashes, struct error *error) MUST_USE;
/* Returns `hashes` without the hash of `code`, or NULL if `hashes` does not have it. `code` is a
 * text from totp_tidy(). */
const char *recovery_take(const char *hashes, const char *code, struct arena *arena);
/* Returns how many codes are still unused. */
size_t recovery_count(const char *hashes);

#endif
