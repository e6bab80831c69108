#include "store/api_key.h"

#define ROW(member) FIELD(struct api_key, member)
static const struct field rows[] = {
	ROW(id),	 ROW(account_id), ROW(label),	     ROW(is_read_only),
	ROW(expires_at), ROW(revoked_at), ROW(last_used_at), ROW(created_at),
};
const struct fields api_key_fields = { rows, ARRAY_LEN(rows) };

#define API_KEY_SELECT \
	"SELECT k.id, k.account_id, k.label, k.is_read_only, k.expires_at, k.revoked_at, " \
	"k.last_used_at, k.created_at FROM api_keys k " \
	"JOIN accounts a ON a.id = k.account_id AND a.removed_at IS NULL "

enum { TOUCH_EVERY_S = 60 };

enum result api_key_create(struct db *db, struct api_key *key, const char **text,
			   struct arena *arena, struct error *error)
{
	char token[SECRET_TOKEN_SIZE];
	uint8_t hash[SECRET_HASH_BYTES];
	struct sql_build sql;
	struct db_done done;
	secret_token(token);
	*text = arena_printf(arena, "dm_%s", token);
	secret_hash(str_from(*text), hash);
	sql_start(&sql, SQL("INSERT INTO api_keys (account_id, key_hash, label, is_read_only, "
			    "expires_at, created_at) VALUES (?, ?, ?, ?, ?, ?)"));
	sql_int(&sql, key->account_id);
	sql_bytes(&sql, hash, sizeof(hash));
	sql_text(&sql, key->label);
	sql_int(&sql, key->is_read_only);
	sql_time(&sql, key->expires_at);
	sql_time(&sql, key->created_at);
	enum result result = db_write(db, &sql, &done, error);
	if (result == OK)
		key->id = done.id;
	return result;
}

enum result api_key_find(struct db *db, struct str text, struct arena *arena, struct api_key *key,
			 struct error *error)
{
	uint8_t hash[SECRET_HASH_BYTES];
	struct sql_build sql;
	/* The key is random, so the time that the look-up takes reveals nothing. */
	secret_hash(text, hash);
	sql_start(&sql, SQL(API_KEY_SELECT "WHERE k.key_hash = ? ORDER BY k.id LIMIT 1"));
	sql_bytes(&sql, hash, sizeof(hash));
	return db_read_one(db, &sql, api_key_fields, key, arena, error);
}

enum result api_key_list(struct db *db, int64_t account_id, int64_t after_id, struct arena *arena,
			 struct api_key_list *list, struct error *error)
{
	struct sql_build sql;
	struct db_list found;
	sql_start(&sql, SQL(API_KEY_SELECT "WHERE k.id > ? "));
	sql_int(&sql, after_id);
	if (account_id > 0) {
		sql_add(&sql, SQL("AND k.account_id = ? "));
		sql_int(&sql, account_id);
	}
	sql_add(&sql, SQL("ORDER BY k.id LIMIT 1000"));
	enum result result = db_read_list(db, &sql, DB_SHAPE(api_key_fields, struct api_key, 1000),
					  arena, &found, error);
	*list = (struct api_key_list){ found.rows, found.count };
	return result;
}

enum result api_key_lock(struct db *db, int64_t account_id, int64_t id, struct arena *arena,
			 struct api_key *key, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(API_KEY_SELECT "WHERE k.id = ? "));
	sql_int(&sql, id);
	if (account_id > 0) {
		sql_add(&sql, SQL("AND account_id = ? "));
		sql_int(&sql, account_id);
	}
	sql_add(&sql, SQL("ORDER BY id LIMIT 1 FOR UPDATE"));
	return db_read_one(db, &sql, api_key_fields, key, arena, error);
}

enum result api_key_revoke(struct db *db, int64_t id, struct instant now, struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	sql_start(&sql,
		  SQL("UPDATE api_keys SET revoked_at = COALESCE(revoked_at, ?) WHERE id = ?"));
	sql_time(&sql, now);
	sql_int(&sql, id);
	enum result result = db_write(db, &sql, &done, error);
	return result == OK && done.rows == 0 ? E_NOT_FOUND : result;
}

bool api_key_is_valid(const struct api_key *key, struct instant now)
{
	return key->revoked_at.s == 0 && (key->expires_at.s == 0 || key->expires_at.s > now.s);
}

bool api_key_wants_touch(const struct api_key *key, struct instant now)
{
	return now.s - key->last_used_at.s >= TOUCH_EVERY_S;
}

struct touch {
	int64_t id;
	struct instant now;
};

/* Skip a locked row: another request is noting a use, or the key is being revoked. */
static enum result touch_work(struct db *db, void *context, struct error *error)
{
	static const struct field lock_rows[] = { FIELD(struct touch, id) };
	const struct touch *touch = context;
	struct touch locked = { 0 };
	struct arena arena CLEANUP(arena_done);
	struct sql_build sql;
	arena_init(&arena, 4096);
	sql_start(&sql, SQL("SELECT id FROM api_keys WHERE id = ? ORDER BY id LIMIT 1 "
			    "FOR UPDATE SKIP LOCKED"));
	sql_int(&sql, touch->id);
	enum result result = db_read_one(db, &sql, FIELDS(lock_rows), &locked, &arena, error);
	if (result != OK)
		return result == E_NOT_FOUND ? OK : result;
	sql_start(&sql, SQL("UPDATE api_keys SET last_used_at = ? WHERE id = ?"));
	sql_time(&sql, touch->now);
	sql_int(&sql, touch->id);
	return db_write(db, &sql, NULL, error);
}

enum result api_key_touch(struct db *db, int64_t id, struct instant now, struct error *error)
{
	return db_transact(db, DB_WRITE, touch_work, &(struct touch){ id, now }, error);
}
