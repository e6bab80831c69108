/*
 * The updates of incidents in MySQL. The caller keeps `comment` of an incident equal to the body
 * of its newest update. If `comment` is NULL, the incident has no updates, and this table is not
 * read.
 */
#ifndef STORE_INCIDENT_INCIDENT_UPDATE_H
#define STORE_INCIDENT_INCIDENT_UPDATE_H

#include "db/db.h"
#include "domain/incident/incident.h"

/* Sets update->id. E_QUOTA_EXCEEDED: the incident has `most` updates or more. */
enum result incident_update_insert(struct db *db, const struct incident *incident, int64_t most,
				   struct posted_update *update, struct error *error) MUST_USE;
/* Stores the comments of new incidents as their first updates; the update of an incident that is
 * over has the time of its end. One statement for each 4,096, none for an empty list. */
enum result incident_updates_of_comments(struct db *db, const struct id_list *ids,
					 struct arena *arena, struct error *error) MUST_USE;
/* Finds an update of the incident. E_NOT_FOUND: the incident has no such update. */
enum result incident_update_find(struct db *db, int64_t incident_id, int64_t id,
				 struct arena *arena, struct posted_update *update,
				 struct error *error) MUST_USE;
/* Stores body, time and edited_at. */
enum result incident_update_save(struct db *db, const struct posted_update *update,
				 struct error *error) MUST_USE;
/* Deletes the impacts that the incident's updates have set, after the impact was corrected from the
 * start of the incident on. */
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

/* One of the newest updates of several incidents, newest first, as far as pages show them. */
struct incident_update_row {
	int64_t incident_id;
	int64_t total; /* all updates of the incident, including those that are not listed */
	struct posted_update update;
};
enum { INCIDENT_UPDATES_SHOWN_MAX = 50, INCIDENT_UPDATES_SHOWN_MAX_BYTES = 4 << 20 };
/*
 * Reads a list of struct incident_update_row, by incident; `ids` are at most 512. At most
 * INCIDENT_UPDATES_SHOWN_MAX of each incident. If all texts exceed the limit of bytes, the newest
 * updates of each incident are kept first.
 */
enum result incident_updates_list(struct db *db, const int64_t *ids, size_t count,
				  struct arena *arena, struct db_list *list, struct error *error)
	MUST_USE;
/* The updates in the list that belong to the incident. *total: how many updates the incident has,
 * including those that the list leaves out. */
struct posted_updates incident_updates_of(const struct incident *incident,
					  const struct db_list *list, struct arena *arena,
					  size_t *total);

#endif
