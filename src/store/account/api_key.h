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

/* Creates a key. Sets key->id, and *text to the secret text of the key, which the arena owns. */
enum result api_key_create(struct db *db, struct api_key *key, const char **text,
			   struct arena *arena, struct error *error) MUST_USE;
/* Finds the key that a client sent. The key may be revoked or expired. E_NOT_FOUND: there is
 * none. */
enum result api_key_find(struct db *db, struct str text, struct arena *arena, struct api_key *key,
			 struct error *error) MUST_USE;
/* Lists up to 1,000 keys with ids above `after_id`, by id: of one account, or of all accounts if
 * account_id is 0. */
enum result api_key_list(struct db *db, int64_t account_id, int64_t after_id, struct arena *arena,
			 struct api_key_list *list, struct error *error) MUST_USE;
enum api_key_sort { API_KEY_BY_ID, API_KEY_BY_LABEL };
struct api_key_page {
	struct api_key *rows;
	size_t count;
	int64_t total; /* the number of keys in the whole list */
};
/* Reads one page of the list. Runs one statement, or two if the offset is past the end of the list.
 * A search looks in the label; sort_by is enum api_key_sort. */
enum result api_key_list_page(struct db *db, const struct list_query *query, struct arena *arena,
			      struct api_key_page *page, struct error *error) MUST_USE;
/* Finds a key of the account (0: of any account) by its id. E_NOT_FOUND: there is none. */
enum result api_key_show(struct db *db, int64_t account_id, int64_t id, struct arena *arena,
			 struct api_key *key, struct error *error) MUST_USE;
/* Does the same as api_key_show(), and locks the key. */
enum result api_key_lock(struct db *db, int64_t account_id, int64_t id, struct arena *arena,
			 struct api_key *key, struct error *error) MUST_USE;
/*
 * Finds the valid keys that `maker` has made, directly or through other keys, ordered by id. These
 * other keys may be invalid. In each row, use only the id, the account and the label. Runs a
 * statement for each 1,000 keys of the account that were made by keys.
 */
enum result api_key_find_made(struct db *db, const struct api_key *maker, struct instant now,
			      struct arena *arena, struct api_key_list *made, struct error *error)
	MUST_USE;
/* Stores the fields that a client may set. The caller has locked the key. */
enum result api_key_update(struct db *db, const struct api_key *key, struct error *error) MUST_USE;
/* Sets the expiry of the keys to `end`. Does not change a key that expires earlier. */
enum result api_key_shorten(struct db *db, const struct api_key_list *keys, struct instant end,
			    struct arena *arena, struct error *error) MUST_USE;
/* Revokes keys. A key that was revoked before keeps its time of revocation. E_NOT_FOUND: none of
 * the keys exists. */
enum result api_key_revoke(struct db *db, const struct id_list *ids, struct instant now,
			   struct arena *arena, struct error *error) MUST_USE;

/*
 * The column key_marks, followed by a comma, for a SELECT on status_pages. Its only argument is the
 * present time. For a page that is not public, the column lists the marks of the account's valid
 * keys; otherwise it is NULL. A mark is the first three hexadecimal digits of a key's hash
 * (access/page_access.h).
 */
#define API_KEY_MARKS \
	"IF(privacy = 0, NULL, COALESCE((" \
	"SELECT GROUP_CONCAT(DISTINCT LOWER(LEFT(HEX(k.key_hash), 3)) " \
	"ORDER BY LOWER(LEFT(HEX(k.key_hash), 3)) SEPARATOR '') " \
	"FROM api_keys k WHERE k.account_id = status_pages.account_id AND k.revoked_at IS NULL " \
	"AND (k.expires_at IS NULL OR k.expires_at > ?)), '')) AS key_marks, "

/* The time of use of a key is stored at most once a minute. api_key_wants_touch() returns whether
 * to store it now. api_key_touch() stores it, and skips a key whose row is locked. */
bool api_key_wants_touch(const struct api_key *key, struct instant now);
enum result api_key_touch(struct db *db, int64_t id, struct instant now, struct error *error)
	MUST_USE;

#endif
