/*
 * Writes all changes of incidents. A change consists of the incident before and after the change.
 * A set has all changes of a transaction, and each statement writes rows for all changes of the
 * set. These rows are written:
 * - the rows of incidents, incident_monitors and incident_pages;
 * - the kept counts, the revisions of months, and the start of each monitor's history;
 * - the rows of the pages that show the incidents, which are marked as unpublished.
 *
 * All writers lock in this order, each table by its key, so that no two writers wait for each
 * other:
 *   1. monitors, before the incident is read. A change by a person knows only the incident, so it
 *      locks the incident first. If monitoring changes the incident at the same moment, the
 *      person's change may have to be repeated;
 *   2. incidents, and the rows that belong to one incident;
 *   3. counts, months;
 *   4. page_revisions, last, because many writes wait for them.
 *
 * Every write must run in a transaction.
 */
#ifndef STORE_INCIDENT_INCIDENT_WRITE_H
#define STORE_INCIDENT_INCIDENT_WRITE_H

#include "db/db.h"
#include "domain/incident/incident.h"

/* Why an incident has changed. Each reason appends an event. */
struct incident_why {
	enum event_kind kind; /* EVENT_NONE: no event */
	const char *detail;   /* never a secret; NULL: none */
	int64_t update_id;    /* see struct event_change */
};
enum { INCIDENT_WHY_MAX = 4 };

struct incident_change {
	const struct incident *before; /* the incident as it is stored; NULL: the incident is new */
	struct incident *after;	       /* NULL: the incident is removed */
	struct incident_why why[INCIDENT_WHY_MAX];
};

/*
 * Changes of one account. An incident may have several changes. `before` of its first change is the
 * stored incident. `before` of each further change is the `after` of the previous change. The rows
 * of the previous change must then be stored. If `monitors` of an incident is NULL, the incident
 * was read in part: only the columns that monitoring changes are stored (times, phase, impact, next
 * update).
 */
struct incident_set {
	struct db *db;
	int64_t account_id;
	struct instant now;
	struct error *error;
	struct incident_change *rows;
	size_t count;
	size_t room;   /* the allocated length of `rows`; only the owner of the array uses it */
	size_t stored; /* the rows of the first `stored` changes are stored */
};

/*
 * Stores the rows of the changes that are not stored yet, and sets the ids of new incidents. The
 * monitors of new detected incidents must be locked. E_CONFLICT: a monitor already has an open
 * incident. Runs these statements:
 * - two for each 512 new detected incidents
 * - one for each 512 changed incidents
 * - two or more for each new reported incident
 */
enum result incident_write_rows(struct incident_set *set) MUST_USE;
/*
 * Stores the remaining rows, and everything that follows from all changes of the set. Call it once,
 * at the end of the transaction, because it locks rows of page_revisions until COMMIT. For a single
 * change of a detected incident, runs one statement. Runs one more if the status has changed, and
 * one more if the months have changed.
 */
enum result incident_write_all(struct incident_set *set) MUST_USE;

#endif
