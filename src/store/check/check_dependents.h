/* The monitors that depend on a monitor, directly or through other monitors. */
#ifndef STORE_CHECK_CHECK_DEPENDENTS_H
#define STORE_CHECK_CHECK_DEPENDENTS_H

#include "db/db.h"

struct check_dependent {
	int64_t id;
	const char *name;
	int64_t depends_on_id;
};
extern const struct fields check_dependent_fields; /* the fields id and name */

enum { CHECK_DEPENDENTS_MAX = 20000 };
struct check_dependents {
	struct check_dependent *rows; /* sorted by depends_on_id, then by id; owned by the arena */
	size_t count;
};

/* Reads the dependent monitors of the accounts: the first CHECK_DEPENDENTS_MAX that depend on a
 * monitor and are not retired. One statement. */
enum result check_dependents_read(struct db *db, const struct id_list *account_ids,
				  struct arena *arena, struct check_dependents *list,
				  struct error *error) MUST_USE;

/* Finds the rows of the list that depend on the monitor, direct dependents first. Returns their
 * number, and sets *found to an array of pointers to them. */
size_t check_dependents_of(const struct check_dependents *list, int64_t monitor_id,
			   struct arena *arena, const struct check_dependent ***found);

#endif
