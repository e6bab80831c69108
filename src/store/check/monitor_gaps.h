/*
 * The times in which checked monitors were not observed. A monitor has at most one gap that goes
 * on.
 *
 * An account's pages show such a time as "no data": a change marks the pages that show the monitor,
 * and locks in the order of store/incident/incident_write.h.
 */
#ifndef STORE_CHECK_MONITOR_GAPS_H
#define STORE_CHECK_MONITOR_GAPS_H

#include "db/db.h"

struct monitor_gap {
	int64_t monitor_id;
	struct instant from;  /* 0: when the gap that goes on began; there may be none */
	struct instant until; /* 0: the gap goes on; else at least `from` */
};
enum { MONITOR_GAPS_MAX = 512 };

/*
 * Begins, ends or adds gaps of up to MONITOR_GAPS_MAX monitors, a row for each monitor; sorts the
 * rows. A gap that goes on keeps its start. Storing the same rows again changes nothing. Monitors
 * that do not exist are left out. Must run in a transaction.
 *
 * One statement if nothing changes, else four, whatever the number of rows. *changed (may be NULL):
 * how many monitors have changed. Their pages are unpublished then, and the caller publishes them,
 * by service_mark_account(), or leaves them to the publisher.
 */
enum result monitor_gaps_store(struct db *db, struct monitor_gap *rows, size_t count,
			       struct instant now, size_t *changed, struct error *error) MUST_USE;

/* Deletes up to `most` gaps of a monitor that is being removed. */
enum result monitor_gaps_delete(struct db *db, int64_t monitor_id, int64_t most, int64_t *deleted,
				struct error *error) MUST_USE;

#endif
