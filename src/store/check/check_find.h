/* Finds monitors by an id, a label or a name that an operator has typed. */
#ifndef STORE_CHECK_CHECK_FIND_H
#define STORE_CHECK_CHECK_FIND_H

#include "db/db.h"

struct check_found {
	int64_t id;
	int64_t account_id;
	const char *name;
};
struct check_found_list {
	struct check_found *rows; /* sorted by id; owned by the arena */
	size_t count;
};
enum { CHECK_FOUND_MAX = 20 };
/* Finds up to CHECK_FOUND_MAX checked monitors, of all accounts, whose id, label or name is
 * `text`. */
enum result check_find(struct db *db, const char *text, struct arena *arena,
		       struct check_found_list *list, struct error *error) MUST_USE;

#endif
