/*
 * What is read of reported incidents in MySQL, and locked before they are written. Their
 * rows in `incidents` name no monitor: so they are never an open incident of a monitor, nor the
 * last one that an observation is judged by. The monitors are in incident_monitors, which repeats
 * the times for the lists; an incident without monitors has one row without a monitor there, so
 * that the rows at position 0 are the account's reported incidents. Pages of a notice are in
 * incident_pages: a row stays when its incident leaves the month, and the row of incident 0 has
 * the revisions of deleted ones, so that the revision of a month only grows.
 */
#ifndef STORE_INCIDENT_INCIDENT_REPORT_H
#define STORE_INCIDENT_INCIDENT_REPORT_H

#include "db/db.h"
#include "domain/incident.h"

/*
 * Locks the monitors, sets their names, and checks the pages. Adds a violation for each monitor and
 * page that the account does not have; `sent` are the ids of monitors as the client sent them,
 * NULL: as the incident has them.
 */
enum result incident_report_lock(struct db *db, struct incident *incident,
				 const struct id_list *sent, struct arena *arena,
				 struct violations *violations, struct error *error) MUST_USE;

/* Reads the monitors and pages of a reported incident; of a detected one nothing. */
enum result incident_report_read(struct db *db, struct incident *incident, struct arena *arena,
				 struct error *error) MUST_USE;

/* Up to 4,096 incidents with their systems, without updates: a list of struct incident, by id. */
enum result incidents_read_whole(struct db *db, const struct id_list *ids, struct arena *arena,
				 struct db_list *found, struct error *error) MUST_USE;
/* The first reported incidents that cover the monitor, locked and whole: a list of struct incident.
 */
enum result incidents_lock_covering(struct db *db, int64_t monitor_id, size_t most,
				    struct arena *arena, struct db_list *found, struct error *error)
	MUST_USE;

#endif
