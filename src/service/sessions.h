/* The operations of users on their own sessions and passwords, and of owners on the sessions of
 * other users of the account. */
#ifndef SERVICE_SESSIONS_H
#define SERVICE_SESSIONS_H

#include "service/sign_in.h"

/*
 * Lists the sessions of a user. If the user is the principal, lists the sessions in all accounts.
 * Otherwise lists the sessions in the principal's account; only owners may do this. E_FORBIDDEN;
 * E_NOT_FOUND: the account has no such user.
 */
enum result service_list_sessions(struct service *service, int64_t user_id,
				  struct user_session_list *list) MUST_USE;
struct session_end {
	int64_t user_id;
	int64_t id;
	const char *token; /* NULL: the principal has no session */
};
/*
 * Ends the session end->id, which service_list_sessions() lists. If end->id is 0, ends all these
 * sessions, except the principal's own session, which has the token end->token. E_NOT_FOUND: the
 * account has no such user, or the user has no such session.
 */
enum result service_end_sessions(struct service *service, const struct session_end *end) MUST_USE;
/*
 * Checks that the person is the user of the session, and stores the time of this check in the
 * session. The proof is claim->text: a passkey, a code of the app, or the password. If
 * user_is_proven_by_front() returns true, no text is needed. E_UNAUTHENTICATED: the text is wrong;
 * E_BUSY.
 */
enum result service_confirm(struct service *service, const struct user_session *session,
			    const char *token, struct passkey_claim *claim) MUST_USE;
struct password_change {
	const char *current;
	struct link_use chosen; /* the new password, twice: `password` and `again` */
	const char *token;
	bool is_fresh; /* the result of user_session_is_fresh() */
};
/*
 * Changes the password of the principal, and ends all other sessions of the principal.
 * E_UNAUTHENTICATED: `current` is wrong; E_INVALID; E_BUSY. `current` is ignored if the user has no
 * password. E_FORBIDDEN: the user has no password, but an app or a passkey, and is_fresh is false.
 */
enum result service_change_password(struct service *service, const struct password_change *change)
	MUST_USE;

/* Stores the console's language, colours and time zone for the principal. E_INVALID. */
enum result service_set_preferences(struct service *service, struct user_preferences *preferences)
	MUST_USE;

#endif
