/*
 * Removes accounts and monitors, with all their rows, in transactions of at most REMOVAL_ROWS_MAX
 * rows. A cascade would delete a million incidents in one transaction: Galera and Group
 * Replication hold it in memory and stall the whole cluster.
 *
 * First the account is marked as removed: from then on its keys are refused and lists omit it.
 * Then removal_account_some() deletes its rows, status pages first, until no row is left. Any
 * process can continue an interrupted removal. Any process can also continue the removal of a
 * monitor, which monitor_detach() begins.
 */
#ifndef STORE_ACCOUNT_REMOVAL_H
#define STORE_ACCOUNT_REMOVAL_H

#include "db/db.h"

enum { REMOVAL_ROWS_MAX = 1000 };
/* Most incidents also change the row of a month. */
enum { REMOVAL_INCIDENTS_MAX = REMOVAL_ROWS_MAX / 2 };

/* An account that is being removed. Begin with zeros and the id. */
struct removal {
	int64_t account_id;
	int64_t deleted; /* rows, by this process */
	size_t step;
	bool has_no_pages; /* the rows of all pages are deleted: sweep the pages folder */
	bool is_done;
};

/* Marks the account as removed; a second call changes nothing. E_NOT_FOUND. */
enum result removal_mark(struct db *db, int64_t account_id, struct instant now, struct error *error)
	MUST_USE;

/* Finds the first marked account with an id above `after_id`, whose removal the background loop
 * then continues. E_NOT_FOUND. */
enum result removal_next(struct db *db, int64_t after_id, struct arena *arena, int64_t *account_id,
			 struct error *error) MUST_USE;

/* Deletes some rows of a marked account. Call it outside a transaction, until `is_done`. */
enum result removal_account_some(struct db *db, struct removal *removal, struct error *error)
	MUST_USE;

/* Deletes up to REMOVAL_INCIDENTS_MAX incidents of a monitor; *count is 0 when the monitor has
 * none. Run it in a transaction. */
enum result removal_incidents_some(struct db *db, int64_t monitor_id, struct arena *arena,
				   int64_t *count, struct error *error) MUST_USE;

/*
 * Counts the reported incidents that concern only this monitor, and are deleted with the monitor.
 */
enum result removal_reported_count(struct db *db, int64_t monitor_id, struct arena *arena,
				   int64_t *count, struct error *error) MUST_USE;

/*
 * Deletes some incidents of a monitor that is on no page, or the monitor if no incident is left.
 * Call it outside a transaction, until `*is_done`.
 */
enum result removal_monitor_some(struct db *db, int64_t id, bool *is_done, struct error *error)
	MUST_USE;

#endif
