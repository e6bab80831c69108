/*
 * The updates of incidents in MySQL. `comment` of an incident is the body of its newest update,
 * which the caller keeps so, and NULL if it has none: only then is this table not read.
 */
#ifndef STORE_INCIDENT_INCIDENT_UPDATE_H
#define STORE_INCIDENT_INCIDENT_UPDATE_H

#include "db/db.h"
#include "domain/incident.h"

/* Sets update->id. E_QUOTA_EXCEEDED: the incident has `most` already, or more. */
enum result incident_update_insert(struct db *db, const struct incident *incident, int64_t most,
				   struct posted_update *update, struct error *error) MUST_USE;
/* Makes the comments of new incidents their first updates: of an incident that is over, of its end.
 * A statement for each 4,096, none for no ids. */
enum result incident_updates_of_comments(struct db *db, const struct id_list *ids,
					 struct arena *arena, struct error *error) MUST_USE;
/* E_NOT_FOUND: unknown, or of another incident. */
enum result incident_update_find(struct db *db, int64_t incident_id, int64_t id,
				 struct arena *arena, struct posted_update *update,
				 struct error *error) MUST_USE;
/* Stores body, time and edited_at. */
enum result incident_update_save(struct db *db, const struct posted_update *update,
				 struct error *error) MUST_USE;
/* What its updates changed is not known any more: its impact was corrected from its start on. */
enum result incident_update_forget_impacts(struct db *db, int64_t incident_id, struct error *error)
	MUST_USE;
enum result incident_update_delete(struct db *db, int64_t id, struct error *error) MUST_USE;
/* E_NOT_FOUND: the incident has none. */
enum result incident_update_newest(struct db *db, int64_t incident_id, struct arena *arena,
				   struct posted_update *update, struct error *error) MUST_USE;
/* Reads the updates of one incident, if its comment says that it has any. */
enum result incident_updates_read(struct db *db, const struct incident *incident,
				  struct arena *arena, struct posted_updates *updates,
				  struct error *error) MUST_USE;

/* The newest updates of several incidents, newest first, as far as pages show them. */
struct incident_update_row {
	int64_t incident_id;
	int64_t total; /* of the incident's updates, with those that are not listed */
	struct posted_update update;
};
enum { INCIDENT_UPDATES_SHOWN_MAX = 50, INCIDENT_UPDATES_SHOWN_MAX_BYTES = 4 << 20 };
/*
 * `ids` are at most 512. A list of struct incident_update_row, by incident: at most
 * INCIDENT_UPDATES_SHOWN_MAX of each, and of all the newest of each first as far as the bytes
 * allow.
 */
enum result incident_updates_list(struct db *db, const int64_t *ids, size_t count,
				  struct arena *arena, struct db_list *list, struct error *error)
	MUST_USE;
/* The updates in the list that belong to the incident. *total: how many updates the incident has,
 * with those that the list leaves out. */
struct posted_updates incident_updates_of(const struct incident *incident,
					  const struct db_list *list, struct arena *arena,
					  size_t *total);

#endif
