/*
 * The second factors of a user. Users change only their own factors. A recovery link removes all
 * factors of a user.
 * - An authenticator app (access/totp.h). Its secret is stored encrypted.
 * - Recovery codes. Only their hashes are stored.
 * - Passkeys, which also replace the password.
 */
#ifndef SERVICE_SECOND_FACTOR_H
#define SERVICE_SECOND_FACTOR_H

#include "access/passkey.h"
#include "access/totp.h"
#include "service/service.h"
#include "store/account/user.h"

/* Checks a code of the app or a recovery code, and marks it as used. Call it in a transaction that
 * has locked the user. E_UNAUTHENTICATED: the code is wrong, or was already used. */
enum result second_factor_use(struct service *service, struct user *user, const char *code)
	MUST_USE;
enum result second_factor_remove(struct service *service, struct user *user) MUST_USE;
/* Checks a passkey in the transaction of another operation: finds and locks its user, and completes
 * the claim. E_UNAUTHENTICATED: the passkey is not known, or its text is wrong. */
enum result passkey_use(struct service *service, struct passkey_claim *claim, struct user *user)
	MUST_USE;

/* New recovery codes. The user sees them only now, because only their hashes are stored. */
struct recovery_codes {
	const char *codes[RECOVERY_CODES];
};
struct factor_input {
	const char *secret; /* in base32 */
	const char *code;
};
/*
 * Sets up an authenticator app for the principal; it replaces the former app. input->code proves
 * that the app has the secret. Ends all sessions of the principal except the session of the token.
 * E_INVALID: violations at "secret" and "code".
 */
enum result service_set_factor(struct service *service, const struct factor_input *input,
			       const char *token, struct recovery_codes *codes) MUST_USE;
/* Makes new recovery codes, which replace the earlier codes. E_NOT_FOUND: the principal has no
 * app. */
enum result service_renew_recovery(struct service *service, struct recovery_codes *codes) MUST_USE;
/* Removes the app and the recovery codes of the principal. E_NOT_FOUND: the principal has no
 * app. */
enum result service_remove_factor(struct service *service) MUST_USE;

/* Adds a passkey of the principal. E_INVALID: violations at "name" and "passkey". */
enum result service_add_passkey(struct service *service, const char *name,
				struct passkey_claim *claim) MUST_USE;
/* Removes a passkey of the principal. E_NOT_FOUND. */
enum result service_remove_passkey(struct service *service, int64_t id) MUST_USE;

#endif
