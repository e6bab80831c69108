/* The first responses to writes that carried an Idempotency-Key, for a day. */
#ifndef STORE_IDEMPOTENCY_H
#define STORE_IDEMPOTENCY_H

#include "db/db.h"

enum { IDEMPOTENCY_KEPT_S = 24 * 3600 };

struct idempotency_key {
	int64_t account_id;
	const char *key_hash;	  /* SHA-256 in hexadecimal, as what follows */
	const char *request_hash; /* of all that the request wants */
	int64_t status;
	const char *headers; /* a line each */
	const char *body;
	struct instant created_at;
};

/* Inside the transaction of the write that it stands for. E_CONFLICT: there is one. */
enum result idempotency_claim(struct db *db, const struct idempotency_key *key, struct error *error)
	MUST_USE;
/* The one of that account and hash. E_NOT_FOUND. */
enum result idempotency_find(struct db *db, const struct idempotency_key *wanted,
			     struct arena *arena, struct idempotency_key *key, struct error *error)
	MUST_USE;
/*
 * Adds status, headers and body, in the same transaction. E_QUOTA_EXCEEDED: the account has stored
 * more than most_bytes on this day; 0 is no limit.
 */
enum result idempotency_store_response(struct db *db, const struct idempotency_key *key,
				       int64_t most_bytes, struct error *error) MUST_USE;
/* Forgets those that were made before `oldest`. */
enum result idempotency_forget(struct db *db, struct instant oldest, struct error *error) MUST_USE;

#endif
