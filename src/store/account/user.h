/* The users of the console, their roles in accounts, the link and the passkeys of a user. */
#ifndef STORE_ACCOUNT_USER_H
#define STORE_ACCOUNT_USER_H

#include "base/secret.h"
#include "db/db.h"
#include "domain/account/user.h"
#include "store/list.h"

struct user_list {
	struct user *rows;
	size_t count;
	int64_t total; /* of user_list_page() alone */
};

/* Adds a user without a role: sets user->id. E_CONFLICT: the name is in use. */
enum result user_add(struct db *db, struct user *user, struct error *error) MUST_USE;
/* Stores the role in user->account_id, in place of another role there. */
enum result user_set_role(struct db *db, const struct user *user, struct error *error) MUST_USE;

/*
 * Finds a user by name, with the role in an account: in account_id, or with 0 in the first account
 * that is not being removed. user->account_id is 0 if there is no such role. E_NOT_FOUND: no user
 * has the name.
 */
enum result user_find(struct db *db, const char *name, int64_t account_id, struct arena *arena,
		      struct user *user, struct error *error) MUST_USE;
/* Finds a user by id, as user_find() does, and locks the user if is_locked. */
enum result user_show(struct db *db, int64_t id, int64_t account_id, bool is_locked,
		      struct arena *arena, struct user *user, struct error *error) MUST_USE;
/* Finds a user by the identity for single sign-on, as user_find() does. The stored identity may
 * differ in blanks at its end. */
enum result user_find_by_subject(struct db *db, const char *subject, struct arena *arena,
				 struct user *user, struct error *error) MUST_USE;
/* Whether an account in which the user has a role demands a second factor. */
enum result user_needs_factor(struct db *db, int64_t id, bool *needs_factor, struct error *error)
	MUST_USE;
struct user_link_place {
	const char *token;
	enum user_link_kind kind;
	struct instant now;
	bool is_locked;
};
/* Finds a user by the token of a valid link of this kind, as user_find() does, and locks the user
 * if place->is_locked. */
enum result user_find_by_link(struct db *db, const struct user_link_place *place,
			      struct arena *arena, struct user *user, struct error *error) MUST_USE;
/* The users with ids above `after_id`, ordered by id, with a row for each role: of one account, or
 * of all if account_id is 0. The rows of one user are never in two lists. */
enum result user_list(struct db *db, int64_t account_id, int64_t after_id, struct arena *arena,
		      struct user_list *list, struct error *error) MUST_USE;

/* Replaces the user's link by a new one. The token has SECRET_TOKEN_SIZE. */
enum result user_set_link(struct db *db, int64_t id, enum user_link_kind kind,
			  struct instant ends_at, char *token, struct error *error) MUST_USE;
/* Notes a sign-in, and removes the link. password_hash NULL: the password stays. */
enum result user_sign_in(struct db *db, int64_t id, const char *password_hash, struct instant now,
			 struct error *error) MUST_USE;
/* Stores user->sso_subject. E_CONFLICT: another user has it. */
enum result user_set_subject(struct db *db, const struct user *user, struct error *error) MUST_USE;
enum result user_set_preferences(struct db *db, int64_t id,
				 const struct user_preferences *preferences, struct error *error)
	MUST_USE;
/* Replaces the password, and removes the link. */
enum result user_set_password(struct db *db, int64_t id, const char *password_hash,
			      struct error *error) MUST_USE;
/* Stores totp_at, totp_secret, totp_step, recovery_hashes and passkey_challenge. */
enum result user_set_factor(struct db *db, const struct user *user, struct error *error) MUST_USE;
/* Removes the link, and sets disabled_at, after which the user cannot sign in (0: the user can). */
enum result user_end_link(struct db *db, int64_t id, struct instant disabled_at,
			  struct error *error) MUST_USE;
/* Removes the role in user->account_id, and deletes a user who has no other role. */
enum result user_delete(struct db *db, const struct user *user, struct error *error) MUST_USE;
/* In a transaction, locks owners of user->account_id, and tells whether the user is the only one
 * who can sign in. */
enum result user_is_last_owner(struct db *db, const struct user *user, struct arena *arena,
			       bool *is_last, struct error *error) MUST_USE;
/* Whether the user has a role in another account than user->account_id. */
enum result user_is_elsewhere(struct db *db, const struct user *user, struct arena *arena,
			      bool *is_elsewhere, struct error *error) MUST_USE;

enum user_sort { USER_BY_ID, USER_BY_NAME };
enum result user_list_page(struct db *db, const struct list_query *query, struct arena *arena,
			   struct user_list *list, struct error *error) MUST_USE;

/* Callers of the functions that write passkeys lock the user first: users.passkey_count follows.
 * E_CONFLICT: the credential is stored already. */
enum result user_passkey_add(struct db *db, const struct user_passkey *passkey, struct error *error)
	MUST_USE;
enum result user_passkey_find(struct db *db, const char *credential_id, struct arena *arena,
			      struct user_passkey *passkey, struct error *error) MUST_USE;
/* Finds a passkey of another host name than rp_id. E_NOT_FOUND. */
enum result user_passkey_find_elsewhere(struct db *db, const char *rp_id, struct arena *arena,
					struct user_passkey *passkey, struct error *error) MUST_USE;
/* Rows of struct user_passkey, the first added first. */
enum result user_passkey_list(struct db *db, int64_t user_id, struct arena *arena,
			      struct db_list *list, struct error *error) MUST_USE;
/* Stores used_at and counter. E_NOT_FOUND: the passkey was removed before. */
enum result user_passkey_touch(struct db *db, const struct user_passkey *passkey,
			       struct error *error) MUST_USE;
/* Removes a passkey of the user, or with id 0 all. E_NOT_FOUND: there is none. */
enum result user_passkey_remove(struct db *db, int64_t user_id, int64_t id, struct error *error)
	MUST_USE;

#endif
