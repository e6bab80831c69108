/* Lists of the updates that people have posted about an incident or a maintenance window. */
#ifndef STORE_POSTED_UPDATE_H
#define STORE_POSTED_UPDATE_H

#include "domain/incident/posted_update.h"
#include "store/list.h"

enum posted_update_owner { POSTED_OF_INCIDENT, POSTED_OF_MAINTENANCE };

struct posted_update_list {
	struct posted_update *rows; /* owned by the arena */
	size_t count;
	int64_t total; /* the number of rows, ignoring limit and offset */
};

/*
 * Reads the updates of the incident or window query->owner_id, ordered by time. A search looks in
 * the body. One statement. E_NOT_FOUND: the account has no such incident or window.
 */
enum result posted_update_list(struct db *db, enum posted_update_owner owner,
			       const struct list_query *query, struct arena *arena,
			       struct posted_update_list *list, struct error *error) MUST_USE;

#endif
