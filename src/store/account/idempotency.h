/* The responses to writes with an Idempotency-Key, stored for a day. */
#ifndef STORE_ACCOUNT_IDEMPOTENCY_H
#define STORE_ACCOUNT_IDEMPOTENCY_H

#include "db/db.h"

enum { IDEMPOTENCY_KEPT_S = 24 * 3600 };

struct idempotency_key {
	int64_t account_id;
	const char *key_hash;	  /* SHA-256 in hexadecimal, like request_hash */
	const char *request_hash; /* hash of everything that determines the write */
	int64_t status;
	const char *headers; /* one line for each header */
	const char *body;
	struct instant created_at;
};

/* Stores the key. Call it in the transaction of the write. E_CONFLICT: the key is already
 * stored. */
enum result idempotency_claim(struct db *db, const struct idempotency_key *key, struct error *error)
	MUST_USE;
/* Finds the key by the account and key_hash of `wanted`. E_NOT_FOUND: there is none. */
enum result idempotency_find(struct db *db, const struct idempotency_key *wanted,
			     struct arena *arena, struct idempotency_key *key, struct error *error)
	MUST_USE;
/* Adds status, headers and body to the key's row. Call it in the transaction of
 * idempotency_claim(). The responses that an account stores on a day may have up to most_bytes; 0:
 * there is no limit. E_QUOTA_EXCEEDED: this response would exceed the limit. */
enum result idempotency_store_response(struct db *db, const struct idempotency_key *key,
				       int64_t most_bytes, struct error *error) MUST_USE;
/* Deletes up to 10,000 keys that were stored before `oldest`. */
enum result idempotency_forget(struct db *db, struct instant oldest, struct error *error) MUST_USE;

#endif
