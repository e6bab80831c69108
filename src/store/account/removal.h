/*
 * Removes accounts and monitors, with all their rows, in transactions of at most REMOVAL_ROWS_MAX
 * rows. A cascade would delete a million incidents in one transaction: Galera and Group Replication
 * would hold this transaction in memory, and stall the whole cluster.
 *
 * First the account is marked as removed: from then on its keys are refused and lists omit it. Then
 * removal_account_some() deletes its rows, status pages first, until no row is left. Any process
 * can continue an interrupted removal. Any process can also continue the removal of a monitor,
 * which monitor_detach() begins.
 */
#ifndef STORE_ACCOUNT_REMOVAL_H
#define STORE_ACCOUNT_REMOVAL_H

#include "db/db.h"

enum { REMOVAL_ROWS_MAX = 1000 };
/* The deletion of an incident usually also changes the row of a month. So a transaction deletes
 * only half as many incidents as other rows. */
enum { REMOVAL_INCIDENTS_MAX = REMOVAL_ROWS_MAX / 2 };

/* The progress of the removal of an account. Begin with zeros and the id. */
struct removal {
	int64_t account_id;
	int64_t deleted; /* rows that this process has deleted */
	size_t step;
	bool has_no_pages; /* the rows of all pages are deleted, so the caller must sweep the pages
			      folder */
	bool is_done;
};

/* Marks the account as removed. A second call changes nothing. E_NOT_FOUND: there is no such
 * account. */
enum result removal_mark(struct db *db, int64_t account_id, struct instant now, struct error *error)
	MUST_USE;

/* Finds the first account with an id above `after_id` that is marked as removed. The background
 * loop then continues its removal. E_NOT_FOUND: there is none. */
enum result removal_next(struct db *db, int64_t after_id, struct arena *arena, int64_t *account_id,
			 struct error *error) MUST_USE;

/* Deletes some rows of a marked account. Call it outside a transaction, until `is_done`. */
enum result removal_account_some(struct db *db, struct removal *removal, struct error *error)
	MUST_USE;

/* Deletes up to REMOVAL_INCIDENTS_MAX incidents of a monitor. Sets *count to their number, which is
 * 0 when the monitor has none left. Call it in a transaction. */
enum result removal_incidents_some(struct db *db, int64_t monitor_id, struct arena *arena,
				   int64_t *count, struct error *error) MUST_USE;

/* Counts the reported incidents that are deleted with this monitor: they have no other monitor, and
 * no page. */
enum result removal_reported_count(struct db *db, int64_t monitor_id, struct arena *arena,
				   int64_t *count, struct error *error) MUST_USE;

/* Deletes some rows of a monitor that is on no page: first incidents, then gaps and sums, at last
 * the monitor. Call it outside a transaction, until *is_done is true. */
enum result removal_monitor_some(struct db *db, int64_t id, bool *is_done, struct error *error)
	MUST_USE;

#endif
