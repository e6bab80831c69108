/* Sign-in: a person becomes the user of a session by a link, by a password, by a code of the second
 * factor, or by a passkey. */
#ifndef SERVICE_SIGN_IN_H
#define SERVICE_SIGN_IN_H

#include "access/passkey.h"
#include "service/service.h"
#include "store/account/user.h"
#include "store/account/user_session.h"

enum { SIGN_IN_STEP_S = 300 }; /* seconds for typing the code after the password */

/* A session that begins. */
struct begun_session {
	const char
		*former; /* the token of the browser's former session, which ends now; NULL: none */
	const char *agent; /* the browser, as it names itself; NULL: not known */
	/* A secret that only this browser has. begun->step works only with this secret. */
	const char *browser;
	/* The former session, if the new session takes over its times of start and confirmation.
	 * NULL: a new sign-in. */
	const struct user_session *continues;
	enum user_session_way way;
	const char *note;	 /* details of the way of sign-in, for the event; NULL: none */
	const char *sso_subject; /* see struct user_session */
	struct user user;
	/*
	 * A signed text, which the form for the code sends back. It is set instead of `token` if
	 * the password or the link was right, but the user must also type a code of the app. NULL:
	 * the session has begun.
	 */
	const char *step;
	char token[SECRET_TOKEN_SIZE];
};
/*
 * Begins the session of begun->user in a transaction; all kinds of sign-in call this function.
 * Makes the user the principal. password_hash NULL: does not change the password.
 */
enum result service_begin_session(struct service *service, const char *password_hash,
				  struct begun_session *begun) MUST_USE;
/* Finds the user of a valid link. E_NOT_FOUND: also if the user has no account. */
enum result service_find_link(struct service *service, enum user_link_kind kind, const char *token,
			      struct user *user) MUST_USE;
struct link_use {
	enum user_link_kind kind;
	const char *token;
	const char *password;
	const char *again;
};
/*
 * Uses a link, which then stops working. Begins a session, or sets begun->step. E_INVALID;
 * E_NOT_FOUND; E_BUSY: too many passwords are being hashed. The kinds of links:
 * - USER_LINK_ENTER does nothing else.
 * - The other links set the password, which `again` repeats, and end the user's other sessions.
 * - USER_LINK_RECOVER also removes the second factor and the passkeys.
 */
enum result service_use_link(struct service *service, const struct link_use *use,
			     struct begun_session *begun) MUST_USE;
/*
 * Begins a session of a user by name and password, or sets begun->step. E_UNAUTHENTICATED: the name
 * or the password is wrong. Neither the result nor the time of the call tells which of both is
 * wrong; the log does. E_BUSY: too many passwords are being hashed.
 */
enum result service_sign_in(struct service *service, const char *name, const char *password,
			    struct begun_session *begun) MUST_USE;
/*
 * Checks `step`, a begun->step that the form for the code has sent back. Finds the step's user and
 * way of sign-in. E_NOT_FOUND: the step is older than SIGN_IN_STEP_S, another browser sends it, or
 * the password has changed.
 */
enum result service_find_step(struct service *service, const char *step,
			      struct begun_session *begun) MUST_USE;
/* Begins a session of begun->user, whom service_find_step() has found, if the code of the app or
 * the recovery code is right. E_UNAUTHENTICATED: the code is wrong, or was used. */
enum result service_sign_in_by_code(struct service *service, const char *code,
				    struct begun_session *begun) MUST_USE;
/* Locks the user's row until COMMIT, and reads it again. E_UNAUTHENTICATED: after `user` was read,
 * somebody has changed the password, set up or removed the app, disabled or deleted the user, or
 * taken away the user's last role. */
enum result service_lock_unchanged(struct service *service, struct user *user) MUST_USE;
/* Begins a session of the user of a passkey, without a code. E_UNAUTHENTICATED: the passkey is not
 * known, or its text is wrong. */
enum result service_sign_in_by_passkey(struct service *service, struct passkey_claim *claim,
				       struct begun_session *begun) MUST_USE;
/* Checks and hashes a password that a person has chosen for the user. E_INVALID: the password is
 * too short, too common or not repeated; E_BUSY: too many passwords are being hashed. */
enum result service_hash_chosen(struct service *service, const struct user *user,
				const struct link_use *use, const char **hash) MUST_USE;
/* Continues the principal's session begun->former with a new token, in this account or another
 * account of the user. E_NOT_FOUND: the user has no role in the account. */
enum result service_change_account(struct service *service, int64_t account_id,
				   struct begun_session *begun) MUST_USE;
/* Ends the session of the principal. */
enum result service_sign_out(struct service *service, const char *token) MUST_USE;

#endif
