#include "store/account/api_key.h"

#include <stdlib.h>

#include "store/columns.h"

/* clang-format off */
static const struct field inserted_rows[] = { KEY_FIELDS(COLUMN_INSERT_ROW, struct api_key, 0) };
static const struct field updated_rows[] = { KEY_FIELDS(COLUMN_SET_ROW, struct api_key, 0) };
static const struct field read_rows[] = {
	KEY_FIELDS(COLUMN_READ_ROW, struct api_key, 0) FIELD(struct api_key, id),
};
#define INSERTED KEY_FIELDS(COLUMN_INSERT, , 0)
#define MARKS	 KEY_FIELDS(COLUMN_MARK, , 0)
#define COLUMNS	 KEY_FIELDS(COLUMN_READ, "k.", 0)
#define SETS	 KEY_FIELDS(COLUMN_SET, , 0)
/* clang-format on */

#define API_KEY_SELECT \
	"SELECT " COLUMNS "k.id FROM api_keys k " \
	"JOIN accounts a ON a.id = k.account_id AND a.removed_at IS NULL "

enum { TOUCH_EVERY_S = 60 };

enum result api_key_create(struct db *db, struct api_key *key, const char **text,
			   struct arena *arena, struct error *error)
{
	char token[SECRET_TOKEN_SIZE];
	uint8_t hash[SECRET_HASH_BYTES];
	struct sql_build sql;
	secret_token(token);
	*text = arena_printf(arena, "dm_%s", token);
	secret_hash(str_from(*text), hash);
	sql_start(&sql, SQL("INSERT INTO api_keys (" INSERTED "key_hash) VALUES (" MARKS "?)"));
	columns_bind(&sql, FIELDS(inserted_rows), key);
	sql_bytes(&sql, hash, sizeof(hash));
	return db_insert(db, &sql, &key->id, error);
}

enum result api_key_find(struct db *db, struct str text, struct arena *arena, struct api_key *key,
			 struct error *error)
{
	uint8_t hash[SECRET_HASH_BYTES];
	struct sql_build sql;
	/* The key is random, so the duration of the look-up reveals nothing. */
	secret_hash(text, hash);
	sql_start(&sql, SQL(API_KEY_SELECT "WHERE k.key_hash = ? ORDER BY k.id LIMIT 1"));
	sql_bytes(&sql, hash, sizeof(hash));
	return db_read_one(db, &sql, FIELDS(read_rows), key, arena, error);
}

enum result api_key_list(struct db *db, int64_t account_id, int64_t after_id, struct arena *arena,
			 struct api_key_list *list, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(API_KEY_SELECT "WHERE k.id > ? "), after_id);
	if (account_id > 0)
		sql_add(&sql, SQL("AND k.account_id = ? "), account_id);
	sql_add(&sql, SQL("ORDER BY k.id LIMIT 1000"));
	return db_read_into(db, &sql, FIELDS(read_rows), DB_INTO(list, 1000), arena, error);
}

static void add_filter(struct sql_build *sql, const struct list_query *query, struct arena *arena)
{
	sql_add(sql, SQL("WHERE account_id = ? "), query->account_id);
	if (query->search)
		sql_add(sql, SQL("AND label LIKE ? ESCAPE '!' "),
			sql_contains(arena, query->search));
}

/* Keys with the same label are ordered by id, in the same direction as the labels. */
static struct sql order_of(const struct list_query *query)
{
	if (query->sort_by == API_KEY_BY_LABEL)
		return query->is_ascending ? SQL("ORDER BY label, id ")
					   : SQL("ORDER BY label DESC, id DESC ");
	return query->is_ascending ? SQL("ORDER BY id ") : SQL("ORDER BY id DESC ");
}

/* Returns the ORDER BY of the outer SELECT, which must order the rows again. The program cannot
 * sort labels itself, because only the database knows their collation. */
static struct sql outer_order_of(const struct list_query *query)
{
	if (query->sort_by == API_KEY_BY_LABEL)
		return query->is_ascending
			       ? SQL("ORDER BY shown.label, shown.id LIMIT 100")
			       : SQL("ORDER BY shown.label DESC, shown.id DESC LIMIT 100");
	return query->is_ascending ? SQL("ORDER BY shown.id LIMIT 100")
				   : SQL("ORDER BY shown.id DESC LIMIT 100");
}

static void build_page(struct sql_build *sql, const struct list_query *query, struct arena *arena)
{
	sql_start(sql, SQL("SELECT " COLUMNS "k.id, (SELECT COUNT(*) FROM api_keys "));
	add_filter(sql, query, arena);
	sql_add(sql, query->sort_by == API_KEY_BY_LABEL
			     ? SQL(") AS total FROM (SELECT id, label FROM api_keys ")
			     : SQL(") AS total FROM (SELECT id FROM api_keys "));
	/* Force the index by account, because it has an account's keys in the order of their
	 * ids. */
	if (query->sort_by == API_KEY_BY_ID && !query->search)
		sql_add(sql, SQL("FORCE INDEX (api_keys_account) "));
	add_filter(sql, query, arena);
	sql_add(sql, order_of(query));
	sql_add(sql, SQL("LIMIT ? OFFSET ?) shown JOIN api_keys k ON k.id = shown.id "),
		query->limit, query->offset);
	sql_add(sql, outer_order_of(query));
}

enum result api_key_list_page(struct db *db, const struct list_query *query, struct arena *arena,
			      struct api_key_page *page, struct error *error)
{
	static const struct field rows[] = {
		KEY_FIELDS(COLUMN_READ_ROW, struct api_key, 0) FIELD(struct api_key, id),
		LIST_TOTAL(struct api_key),
	};
	struct sql_build sql;
	build_page(&sql, query, arena);
	enum result result = list_read(db, &sql, FIELDS(rows), LIST_INTO(page), arena, error);
	if (result != OK)
		return result;
	if (page->count > 0 || query->offset == 0)
		return OK;
	sql_start(&sql, SQL("SELECT COUNT(*) AS total FROM api_keys "));
	add_filter(&sql, query, arena);
	return list_total_past_end(db, &sql, query->offset, &page->total, error);
}

static enum result find_one(struct db *db, const struct api_key *place, bool for_update,
			    struct arena *arena, struct api_key *key, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(API_KEY_SELECT "WHERE k.id = ? "), place->id);
	if (place->account_id > 0)
		sql_add(&sql, SQL("AND k.account_id = ? "), place->account_id);
	sql_add(&sql, SQL("ORDER BY k.id LIMIT 1"));
	if (for_update)
		sql_add(&sql, SQL(" FOR UPDATE"));
	return db_read_one(db, &sql, FIELDS(read_rows), key, arena, error);
}

enum result api_key_show(struct db *db, int64_t account_id, int64_t id, struct arena *arena,
			 struct api_key *key, struct error *error)
{
	const struct api_key place = { .id = id, .account_id = account_id };
	return find_one(db, &place, false, arena, key, error);
}

enum result api_key_lock(struct db *db, int64_t account_id, int64_t id, struct arena *arena,
			 struct api_key *key, struct error *error)
{
	const struct api_key place = { .id = id, .account_id = account_id };
	return find_one(db, &place, true, arena, key, error);
}

enum { MADE_ROWS = 1000 };

/* Appends the id. The caller adds ids in ascending order. */
static void add_id(struct id_list *list, size_t *room, int64_t id, struct arena *arena)
{
	list->ids = arena_grow(arena, list->ids, list->count, room, sizeof(*list->ids));
	list->ids[list->count++] = id;
}

/* Reads keys of the account that were made by other keys, ordered by id. */
static enum result read_made(struct db *db, int64_t account_id, int64_t after_id,
			     struct arena *arena, struct db_list *found, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(API_KEY_SELECT "WHERE k.account_id = ? AND k.id > ? "
					   "AND k.made_by_id > 0 ORDER BY k.id LIMIT 1000"));
	sql_add(&sql, account_id, after_id);
	return db_read_list(db, &sql, DB_SHAPE(FIELDS(read_rows), struct api_key, MADE_ROWS), arena,
			    found, error);
}

enum result api_key_find_made(struct db *db, const struct api_key *maker, struct instant now,
			      struct arena *arena, struct api_key_list *made, struct error *error)
{
	struct arena rows CLEANUP(arena_done);
	struct id_list makers = { 0 };
	struct db_list found = { .count = MADE_ROWS };
	size_t maker_room = 0, made_room = 0;
	enum result result = OK;
	*made = (struct api_key_list){ 0 };
	arena_init(&rows, arena->cap_bytes);
	add_id(&makers, &maker_room, maker->id, arena);
	/* A key has a higher id than its maker, so begin after the id of `maker`. */
	for (int64_t after_id = maker->id; result == OK && found.count == MADE_ROWS;) {
		arena_reset(&rows);
		result = read_made(db, maker->account_id, after_id, &rows, &found, error);
		for (size_t i = 0; result == OK && i < found.count; i++) {
			const struct api_key *key = (struct api_key *)found.rows + i;
			after_id = key->id;
			if (!bsearch(&key->made_by_id, makers.ids, makers.count, sizeof(int64_t),
				     id_order))
				continue;
			add_id(&makers, &maker_room, key->id, arena);
			if (!api_key_is_valid(key, now))
				continue;
			made->rows = arena_grow(arena, made->rows, made->count, &made_room,
						sizeof(*made->rows));
			made->rows[made->count] = *key;
			made->rows[made->count].made_by_label = NULL;
			made->rows[made->count++].label = arena_strdup(arena, key->label);
		}
	}
	return result;
}

enum result api_key_update(struct db *db, const struct api_key *key, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE api_keys SET " SETS "id = id WHERE id = ?"));
	columns_bind(&sql, FIELDS(updated_rows), key);
	sql_add(&sql, key->id);
	return db_write(db, &sql, NULL, error);
}

enum result api_key_shorten(struct db *db, const struct api_key_list *keys, struct instant end,
			    struct arena *arena, struct error *error)
{
	struct sql_build sql;
	int64_t *ids = ARENA_ARRAY(arena, keys->count, int64_t);
	for (size_t i = 0; i < keys->count; i++)
		ids[i] = keys->rows[i].id;
	sql_start(&sql, SQL("UPDATE api_keys SET expires_at = ? "
			    "WHERE (expires_at IS NULL OR expires_at > ?) AND id IN ("));
	sql_add(&sql, end, end);
	sql_list_ints(&sql, ids, keys->count, arena);
	sql_add(&sql, SQL(")"));
	return keys->count > 0 ? db_write(db, &sql, NULL, error) : OK;
}

enum result api_key_revoke(struct db *db, const struct id_list *ids, struct instant now,
			   struct arena *arena, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE api_keys SET revoked_at = COALESCE(revoked_at, ?) "
			    "WHERE id IN ("));
	sql_add(&sql, now);
	sql_list_ints(&sql, ids->ids, ids->count, arena);
	sql_add(&sql, SQL(")"));
	return db_write_found(db, &sql, error);
}

bool api_key_wants_touch(const struct api_key *key, struct instant now)
{
	return now.s - key->last_used_at.s >= TOUCH_EVERY_S;
}

struct touch {
	int64_t id;
	struct instant now;
};

/* Stores the time of use. Skips a locked row: then another request stores a time of use, or revokes
 * the key. */
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
	sql_add(&sql, touch->id);
	enum result result = db_read_one(db, &sql, FIELDS(lock_rows), &locked, &arena, error);
	if (result != OK)
		return result == E_NOT_FOUND ? OK : result;
	sql_start(&sql, SQL("UPDATE api_keys SET last_used_at = ? WHERE id = ?"), touch->now,
		  touch->id);
	return db_write(db, &sql, NULL, error);
}

enum result api_key_touch(struct db *db, int64_t id, struct instant now, struct error *error)
{
	return db_transact(db, DB_WRITE, touch_work, &(struct touch){ id, now }, error);
}
