/* The sessions of users. Only the hashes of their tokens are stored. */
#ifndef STORE_ACCOUNT_USER_SESSION_H
#define STORE_ACCOUNT_USER_SESSION_H

#include "base/secret.h"
#include "db/db.h"
#include "domain/account/user.h"

/* Begins a session of session->user_id in session->account_id. Writes its token to `token`, which
 * has SECRET_TOKEN_SIZE. */
enum result user_session_add(struct db *db, const struct user_session *session, char *token,
			     struct error *error) MUST_USE;
/* Finds a session that has not ended, with the user's present role. E_NOT_FOUND: there is no such
 * session, the user is disabled, the user no longer has a role, or the account is being removed. */
enum result user_session_find(struct db *db, const char *token, struct user_session_bounds bounds,
			      struct arena *arena, struct user_session *session,
			      struct error *error) MUST_USE;
/* Stores the time of use. E_NOT_FOUND: the session has ended. */
enum result user_session_touch(struct db *db, const char *token, struct instant now,
			       struct error *error) MUST_USE;
/* Stores when the user has last proven their identity in the session. E_NOT_FOUND: the session has
 * ended. */
enum result user_session_confirm(struct db *db, const char *token, struct instant now,
				 struct error *error) MUST_USE;
/* Ends a session. E_NOT_FOUND: the session has already ended. */
enum result user_session_end(struct db *db, const char *token, struct error *error) MUST_USE;
/* Ends the user's sessions in an account, or in all accounts if account_id is 0. */
enum result user_sessions_end(struct db *db, int64_t user_id, int64_t account_id,
			      struct error *error) MUST_USE;
enum { USER_SESSIONS_LISTED = 20 };
struct user_session_list {
	struct user_session *rows;
	size_t count;
};
/* Lists a user's sessions in an account (0: in all accounts) that have not ended, at most
 * USER_SESSIONS_LISTED. The session that was used last comes first. */
enum result user_session_list(struct db *db, int64_t user_id, int64_t account_id,
			      struct user_session_bounds bounds, struct arena *arena,
			      struct user_session_list *list, struct error *error) MUST_USE;
/* Lists the accounts of a user, by name, at most USER_ACCOUNTS_LISTED. Reads only account_id,
 * account_name and role. */
enum { USER_ACCOUNTS_LISTED = 50 };
enum result user_account_list(struct db *db, int64_t user_id, struct arena *arena,
			      struct user_session_list *list, struct error *error) MUST_USE;
/* Ends the session session->id of the user session->user_id. If session->account_id is not 0, the
 * session must be in this account. E_NOT_FOUND: there is no such session. */
enum result user_session_end_one(struct db *db, const struct user_session *session,
				 struct error *error) MUST_USE;
/* Ends all sessions of the user except the one with `token`. */
enum result user_sessions_end_others(struct db *db, int64_t user_id, const char *token,
				     struct error *error) MUST_USE;
/* Deletes some rows of sessions that were last used at `used_until` or before. */
enum result user_sessions_prune(struct db *db, struct instant used_until, struct error *error)
	MUST_USE;

#endif
