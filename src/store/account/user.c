#include "store/account/user.h"

#include "store/columns.h"

/* clang-format off */
static const struct field inserted_rows[] = { USER_FIELDS(COLUMN_INSERT_ROW, struct user, 0) };
static const struct field read_rows[] = {
	USER_FIELDS(COLUMN_READ_ROW, struct user, 0)
	FIELD(struct user, account_id), FIELD(struct user, role), FIELD(struct user, id),
};
#define INSERTED USER_FIELDS(COLUMN_INSERT, , 0)
#define MARKS	 USER_FIELDS(COLUMN_MARK, , 0)
#define COLUMNS	 USER_FIELDS(COLUMN_READ, "u.", 0)
#define USER_SELECT \
	"SELECT " COLUMNS "r.account_id, r.role, u.id FROM users u LEFT JOIN user_roles r " \
	"ON r.user_id = u.id AND r.account_id IN " \
	"(SELECT a.id FROM accounts a WHERE a.removed_at IS NULL) "
/* clang-format on */

enum result user_add(struct db *db, struct user *user, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO users (" INSERTED "id) VALUES (" MARKS "NULL)"));
	columns_bind(&sql, FIELDS(inserted_rows), user);
	return db_insert(db, &sql, &user->id, error);
}

enum result user_set_role(struct db *db, const struct user *user, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO user_roles (account_id, user_id, role) VALUES (?, ?, ?) "
			    "ON DUPLICATE KEY UPDATE role = VALUES(role)"));
	sql_add(&sql, user->account_id, user->id, user->role);
	return db_write(db, &sql, NULL, error);
}

enum result user_find(struct db *db, const char *name, int64_t account_id, struct arena *arena,
		      struct user *user, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(USER_SELECT));
	if (account_id > 0)
		sql_add(&sql, SQL("AND r.account_id = ? "), account_id);
	sql_add(&sql, SQL("WHERE u.name = ? ORDER BY r.account_id LIMIT 1"), name);
	return db_read_one(db, &sql, FIELDS(read_rows), user, arena, error);
}

enum result user_show(struct db *db, int64_t id, int64_t account_id, bool is_locked,
		      struct arena *arena, struct user *user, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(USER_SELECT));
	if (account_id > 0)
		sql_add(&sql, SQL("AND r.account_id = ? "), account_id);
	sql_add(&sql, SQL("WHERE u.id = ? ORDER BY r.account_id LIMIT 1"), id);
	if (is_locked)
		sql_add(&sql, SQL(" FOR UPDATE"));
	return db_read_one(db, &sql, FIELDS(read_rows), user, arena, error);
}

enum result user_needs_factor(struct db *db, int64_t id, bool *needs_factor, struct error *error)
{
	struct sql_build sql;
	int64_t count = 0;
	sql_start(&sql,
		  SQL("SELECT COUNT(*) AS total FROM user_roles r "
		      "JOIN accounts a ON a.id = r.account_id AND a.removed_at IS NULL "
		      "AND a.needs_second_factor WHERE r.user_id = ?"),
		  id);
	enum result result = db_read_int(db, &sql, &count, error);
	*needs_factor = count > 0;
	return result;
}

enum result user_find_by_subject(struct db *db, const char *subject, struct arena *arena,
				 struct user *user, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(USER_SELECT "WHERE u.sso_subject = ? ORDER BY r.account_id LIMIT 1"),
		  subject);
	return db_read_one(db, &sql, FIELDS(read_rows), user, arena, error);
}

enum result user_find_by_link(struct db *db, const struct user_link_place *place,
			      struct arena *arena, struct user *user, struct error *error)
{
	uint8_t hash[SECRET_HASH_BYTES];
	struct sql_build sql;
	/* The token is random, so the duration of the look-up reveals nothing. */
	secret_hash(str_from(place->token), hash);
	sql_start(&sql, SQL(USER_SELECT "WHERE u.link_hash = ? AND u.link_kind = ? "
					"AND u.link_ends_at > ? "
					"ORDER BY r.account_id LIMIT 1"));
	sql_bytes(&sql, hash, sizeof(hash));
	sql_add(&sql, place->kind, place->now);
	if (place->is_locked)
		sql_add(&sql, SQL(" FOR UPDATE"));
	return db_read_one(db, &sql, FIELDS(read_rows), user, arena, error);
}

/* Removes the last user's rows from a list that has reached the LIMIT, because further rows of this
 * user may be missing. */
static void drop_last_user(struct user_list *list)
{
	int64_t id = list->rows[list->count - 1].id;
	while (list->count > 0 && list->rows[list->count - 1].id == id)
		list->count--;
}

enum result user_list(struct db *db, int64_t account_id, int64_t after_id, struct arena *arena,
		      struct user_list *list, struct error *error)
{
	enum { ROWS_MAX = 1000 };
	struct sql_build sql;
	sql_start(&sql, SQL(USER_SELECT "WHERE u.id > ? "), after_id);
	if (account_id > 0)
		sql_add(&sql, SQL("AND r.account_id = ? "), account_id);
	sql_add(&sql, SQL("ORDER BY u.id, r.account_id LIMIT 1000"));
	enum result result =
		db_read_into(db, &sql, FIELDS(read_rows), DB_INTO(list, ROWS_MAX), arena, error);
	if (result == OK && list->count == ROWS_MAX)
		drop_last_user(list);
	return result;
}

enum result user_set_link(struct db *db, int64_t id, enum user_link_kind kind,
			  struct instant ends_at, char *token, struct error *error)
{
	uint8_t hash[SECRET_HASH_BYTES];
	struct sql_build sql;
	secret_token(token);
	secret_hash(str_from(token), hash);
	sql_start(&sql, SQL("UPDATE users SET link_hash = ?, link_kind = ?, link_ends_at = ? "
			    "WHERE id = ?"));
	sql_bytes(&sql, hash, sizeof(hash));
	sql_add(&sql, kind, ends_at, id);
	return db_write(db, &sql, NULL, error);
}

enum result user_sign_in(struct db *db, int64_t id, const char *password_hash, struct instant now,
			 struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE users SET signed_in_at = ?, link_hash = NULL, "
			    "link_ends_at = NULL, password_hash = COALESCE(?, password_hash) "
			    "WHERE id = ?"));
	sql_add(&sql, now, password_hash, id);
	return db_write(db, &sql, NULL, error);
}

enum result user_set_subject(struct db *db, const struct user *user, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE users SET sso_subject = ? WHERE id = ?"), user->sso_subject,
		  user->id);
	return db_write(db, &sql, NULL, error);
}

enum result user_set_preferences(struct db *db, int64_t id,
				 const struct user_preferences *preferences, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE users SET language = ?, color_scheme = ?, time_zone = ? "
			    "WHERE id = ?"));
	sql_add(&sql, preferences->language, preferences->color_scheme, preferences->time_zone, id);
	return db_write(db, &sql, NULL, error);
}

enum result user_set_password(struct db *db, int64_t id, const char *password_hash,
			      struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE users SET password_hash = ?, link_hash = NULL, "
			    "link_ends_at = NULL WHERE id = ?"));
	sql_add(&sql, password_hash, id);
	return db_write(db, &sql, NULL, error);
}

enum result user_set_factor(struct db *db, const struct user *user, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE users SET totp_at = ?, totp_secret = ?, totp_step = ?, "
			    "recovery_hashes = ?, passkey_challenge = ? WHERE id = ?"));
	sql_add(&sql, user->totp_at, user->totp_secret, user->totp_step, user->recovery_hashes,
		user->passkey_challenge, user->id);
	return db_write(db, &sql, NULL, error);
}

enum result user_end_link(struct db *db, int64_t id, struct instant disabled_at,
			  struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE users SET disabled_at = ?, link_hash = NULL, "
			    "link_ends_at = NULL WHERE id = ?"));
	sql_add(&sql, disabled_at, id);
	return db_write(db, &sql, NULL, error);
}

enum result user_delete(struct db *db, const struct user *user, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM user_roles WHERE user_id = ? AND account_id = ?"),
		  user->id, user->account_id);
	enum result result = db_write(db, &sql, NULL, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("DELETE FROM users WHERE id = ? AND NOT EXISTS "
			    "(SELECT 1 FROM user_roles r WHERE r.user_id = users.id)"));
	sql_add(&sql, user->id);
	return db_write(db, &sql, NULL, error);
}

static const struct field id_rows[] = { FIELD(struct user, id) };

/* Reads the id of the first row. Sets *id to 0 if there is no row. */
static enum result read_id(struct db *db, const struct sql_build *sql, struct arena *arena,
			   int64_t *id, struct error *error)
{
	struct user found = { 0 };
	enum result result = db_read_one(db, sql, FIELDS(id_rows), &found, arena, error);
	*id = found.id;
	return result == E_NOT_FOUND ? OK : result;
}

enum result user_is_last_owner(struct db *db, const struct user *user, struct arena *arena,
			       bool *is_last, struct error *error)
{
	struct sql_build sql;
	struct db_list found;
	const struct user *rows;
	sql_start(&sql, SQL("SELECT u.id FROM user_roles r JOIN users u ON u.id = r.user_id "
			    "AND u.disabled_at IS NULL "
			    "AND (u.password_hash IS NOT NULL OR u.sso_subject IS NOT NULL) "
			    "WHERE r.account_id = ? AND r.role = ? "
			    "ORDER BY r.user_id LIMIT 2 FOR UPDATE"));
	sql_add(&sql, user->account_id, ROLE_OWNER);
	enum result result = db_read_list(db, &sql, DB_SHAPE(FIELDS(id_rows), struct user, 2),
					  arena, &found, error);
	rows = found.rows;
	*is_last = result == OK &&
		   (found.count == 0 || (found.count == 1 && rows[0].id == user->id));
	return result;
}

enum result user_is_elsewhere(struct db *db, const struct user *user, struct arena *arena,
			      bool *is_elsewhere, struct error *error)
{
	struct sql_build sql;
	int64_t id;
	sql_start(&sql, SQL("SELECT user_id AS id FROM user_roles WHERE user_id = ? "
			    "AND account_id <> ? ORDER BY account_id LIMIT 1"));
	sql_add(&sql, user->id, user->account_id);
	enum result result = read_id(db, &sql, arena, &id, error);
	*is_elsewhere = id > 0;
	return result;
}

static void add_filter(struct sql_build *sql, const struct list_query *query, struct arena *arena)
{
	sql_add(sql, SQL("FROM user_roles r JOIN users u ON u.id = r.user_id "
			 "WHERE r.account_id = ? "));
	sql_add(sql, query->account_id);
	if (query->search)
		sql_add(sql, SQL("AND u.name LIKE ? ESCAPE '!' "),
			sql_contains(arena, query->search));
}

enum result user_list_page(struct db *db, const struct list_query *query, struct arena *arena,
			   struct user_list *list, struct error *error)
{
	static const struct field rows[] = {
		USER_FIELDS(COLUMN_READ_ROW, struct user, 0) FIELD(struct user, account_id),
		FIELD(struct user, role),
		FIELD(struct user, id),
		LIST_TOTAL(struct user),
	};
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " COLUMNS "r.account_id, r.role, u.id, (SELECT COUNT(*) "));
	add_filter(&sql, query, arena);
	sql_add(&sql, SQL(") AS total "));
	add_filter(&sql, query, arena);
	if (query->sort_by == USER_BY_NAME)
		sql_add(&sql, query->is_ascending ? SQL("ORDER BY u.name LIMIT ? OFFSET ?")
						  : SQL("ORDER BY u.name DESC LIMIT ? OFFSET ?"));
	else
		sql_add(&sql, query->is_ascending ? SQL("ORDER BY u.id LIMIT ? OFFSET ?")
						  : SQL("ORDER BY u.id DESC LIMIT ? OFFSET ?"));
	sql_add(&sql, query->limit, query->offset);
	enum result result = list_read(db, &sql, FIELDS(rows), LIST_INTO(list), arena, error);
	if (result != OK || list->count > 0 || query->offset == 0)
		return result;
	sql_start(&sql, SQL("SELECT COUNT(*) AS total "));
	add_filter(&sql, query, arena);
	return list_total_past_end(db, &sql, query->offset, &list->total, error);
}

#define ROW(member) FIELD(struct user_passkey, member)
static const struct field passkey_rows[] = {
	ROW(user_id), ROW(credential_id), ROW(public_key), ROW(rp_id), ROW(name),
	ROW(counter), ROW(created_at),	  ROW(used_at),	   ROW(id),
};
#define PASSKEY_COLUMNS \
	"user_id, credential_id, public_key, rp_id, name, counter, created_at, used_at, id"
#define PASSKEY_SELECT "SELECT " PASSKEY_COLUMNS " FROM user_passkeys "

static enum result count_passkeys(struct db *db, int64_t user_id, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE users SET passkey_count = (SELECT COUNT(*) FROM user_passkeys "
			    "p WHERE p.user_id = users.id) WHERE id = ?"));
	sql_add(&sql, user_id);
	return db_write(db, &sql, NULL, error);
}

enum result user_passkey_add(struct db *db, const struct user_passkey *passkey, struct error *error)
{
	const struct fields inserted = { passkey_rows, ARRAY_LEN(passkey_rows) - 1 };
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO user_passkeys (" PASSKEY_COLUMNS
			    ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)"));
	columns_bind(&sql, inserted, passkey);
	enum result result = db_write(db, &sql, NULL, error);
	return result == OK ? count_passkeys(db, passkey->user_id, error) : result;
}

enum result user_passkey_find(struct db *db, const char *credential_id, struct arena *arena,
			      struct user_passkey *passkey, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(PASSKEY_SELECT "WHERE credential_id = ? ORDER BY id LIMIT 1"),
		  credential_id);
	return db_read_one(db, &sql, FIELDS(passkey_rows), passkey, arena, error);
}

enum result user_passkey_find_elsewhere(struct db *db, const char *rp_id, struct arena *arena,
					struct user_passkey *passkey, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(PASSKEY_SELECT "WHERE rp_id <> ? ORDER BY rp_id, id LIMIT 1"), rp_id);
	return db_read_one(db, &sql, FIELDS(passkey_rows), passkey, arena, error);
}

enum result user_passkey_list(struct db *db, int64_t user_id, struct arena *arena,
			      struct db_list *list, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(PASSKEY_SELECT "WHERE user_id = ? ORDER BY id LIMIT 10"), user_id);
	return db_read_list(db, &sql,
			    DB_SHAPE(FIELDS(passkey_rows), struct user_passkey, USER_PASSKEYS_MAX),
			    arena, list, error);
}

enum result user_passkey_touch(struct db *db, const struct user_passkey *passkey,
			       struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE user_passkeys SET used_at = ?, counter = ? WHERE id = ?"),
		  passkey->used_at, passkey->counter, passkey->id);
	return db_write_found(db, &sql, error);
}

enum result user_passkey_remove(struct db *db, int64_t user_id, int64_t id, struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	sql_start(&sql, SQL("DELETE FROM user_passkeys WHERE user_id = ? AND ? IN (0, id)"),
		  user_id, id);
	enum result result = db_write(db, &sql, &done, error);
	if (result == OK && done.rows == 0)
		return E_NOT_FOUND;
	return result == OK ? count_passkeys(db, user_id, error) : result;
}
