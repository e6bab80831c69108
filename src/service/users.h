/*
 * The operations on the users of an account, by its owners and by the operator. A link for signing
 * in works only once. Its token is a secret; the database has only a hash of the token.
 */
#ifndef SERVICE_USERS_H
#define SERVICE_USERS_H

#include "service/service.h"
#include "store/account/user.h"
#include "store/account/user_session.h"

/* A user, and the link that was made for the user. */
struct user_link {
	struct user user;
	enum user_link_kind kind;
	struct instant ends_at;
	bool is_unlinked;	       /* service_create_user() makes no link */
	char token[SECRET_TOKEN_SIZE]; /* "": no link was made */
};

/* Adds an event of the user, in user->account_id. */
void service_add_user_event(struct service *service, const struct user *user, enum event_kind kind,
			    const char *detail);

/*
 * Sets the user's role in user->account_id, and ends the user's sessions in this account. Other
 * operations call this function and service_create_user() in their transactions. E_CONFLICT: the
 * user is the last owner who can sign in.
 */
enum result service_set_role(struct service *service, struct user *user, int role) MUST_USE;
/* Adds a user with a role in the account, and makes a link unless link->is_unlinked. */
enum result service_create_user(struct service *service, int64_t account_id,
				const struct user_input *input, struct user_link *link) MUST_USE;

/*
 * Gives a user a role in an account. A new user gets a link of link->kind. An existing user keeps
 * the password and the e-mail address; a change of role ends the user's sessions in the account.
 * E_INVALID: the user exists, and the principal is not the operator; or another user has the
 * identity (sso_subject). E_CONFLICT: the user already has this role and this identity.
 */
enum result service_add_user(struct service *service, int64_t account_id,
			     const struct user_input *input, struct field_set sent,
			     struct user_link *link) MUST_USE;
/*
 * For the functions below: an owner finds only users of the same account, otherwise E_NOT_FOUND.
 * Some changes affect a user in all accounts; an owner may make them only if the user has no other
 * account, otherwise E_CONFLICT. E_CONFLICT, also if the user is the last owner who can sign in.
 */
/*
 * Makes a link of link->kind, which replaces an earlier link. The password, the second factor, the
 * sessions and disabled_at do not change until the link is used. E_CONFLICT, also if the link would
 * bypass the user's second factor or passkeys, and the principal is a key.
 */
enum result service_link_user(struct service *service, int64_t id, struct user_link *link) MUST_USE;
/*
 * Changes a user. A change of the role ends the user's sessions in the account. A change of the
 * identity ends all sessions. Disabling the user ends all sessions and the link. E_CONFLICT, also
 * if the principal is a key, and the new identity would bypass the user's second factor or
 * passkeys.
 */
enum result service_update_user(struct service *service, int64_t id,
				const struct user_change *change, struct field_set sent,
				struct user *user) MUST_USE;
/* Ends the user's role and sessions in the account. Deletes the user if the user has no other
 * account; the events keep the name. */
enum result service_delete_user(struct service *service, int64_t account_id, int64_t id,
				struct user *user) MUST_USE;

#endif
