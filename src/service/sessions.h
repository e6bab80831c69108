/* The sessions and the password of a person, by the person, and the sessions of others by an owner
 * of the account. */
#ifndef SERVICE_SESSIONS_H
#define SERVICE_SESSIONS_H

#include "service/sign_in.h"

/* The sessions of the principal in all accounts; or, for owners, of another user in this one.
 * E_FORBIDDEN; E_NOT_FOUND: the account has no such user. */
enum result service_list_sessions(struct service *service, int64_t user_id,
				  struct user_session_list *list) MUST_USE;
/* Ends one of these sessions, or with id 0 all of them but that of the principal, whose token is
 * `token`. E_NOT_FOUND as above, or there is no such session. */
struct session_end {
	int64_t user_id;
	int64_t id;
	const char *token; /* NULL: the principal has no session */
};
enum result service_end_sessions(struct service *service, const struct session_end *end) MUST_USE;
/*
 * Changes the password of the principal, and ends all its sessions but this one. E_UNAUTHENTICATED:
 * `current` is wrong; E_INVALID; E_BUSY. A person without a password needs no current one.
 */
struct password_change {
	const char *current;
	struct link_use chosen; /* password, again */
	const char *token;
};
enum result service_change_password(struct service *service, const struct password_change *change)
	MUST_USE;

/* Changes how the console addresses the principal. E_INVALID. */
enum result service_set_preferences(struct service *service, struct user_preferences *preferences)
	MUST_USE;

#endif
