/* Texts about incidents that wait until a second person approves them, in MySQL. */
#ifndef STORE_INCIDENT_PENDING_UPDATE_H
#define STORE_INCIDENT_PENDING_UPDATE_H

#include "db/db.h"
#include "domain/incident/pending_update.h"
#include "store/list.h"

/* Selects the waiting texts of the account. If incident_id is above 0, selects only the texts of
 * this incident. */
struct pending_query {
	struct list_query list;
	int64_t incident_id;
};

/* is_demanded: whether a page that shows the incident demands that a second person approves texts.
 * count: the number of waiting texts of the account. */
struct pending_demand {
	int64_t is_demanded;
	int64_t count;
};
enum result pending_update_demand(struct db *db, const struct incident *incident,
				  struct arena *arena, struct pending_demand *demand,
				  struct error *error) MUST_USE;
/* Inserts the text, and sets pending->id. */
enum result pending_update_insert(struct db *db, struct pending_update *pending,
				  struct error *error) MUST_USE;
/* Lists the waiting texts of the account, by id. incident_id above 0: only the texts of this
 * incident. */
enum result pending_update_list(struct db *db, int64_t account_id, int64_t incident_id,
				struct arena *arena, struct db_list *list, struct error *error)
	MUST_USE;
/* Finds a waiting text of the account. E_NOT_FOUND: there is none. */
enum result pending_update_find(struct db *db, int64_t account_id, int64_t id, struct arena *arena,
				struct pending_update *pending, struct error *error) MUST_USE;
/* Deletes the text. E_NOT_FOUND: somebody else has published or declined it. */
enum result pending_update_delete(struct db *db, int64_t id, struct error *error) MUST_USE;

#endif
