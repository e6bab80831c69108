#include "store/account/user_session.h"

static void add_hash(struct sql_build *sql, const char *token, uint8_t hash[SECRET_HASH_BYTES])
{
	secret_hash(str_from(token), hash);
	sql_bytes(sql, hash, SECRET_HASH_BYTES);
}

enum result user_session_add(struct db *db, const struct user_session *session, char *token,
			     struct error *error)
{
	uint8_t hash[SECRET_HASH_BYTES];
	struct sql_build sql;
	secret_token(token);
	sql_start(&sql, SQL("INSERT INTO user_sessions "
			    "(token_hash, id, user_id, account_id, created_at, used_at, "
			    "confirmed_at, address, agent, sso_subject, began) "
			    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
	add_hash(&sql, token, hash);
	sql_add(&sql, session->id, session->user_id, session->account_id, session->created_at,
		session->used_at, session->confirmed_at, session->address, session->agent,
		session->sso_subject, session->began);
	return db_write(db, &sql, NULL, error);
}

#define ROW(member) FIELD(struct user_session, member)
static const struct field rows[] = {
	ROW(id),
	ROW(user_id),
	ROW(account_id),
	ROW(user_name),
	ROW(account_name),
	ROW(role),
	ROW(created_at),
	ROW(used_at),
	ROW(confirmed_at),
	ROW(address),
	ROW(agent),
	ROW(sso_subject),
	ROW(account_count),
	ROW(passkey_count),
	FIELD_NAMED(struct user_session, preferences.language, "language"),
	FIELD_NAMED(struct user_session, preferences.color_scheme, "color_scheme"),
	FIELD_NAMED(struct user_session, preferences.time_zone, "time_zone"),
	ROW(totp_at),
	ROW(needs_second_factor),
	ROW(began),
};
#define SESSION_SELECT \
	"SELECT s.id, s.user_id, s.account_id, u.name AS user_name, a.name AS account_name, " \
	"r.role, s.created_at, s.used_at, s.confirmed_at, s.address, s.agent, s.sso_subject, " \
	"(SELECT COUNT(*) FROM user_roles o WHERE o.user_id = s.user_id) AS account_count, " \
	"u.passkey_count, u.language, u.color_scheme, u.time_zone, u.totp_at, " \
	"a.needs_second_factor, s.began " \
	"FROM user_sessions s JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL " \
	"JOIN user_roles r ON r.user_id = s.user_id AND r.account_id = s.account_id " \
	"JOIN accounts a ON a.id = s.account_id AND a.removed_at IS NULL "

enum result user_session_find(struct db *db, const char *token, struct user_session_bounds bounds,
			      struct arena *arena, struct user_session *session,
			      struct error *error)
{
	uint8_t hash[SECRET_HASH_BYTES];
	struct sql_build sql;
	/* The token is random, so the duration of the look-up reveals nothing. */
	sql_start(&sql, SQL(SESSION_SELECT
			    "WHERE s.token_hash = ? AND s.used_at > ? AND s.created_at > ? "
			    "ORDER BY s.token_hash LIMIT 1"));
	add_hash(&sql, token, hash);
	sql_add(&sql, bounds.used_after, bounds.created_after);
	return db_read_one(db, &sql, FIELDS(rows), session, arena, error);
}

enum result user_session_touch(struct db *db, const char *token, struct instant now,
			       struct error *error)
{
	uint8_t hash[SECRET_HASH_BYTES];
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE user_sessions SET used_at = ? WHERE token_hash = ?"), now);
	add_hash(&sql, token, hash);
	return db_write_found(db, &sql, error);
}

enum result user_session_confirm(struct db *db, const char *token, struct instant now,
				 struct error *error)
{
	uint8_t hash[SECRET_HASH_BYTES];
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE user_sessions SET confirmed_at = ? WHERE token_hash = ?"), now);
	add_hash(&sql, token, hash);
	return db_write_found(db, &sql, error);
}

enum result user_session_end(struct db *db, const char *token, struct error *error)
{
	uint8_t hash[SECRET_HASH_BYTES];
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM user_sessions WHERE token_hash = ?"));
	add_hash(&sql, token, hash);
	return db_write_found(db, &sql, error);
}

enum result user_sessions_end(struct db *db, int64_t user_id, int64_t account_id,
			      struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM user_sessions WHERE user_id = ? "), user_id);
	if (account_id > 0)
		sql_add(&sql, SQL("AND account_id = ?"), account_id);
	return db_write(db, &sql, NULL, error);
}

enum result user_session_list(struct db *db, int64_t user_id, int64_t account_id,
			      struct user_session_bounds bounds, struct arena *arena,
			      struct user_session_list *list, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(SESSION_SELECT
			    "WHERE s.user_id = ? AND s.used_at > ? AND s.created_at > ? "));
	sql_add(&sql, user_id, bounds.used_after, bounds.created_after);
	if (account_id > 0)
		sql_add(&sql, SQL("AND s.account_id = ? "), account_id);
	sql_add(&sql, SQL("ORDER BY s.used_at DESC, s.token_hash LIMIT 20"));
	return db_read_into(db, &sql, FIELDS(rows), DB_INTO(list, USER_SESSIONS_LISTED), arena,
			    error);
}

enum result user_account_list(struct db *db, int64_t user_id, struct arena *arena,
			      struct user_session_list *list, struct error *error)
{
	static const struct field account_rows[] = { ROW(account_id), ROW(account_name),
						     ROW(role) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT a.id AS account_id, a.name AS account_name, r.role "
			    "FROM user_roles r JOIN accounts a ON a.id = r.account_id "
			    "AND a.removed_at IS NULL WHERE r.user_id = ? "
			    "ORDER BY a.name, a.id LIMIT 50"));
	sql_add(&sql, user_id);
	return db_read_into(db, &sql, FIELDS(account_rows), DB_INTO(list, USER_ACCOUNTS_LISTED),
			    arena, error);
}

enum result user_session_end_one(struct db *db, const struct user_session *session,
				 struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM user_sessions WHERE user_id = ? AND id = ? AND id > 0 "),
		  session->user_id, session->id);
	if (session->account_id > 0)
		sql_add(&sql, SQL("AND account_id = ?"), session->account_id);
	return db_write_found(db, &sql, error);
}

enum result user_sessions_end_others(struct db *db, int64_t user_id, const char *token,
				     struct error *error)
{
	uint8_t hash[SECRET_HASH_BYTES];
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM user_sessions WHERE user_id = ? AND token_hash <> ?"),
		  user_id);
	add_hash(&sql, token, hash);
	return db_write(db, &sql, NULL, error);
}

enum result user_sessions_prune(struct db *db, struct instant used_until, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM user_sessions WHERE used_at <= ? "
			    "ORDER BY used_at LIMIT 1000"));
	sql_add(&sql, used_until);
	return db_write(db, &sql, NULL, error);
}
