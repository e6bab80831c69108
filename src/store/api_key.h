/* API keys: stored as hashes, never as what a client sends. */
#ifndef STORE_API_KEY_H
#define STORE_API_KEY_H

#include "base/secret.h"
#include "db/db.h"

struct api_key {
	int64_t id;
	int64_t account_id;
	const char *label;
	bool is_read_only;
	struct instant expires_at;
	struct instant revoked_at;
	struct instant last_used_at;
	struct instant created_at;
};

extern const struct fields api_key_fields;

struct api_key_list {
	struct api_key *rows;
	size_t count;
};

/* Makes a key: its text, shown this once, belongs to the arena; key->id is set. */
enum result api_key_create(struct db *db, struct api_key *key, const char **text,
			   struct arena *arena, struct error *error) MUST_USE;
/* The key that a client sent, revoked and expired ones too. E_NOT_FOUND. */
enum result api_key_find(struct db *db, struct str text, struct arena *arena, struct api_key *key,
			 struct error *error) MUST_USE;
/* Up to 1,000 keys above `after_id`, by id, of one account, or of all for account_id 0. */
enum result api_key_list(struct db *db, int64_t account_id, int64_t after_id, struct arena *arena,
			 struct api_key_list *list, struct error *error) MUST_USE;
/* The key of that id and account (0: of any), locked. E_NOT_FOUND. */
enum result api_key_lock(struct db *db, int64_t account_id, int64_t id, struct arena *arena,
			 struct api_key *key, struct error *error) MUST_USE;
/* E_NOT_FOUND: no such key. Revoking twice keeps the first time. */
enum result api_key_revoke(struct db *db, int64_t id, struct instant now, struct error *error)
	MUST_USE;

/* Whether the key may be used at `now`. */
bool api_key_is_valid(const struct api_key *key, struct instant now);

/*
 * Notes the use, once a minute a key: last_used_at is that exact and costs no more. Waits
 * for nobody: a key whose row is locked is passed over.
 */
bool api_key_wants_touch(const struct api_key *key, struct instant now);
enum result api_key_touch(struct db *db, int64_t id, struct instant now, struct error *error)
	MUST_USE;

#endif
