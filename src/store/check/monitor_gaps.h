/*
 * Gaps: the times in which checked monitors were not observed. A monitor has at most one open gap,
 * which has not ended.
 *
 * Pages show a gap as "no data", so a change of gaps marks the monitor's pages as unpublished. The
 * functions lock rows in the order of store/incident/incident_write.h.
 */
#ifndef STORE_CHECK_MONITOR_GAPS_H
#define STORE_CHECK_MONITOR_GAPS_H

#include "db/db.h"
#include "domain/page/page_snapshot.h"

struct monitor_gap {
	int64_t monitor_id;
	struct instant from;  /* 0: the start of the open gap, if there is one */
	struct instant until; /* 0: the gap is open; otherwise not before `from` */
};
enum { MONITOR_GAPS_MAX = 512 };

/*
 * Begins, ends or adds gaps of up to MONITOR_GAPS_MAX monitors: one row for each monitor. Sorts the
 * rows. An open gap keeps its start. Storing the same rows again changes nothing. Monitors that do
 * not exist are left out. A monitor that is not checked begins no gap. Call it in a transaction.
 *
 * Runs one statement if nothing changes, otherwise four; the number of rows does not matter. If
 * `changed` is not NULL, sets *changed to the number of monitors whose gaps have changed. Their
 * pages are then marked as unpublished. The caller publishes these pages by service_mark_account(),
 * or leaves them to the publisher.
 */
enum result monitor_gaps_store(struct db *db, struct monitor_gap *rows, size_t count,
			       struct instant now, size_t *changed, struct error *error) MUST_USE;

/*
 * Begins gaps in place of the checker, while no checker has the lease. A gap begins if the last
 * check was longer ago than two intervals and the timeout, or if a heartbeat is missing beyond the
 * grace period. One call handles up to MONITOR_GAPS_MAX checked monitors, in a transaction of its
 * own with a constant number of statements. If *is_more is true, call it again. The publisher
 * publishes the pages.
 */
enum result monitor_gaps_begin_idle(struct db *db, struct instant now, bool *is_more,
				    struct error *error) MUST_USE;

/* Ends the monitor's open gap, if there is one. Call it in the transaction that ends the checks of
 * the monitor. */
enum result monitor_gaps_end(struct db *db, int64_t monitor_id, struct instant now,
			     struct error *error) MUST_USE;

/* If the end of a gap is in the future, sets it to `now`. Such an end was stored before the
 * database's clock was set back. Runs transactions of its own; the publisher publishes the
 * pages. */
enum result monitor_gaps_cut(struct db *db, struct instant now, struct error *error) MUST_USE;

/* Gaps are kept as long as pages have reports, so that the figures of a month do not change. */
enum { MONITOR_GAPS_KEPT_S = (PAGE_REPORTS_MAX + 1) * 31 * DAY_S };
/* For up to MONITOR_GAPS_MAX monitors, deletes all gaps that ended before `before`. Two statements.
 * If *is_more is true, call it again. */
enum result monitor_gaps_prune(struct db *db, struct instant before, bool *is_more,
			       struct error *error) MUST_USE;

/* Deletes up to `most` gaps of a monitor that is being removed. */
enum result monitor_gaps_delete(struct db *db, int64_t monitor_id, int64_t most, int64_t *deleted,
				struct error *error) MUST_USE;

#endif
