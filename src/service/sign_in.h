/* Sign-in: a person becomes the user of a session by a link, by password, by the code of a second
 * factor, or by a passkey. */
#ifndef SERVICE_SIGN_IN_H
#define SERVICE_SIGN_IN_H

#include "access/passkey.h"
#include "service/service.h"
#include "store/account/user.h"
#include "store/account/user_session.h"

enum { SIGN_IN_STEP_S = 300 }; /* how long the code may be typed after the password */

/* A session that begins. */
struct begun_session {
	const char *former; /* the session that this browser had, which ends; NULL: none */
	const char *agent;  /* the browser, as it names itself; NULL: not known */
	/* A secret of the browser, to which the step between password and code is bound. */
	const char *browser;
	/* the session whose times this session keeps; NULL: a new sign-in */
	const struct user_session *continues;
	enum user_session_way way;
	const char *note;	 /* details of the way of sign-in, for the event; NULL: none */
	const char *sso_subject; /* see struct user_session */
	struct user user;
	/* Set in place of the token if the user has an app, and the password or the link was right.
	 * The form for the code carries this text, which is signed. NULL: the session has begun. */
	const char *step;
	char token[SECRET_TOKEN_SIZE];
};
/*
 * Begins the session of begun->user in a transaction: the other sign-ins of service/ call this
 * function. The user is the principal from then on. password_hash NULL: the password stays.
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
 * Uses a link up, and begins a session, or sets begun->step. A link other than USER_LINK_ENTER sets
 * the password, which `again` repeats, and ends all other sessions of the user; USER_LINK_RECOVER
 * also removes the second factor and the passkeys. E_INVALID; E_NOT_FOUND; E_BUSY: too many
 * passwords are being hashed.
 */
enum result service_use_link(struct service *service, const struct link_use *use,
			     struct begun_session *begun) MUST_USE;
/*
 * Begins a session of a user by name and password, or sets begun->step. E_UNAUTHENTICATED: the name
 * or the password is wrong; only the log has the reason, and the time does not depend on it.
 * E_BUSY: too many passwords are being hashed.
 */
enum result service_sign_in(struct service *service, const char *name, const char *password,
			    struct begun_session *begun) MUST_USE;
/* Finds the user and the way of sign-in of a step, which the form of this browser has sent.
 * E_NOT_FOUND: the step is too old, or the password was changed since. */
enum result service_find_step(struct service *service, const char *step,
			      struct begun_session *begun) MUST_USE;
/* Begins a session of begun->user, whom service_find_step() has found, by a code of the app or a
 * recovery code. E_UNAUTHENTICATED: the code is wrong, or was used. */
enum result service_sign_in_by_code(struct service *service, const char *code,
				    struct begun_session *begun) MUST_USE;
/* Locks the user's row until COMMIT. E_UNAUTHENTICATED: since `user` was read, somebody has
 * changed the password or the app, or taken the access away, and ended all sessions with it. */
enum result service_lock_unchanged(struct service *service, struct user *user) MUST_USE;
/* Begins a session of the user of a passkey, which needs no code. E_UNAUTHENTICATED: the passkey is
 * not known, or its text is wrong. */
enum result service_sign_in_by_passkey(struct service *service, struct passkey_claim *claim,
				       struct begun_session *begun) MUST_USE;
/* Hashes a password that a person has chosen for the user. E_INVALID: the password is too short,
 * too common or not repeated; E_BUSY: too many passwords are being hashed. */
enum result service_hash_chosen(struct service *service, const struct user *user,
				const struct link_use *use, const char **hash) MUST_USE;
/* Continues the session of the principal, begun->former, with a new token, in this or another of
 * its accounts. E_NOT_FOUND: the person has no role there. */
enum result service_change_account(struct service *service, int64_t account_id,
				   struct begun_session *begun) MUST_USE;
/* Ends the session of the principal. */
enum result service_sign_out(struct service *service, const char *token) MUST_USE;

#endif
