/* API keys. Only their hashes are stored. */
#ifndef STORE_ACCOUNT_API_KEY_H
#define STORE_ACCOUNT_API_KEY_H

#include "base/secret.h"
#include "db/db.h"
#include "domain/account/key.h"
#include "store/list.h"

struct api_key_list {
	struct api_key *rows;
	size_t count;
};

/* Creates a key: sets key->id, and *text to the key itself, owned by the arena. */
enum result api_key_create(struct db *db, struct api_key *key, const char **text,
			   struct arena *arena, struct error *error) MUST_USE;
/* Finds the key that a client sent; the key may be revoked or expired. E_NOT_FOUND. */
enum result api_key_find(struct db *db, struct str text, struct arena *arena, struct api_key *key,
			 struct error *error) MUST_USE;
/* Up to 1,000 keys with ids above `after_id`, ordered by id: of one account, or of all accounts if
 * account_id is 0. */
enum result api_key_list(struct db *db, int64_t account_id, int64_t after_id, struct arena *arena,
			 struct api_key_list *list, struct error *error) MUST_USE;
enum api_key_sort { API_KEY_BY_ID, API_KEY_BY_LABEL };
struct api_key_page {
	struct api_key *rows;
	size_t count;
	int64_t total; /* without limit and offset */
};
/* Reads a page of the list by one statement, or by two past the end. A search looks in the label;
 * sort_by is enum api_key_sort. */
enum result api_key_list_page(struct db *db, const struct list_query *query, struct arena *arena,
			      struct api_key_page *page, struct error *error) MUST_USE;
/* Finds a key by its id in an account (0: in any). E_NOT_FOUND. */
enum result api_key_show(struct db *db, int64_t account_id, int64_t id, struct arena *arena,
			 struct api_key *key, struct error *error) MUST_USE;
/* Does the same as api_key_show(), and locks the key. */
enum result api_key_lock(struct db *db, int64_t account_id, int64_t id, struct arena *arena,
			 struct api_key *key, struct error *error) MUST_USE;
/*
 * Finds the valid keys that the key has made, directly or through other keys (even invalid ones),
 * ordered by id. Only the id, the account and the label of a row are valid after the call. One
 * statement for each 1,000 keys that keys of the account have made.
 */
enum result api_key_find_made(struct db *db, const struct api_key *maker, struct instant now,
			      struct arena *arena, struct api_key_list *made, struct error *error)
	MUST_USE;
/* Stores the fields that a client may set. The key is locked. */
enum result api_key_update(struct db *db, const struct api_key *key, struct error *error) MUST_USE;
/* Makes the keys end at `end`, unless they end earlier. */
enum result api_key_shorten(struct db *db, const struct api_key_list *keys, struct instant end,
			    struct arena *arena, struct error *error) MUST_USE;
/* Revokes keys. A key that was revoked earlier keeps its time. E_NOT_FOUND: no such key. */
enum result api_key_revoke(struct db *db, const struct id_list *ids, struct instant now,
			   struct arena *arena, struct error *error) MUST_USE;

/*
 * A column of a statement on status_pages, followed by a comma; one argument: the time. For a page
 * that is not public: the marks of the account's valid keys, which are the first three hexadecimal
 * digits of each hash (access/page_access.h).
 */
#define API_KEY_MARKS \
	"IF(privacy = 0, NULL, COALESCE((" \
	"SELECT GROUP_CONCAT(DISTINCT LOWER(LEFT(HEX(k.key_hash), 3)) " \
	"ORDER BY LOWER(LEFT(HEX(k.key_hash), 3)) SEPARATOR '') " \
	"FROM api_keys k WHERE k.account_id = status_pages.account_id AND k.revoked_at IS NULL " \
	"AND (k.expires_at IS NULL OR k.expires_at > ?)), '')) AS key_marks, "

/*
 * Stores the time of use, at most once a minute for each key. Does not wait for locks: a key whose
 * row is locked is skipped.
 */
bool api_key_wants_touch(const struct api_key *key, struct instant now);
enum result api_key_touch(struct db *db, int64_t id, struct instant now, struct error *error)
	MUST_USE;

#endif
