/*
 * Accounts, which own monitors, status pages and keys. An account that has been marked as
 * removed (store/removal.h) is neither found nor listed; its name is in use until the last row is
 * deleted.
 */
#ifndef STORE_ACCOUNT_H
#define STORE_ACCOUNT_H

#include "db/db.h"

struct account {
	int64_t id;
	const char *name;
	int64_t keys; /* how many the account has, like the next two */
	int64_t monitors;
	int64_t status_pages;
	int64_t upload_bytes;
	int64_t incidents_today;      /* opened since midnight, UTC */
	int64_t response_bytes_today; /* stored for an Idempotency-Key */
	struct instant created_at;
};

extern const struct fields account_fields;

struct account_list {
	struct account *rows; /* owned by the arena */
	size_t count;
};

/* E_CONFLICT: the name is in use. Run it in a transaction. */
enum result account_add(struct db *db, const char *name, struct instant now, int64_t *id,
			struct error *error) MUST_USE;
/* Up to 1,000 accounts above `after_id`, by id; with their counts. */
enum result account_list(struct db *db, int64_t after_id, struct arena *arena,
			 struct account_list *list, struct error *error) MUST_USE;
/* By id, or by name where `who` is no number. E_NOT_FOUND. */
enum result account_find(struct db *db, const char *who, struct arena *arena,
			 struct account *account, struct error *error) MUST_USE;

#endif
