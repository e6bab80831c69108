/* The users of the console, with their roles in accounts, their links and their passkeys. */
#ifndef STORE_ACCOUNT_USER_H
#define STORE_ACCOUNT_USER_H

#include "base/secret.h"
#include "db/db.h"
#include "domain/account/user.h"
#include "store/list.h"

struct user_list {
	struct user *rows;
	size_t count;
	int64_t total; /* set only by user_list_page() */
};

/* Adds a user without a role, and sets user->id. E_CONFLICT: the name is in use. */
enum result user_add(struct db *db, struct user *user, struct error *error) MUST_USE;
/* Stores the user's role in the account user->account_id. It replaces another role in this
 * account. */
enum result user_set_role(struct db *db, const struct user *user, struct error *error) MUST_USE;

/*
 * Finds a user by name, and the user's role in the account account_id. If account_id is 0, finds
 * the role in the first account that is not being removed. Sets user->account_id to 0 if there is
 * no such role. E_NOT_FOUND: no user has the name.
 */
enum result user_find(struct db *db, const char *name, int64_t account_id, struct arena *arena,
		      struct user *user, struct error *error) MUST_USE;
/* Finds a user by id, and the role as user_find() does. Locks the user's row if is_locked is
 * true. */
enum result user_show(struct db *db, int64_t id, int64_t account_id, bool is_locked,
		      struct arena *arena, struct user *user, struct error *error) MUST_USE;
/* Finds a user by the identity for single sign-on, and the role as user_find() does for account_id
 * 0. Also finds an identity that differs from `subject` only in blanks at its end. */
enum result user_find_by_subject(struct db *db, const char *subject, struct arena *arena,
				 struct user *user, struct error *error) MUST_USE;
/* Sets *needs_factor if any account in which the user has a role demands a second factor. */
enum result user_needs_factor(struct db *db, int64_t id, bool *needs_factor, struct error *error)
	MUST_USE;
struct user_link_place {
	const char *token;
	enum user_link_kind kind;
	struct instant now;
	bool is_locked;
};
/* Finds a user by the token of a valid link of this kind, and the role as user_find() does for
 * account_id 0. Locks the user's row if place->is_locked is true. */
enum result user_find_by_link(struct db *db, const struct user_link_place *place,
			      struct arena *arena, struct user *user, struct error *error) MUST_USE;
/* Lists users of an account (0: of all accounts) with ids above `after_id`, by id. A user has a row
 * for each role; all rows of a user are in the same list. */
enum result user_list(struct db *db, int64_t account_id, int64_t after_id, struct arena *arena,
		      struct user_list *list, struct error *error) MUST_USE;

/* Replaces the user's link by a new one, and writes its token to `token`, which has
 * SECRET_TOKEN_SIZE. */
enum result user_set_link(struct db *db, int64_t id, enum user_link_kind kind,
			  struct instant ends_at, char *token, struct error *error) MUST_USE;
/* Stores the time of a sign-in, and removes the link. If password_hash is NULL, the password does
 * not change. */
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
/* Removes the link, and stores disabled_at: when the user was disabled; 0: the user may sign in. */
enum result user_end_link(struct db *db, int64_t id, struct instant disabled_at,
			  struct error *error) MUST_USE;
/* Removes the role in user->account_id, and deletes a user who has no other role. */
enum result user_delete(struct db *db, const struct user *user, struct error *error) MUST_USE;
/* Sets *is_last if no other owner of user->account_id can sign in. Locks the owners that it reads.
 * Call it in a transaction. */
enum result user_is_last_owner(struct db *db, const struct user *user, struct arena *arena,
			       bool *is_last, struct error *error) MUST_USE;
/* Whether the user has a role in another account than user->account_id. */
enum result user_is_elsewhere(struct db *db, const struct user *user, struct arena *arena,
			      bool *is_elsewhere, struct error *error) MUST_USE;

enum user_sort { USER_BY_ID, USER_BY_NAME };
enum result user_list_page(struct db *db, const struct list_query *query, struct arena *arena,
			   struct user_list *list, struct error *error) MUST_USE;

/* Adds a passkey. The caller has locked the user, because this function and user_passkey_remove()
 * also update users.passkey_count. E_CONFLICT: the credential is already stored. */
enum result user_passkey_add(struct db *db, const struct user_passkey *passkey, struct error *error)
	MUST_USE;
enum result user_passkey_find(struct db *db, const char *credential_id, struct arena *arena,
			      struct user_passkey *passkey, struct error *error) MUST_USE;
/* Finds a passkey that was made for another host name than rp_id. E_NOT_FOUND: there is none. */
enum result user_passkey_find_elsewhere(struct db *db, const char *rp_id, struct arena *arena,
					struct user_passkey *passkey, struct error *error) MUST_USE;
/* Lists the user's passkeys, in the order in which they were added: rows of struct user_passkey. */
enum result user_passkey_list(struct db *db, int64_t user_id, struct arena *arena,
			      struct db_list *list, struct error *error) MUST_USE;
/* Stores used_at and counter. E_NOT_FOUND: the passkey has been removed. */
enum result user_passkey_touch(struct db *db, const struct user_passkey *passkey,
			       struct error *error) MUST_USE;
/* Removes a passkey of the user, or all passkeys if id is 0. E_NOT_FOUND: there is none. */
enum result user_passkey_remove(struct db *db, int64_t user_id, int64_t id, struct error *error)
	MUST_USE;

#endif
