/* The responses to writes with an Idempotency-Key, stored for a day. */
#ifndef STORE_ACCOUNT_IDEMPOTENCY_H
#define STORE_ACCOUNT_IDEMPOTENCY_H

#include "db/db.h"

enum { IDEMPOTENCY_KEPT_S = 24 * 3600 };

struct idempotency_key {
	int64_t account_id;
	const char *key_hash;	  /* SHA-256 in hexadecimal, as request_hash is */
	const char *request_hash; /* hash of everything that determines the write */
	int64_t status;
	const char *headers; /* a line each */
	const char *body;
	struct instant created_at;
};

/* Stores the key, in the transaction of its write. E_CONFLICT: the key is stored already. */
enum result idempotency_claim(struct db *db, const struct idempotency_key *key, struct error *error)
	MUST_USE;
/* Finds the key by the account and key_hash of `wanted`. E_NOT_FOUND. */
enum result idempotency_find(struct db *db, const struct idempotency_key *wanted,
			     struct arena *arena, struct idempotency_key *key, struct error *error)
	MUST_USE;
/* Adds status, headers and body, in the transaction of idempotency_claim(). E_QUOTA_EXCEEDED: the
 * account has stored more than most_bytes on this day; 0: no limit. */
enum result idempotency_store_response(struct db *db, const struct idempotency_key *key,
				       int64_t most_bytes, struct error *error) MUST_USE;
/* Deletes keys that were stored before `oldest`, at most 10,000. */
enum result idempotency_forget(struct db *db, struct instant oldest, struct error *error) MUST_USE;

#endif
