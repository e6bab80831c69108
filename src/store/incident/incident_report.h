/*
 * Reads reported incidents from MySQL, and locks their monitors and pages before a write. The row
 * of a reported incident in `incidents` names no monitor. So a reported incident is never the open
 * incident of a monitor. Nor is it the last incident of a monitor, by which
 * service/incident/observations.c judges an observation.
 *
 * The table incident_monitors has the monitors of reported incidents, and copies of the incidents'
 * times, for lists. A reported incident without monitors has one row without a monitor. So each
 * reported incident has exactly one row at position 0.
 *
 * The table incident_pages has the pages that a reported incident names, with a row for each month
 * of the incident. The revision of a month only grows: a row stays when the incident is moved to
 * another month, and the rows of incident 0 keep the revisions of deleted incidents.
 */
#ifndef STORE_INCIDENT_INCIDENT_REPORT_H
#define STORE_INCIDENT_INCIDENT_REPORT_H

#include "db/db.h"
#include "domain/incident/incident.h"

/*
 * Locks the monitors and pages of the incident, and sets the names of the monitors. Adds a
 * violation for each monitor and page that the account does not have. A violation names the index
 * of the monitor in `sent`, the list of ids from the client. If `sent` is NULL, it names the index
 * in the incident's own list.
 */
enum result incident_report_lock(struct db *db, struct incident *incident,
				 const struct id_list *sent, struct arena *arena,
				 struct violations *violations, struct error *error) MUST_USE;

/* Reads the monitors and pages of a reported incident. Does nothing for a detected incident. */
enum result incident_report_read(struct db *db, struct incident *incident, struct arena *arena,
				 struct error *error) MUST_USE;

/* Reads up to 4,096 incidents with their monitors, but without their updates. Returns a list of
 * struct incident, ordered by id. */
enum result incidents_read_whole(struct db *db, const struct id_list *ids, struct arena *arena,
				 struct db_list *found, struct error *error) MUST_USE;
/* Locks the first `most` reported incidents that affect the monitor, and reads them whole: a list
 * of struct incident. */
enum result incidents_lock_covering(struct db *db, int64_t monitor_id, size_t most,
				    struct arena *arena, struct db_list *found, struct error *error)
	MUST_USE;

#endif
