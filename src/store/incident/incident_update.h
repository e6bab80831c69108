/*
 * The updates of incidents in MySQL. Callers keep `comment` of an incident equal to the body of its
 * newest update. If `comment` is NULL, the incident has no updates, and the table incident_updates
 * is not read.
 */
#ifndef STORE_INCIDENT_INCIDENT_UPDATE_H
#define STORE_INCIDENT_INCIDENT_UPDATE_H

#include "db/db.h"
#include "domain/incident/incident.h"

/* Inserts the update, and sets update->id. E_QUOTA_EXCEEDED: the incident already has `most`
 * updates. */
enum result incident_update_insert(struct db *db, const struct incident *incident, int64_t most,
				   struct posted_update *update, struct error *error) MUST_USE;
/* Stores the comments of new incidents as their first updates. The update of an incident that is
 * over has the time of the incident's end. Runs one statement for each 4,096 incidents, and none
 * for an empty list. */
enum result incident_updates_of_comments(struct db *db, const struct id_list *ids,
					 struct arena *arena, struct error *error) MUST_USE;
/* Finds an update of the incident. E_NOT_FOUND: the incident has no such update. */
enum result incident_update_find(struct db *db, int64_t incident_id, int64_t id,
				 struct arena *arena, struct posted_update *update,
				 struct error *error) MUST_USE;
/* Stores body, time and edited_at. */
enum result incident_update_save(struct db *db, const struct posted_update *update,
				 struct error *error) MUST_USE;
/* Clears the impacts that the incident's updates have set. Call it when a person corrects the
 * impact of the whole incident. */
enum result incident_update_forget_impacts(struct db *db, int64_t incident_id, struct error *error)
	MUST_USE;
enum result incident_update_delete(struct db *db, int64_t id, struct error *error) MUST_USE;
/* Finds the newest update of the incident. E_NOT_FOUND: the incident has no updates. */
enum result incident_update_newest(struct db *db, int64_t incident_id, struct arena *arena,
				   struct posted_update *update, struct error *error) MUST_USE;
/* Reads the updates of one incident. If incident->comment is NULL, the incident has no updates, and
 * the table is not read. */
enum result incident_updates_read(struct db *db, const struct incident *incident,
				  struct arena *arena, struct posted_updates *updates,
				  struct error *error) MUST_USE;

/* One of the newest updates of an incident, in a list for several incidents. */
struct incident_update_row {
	int64_t incident_id;
	int64_t total; /* all updates of the incident, including those that are not listed */
	struct posted_update update;
};
enum { INCIDENT_UPDATES_SHOWN_MAX = 50, INCIDENT_UPDATES_SHOWN_MAX_BYTES = 4 << 20 };
/*
 * Reads the newest updates of up to 512 incidents, as far as pages show them: at most
 * INCIDENT_UPDATES_SHOWN_MAX of each incident. If all texts together exceed
 * INCIDENT_UPDATES_SHOWN_MAX_BYTES, leaves out the oldest updates of each incident. Returns rows of
 * struct incident_update_row, ordered by incident, newest first.
 */
enum result incident_updates_list(struct db *db, const int64_t *ids, size_t count,
				  struct arena *arena, struct db_list *list, struct error *error)
	MUST_USE;
/* Returns the updates in the list that belong to the incident. Sets *total to the number of all its
 * updates, including those that the list leaves out. */
struct posted_updates incident_updates_of(const struct incident *incident,
					  const struct db_list *list, struct arena *arena,
					  size_t *total);

#endif
