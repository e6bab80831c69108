/*
 * The months in which incidents go on that began in an earlier one. Pages list an incident in each
 * of them. While it is open, pages derive them from the clock; once it has ended, incident_months
 * has a row for each, as for the month of its start.
 */
#ifndef STORE_INCIDENT_INCIDENT_MONTHS_H
#define STORE_INCIDENT_INCIDENT_MONTHS_H

#include "db/db.h"
#include "domain/incident.h"

struct later_month {
	int64_t monitor_id;
	struct instant start;
};

/* The newest PAGE_MONTHS_MAX of each incident. Starts with its arena alone. */
struct later_months {
	struct arena *arena;
	struct later_month *rows;
	size_t count;
	size_t room;
};

/* Adds the months after that of the start; none of an open incident, or of one that ended in the
 * month of its start. */
void later_months_add(struct later_months *months, int64_t monitor_id, struct instant started_at,
		      struct instant ended_at);
/* The same for all monitors of an incident. */
void later_months_add_incident(struct later_months *months, const struct incident *incident);
/* Marks the months as changed; a statement for each 512, and none for no months. */
enum result later_months_touch(struct db *db, const struct later_months *months,
			       struct error *error) MUST_USE;

/* Marks the months of an incident as it was and as it is, for its monitors and for the pages that
 * it names. Either may be NULL. No statement, unless one of them has such months. */
enum result incident_touch_later_months(struct db *db, const struct incident *before,
					const struct incident *after, struct error *error) MUST_USE;

#endif
