/*
 * Accounts, which own monitors, status pages and keys. account_list() and account_find() ignore an
 * account that is marked as removed (store/account/removal.h). Its name stays in use until the last
 * row of the account is deleted.
 */
#ifndef STORE_ACCOUNT_ACCOUNT_H
#define STORE_ACCOUNT_ACCOUNT_H

#include "db/db.h"
#include "domain/account/account.h"

struct account_list {
	struct account *rows; /* owned by the arena */
	size_t count;
};

/* Inserts the account, and sets account->id. E_CONFLICT: the name is in use. Call it in a
 * transaction. */
enum result account_add(struct db *db, struct account *account, struct error *error) MUST_USE;
/* Stores account->needs_second_factor. */
enum result account_set_factor(struct db *db, const struct account *account, struct error *error)
	MUST_USE;
/* Lists up to 1,000 accounts with ids above `after_id`, by id, with the counts of struct
 * account. */
enum result account_list(struct db *db, int64_t after_id, struct arena *arena,
			 struct account_list *list, struct error *error) MUST_USE;
/* Finds an account: by id if `who` is a number, otherwise by name. E_NOT_FOUND. */
enum result account_find(struct db *db, const char *who, struct arena *arena,
			 struct account *account, struct error *error) MUST_USE;
/* Finds an account that is marked as removed; reads only its id and name. */
enum result account_find_removed(struct db *db, const char *who, struct arena *arena,
				 struct account *account, struct error *error) MUST_USE;

#endif
