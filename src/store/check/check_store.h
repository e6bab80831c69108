/*
 * The data that the checker reads and writes: the monitors that are checked, their states, their
 * hours, and the signals of the web program (heartbeats, "check now"). One statement reads or
 * writes the rows of many monitors.
 *
 * A checker writes only while it has the lease of its location. Its transactions call
 * check_lease_hold(). From then until the transaction ends, no other checker can take the lease.
 */
#ifndef STORE_CHECK_CHECK_STORE_H
#define STORE_CHECK_CHECK_STORE_H

#include "domain/monitor/check_state.h"
#include "store/check/check_settings_store.h"
#include "store/event.h"

/* The last report of the checker about an outage of a monitor. */
struct check_reported {
	/* CHECK_REPORT_DOWN or CHECK_REPORT_SLOW. CHECK_REPORT_NONE: there is no report, or the
	 * outage is over. */
	int kind;
	struct instant since; /* the start of the outage; `kind` and `since` identify the outage */
};

/* A checked monitor, with its state. */
struct checked_monitor {
	int64_t id;
	int64_t account_id;
	const char *name;
	bool is_paused;
	struct check_settings settings;
	struct check_state state; /* the stored state */
	struct check_reported reported;
	struct check_hour hour; /* the newest stored hour, which may have no checks */
	bool is_known;		/* the monitor's history has begun */
	bool has_gap;		/* the monitor has an open gap */
};
struct checked_list {
	struct checked_monitor *rows; /* sorted by id; owned by the arena */
	size_t count;
};
enum { CHECKED_LIST_MAX = 1000 };
/*
 * Reads the monitors of the range, in the order of their ids, with their states and newest hours.
 * Reads only monitors that are checked (type not external) and neither retired nor removed. For a
 * location, reads the states and hours that the location has found. range->most is at most
 * CHECKED_LIST_MAX. Fewer rows than range->most mean that there are no more monitors. `key`: see
 * stored_checks_read(). Two statements.
 */
enum result checked_list_read(struct db *db, const uint8_t *key, const struct check_range *range,
			      struct arena *arena, struct checked_list *list, struct error *error)
	MUST_USE;
/* A mark of all settings of checks. If it differs from the last mark, settings have changed. */
struct checked_mark {
	int64_t total;
	int64_t sum;
	struct instant newest;
};
enum result checked_mark_read(struct db *db, struct checked_mark *mark, struct error *error)
	MUST_USE;

/* The data to be stored about a monitor. */
struct check_record {
	int64_t monitor_id;
	struct check_state state;
	struct check_hour hour;
	struct instant tls_expires_at; /* 0: unknown, so the stored time does not change */
	struct instant tls_seen_at; /* when the certificate was last seen; 0: the stored time does
				       not change */
	char tls_issuer[256];	    /* "": unknown */
};
/* An hour of a monitor. */
struct checked_hour {
	int64_t monitor_id;
	struct check_hour hour;
	bool makes_day;	     /* also compute the monitor's day from its hours */
	bool is_part;	     /* true: the sums that one location has measured */
	int64_t location_id; /* the location, if is_part is true */
};
struct check_batch {
	const struct check_record *records; /* up to CHECK_RECORDS_MAX; `hour` is not stored */
	size_t count;
	const struct checked_hour *hours;
	size_t hour_count;
};
enum { CHECK_RECORDS_MAX = 1024 };
/*
 * Stores the batch in one transaction. Leaves out monitors that do not exist any more. Limits
 * numbers to the largest values of the columns. E_CONFLICT: `holder` does not have the lease, and
 * nothing was stored.
 */
enum result check_records_store(struct db *db, const char *holder, const struct check_batch *batch,
				struct error *error) MUST_USE;

/*
 * Stores the findings of a location, as check_records_store() does. Leaves out monitors that the
 * location does not check. Call it in a transaction.
 */
enum result check_votes_store(struct db *db, const struct check_location *location,
			      const struct check_batch *batch, struct error *error) MUST_USE;

/* Stores hours, and computes days from them. `rows` must be sorted by hour and monitor.
 * check_records_store() and check_votes_store() call this function. */
enum result check_hours_store(struct db *db, const struct checked_hour *rows, size_t count,
			      struct error *error) MUST_USE;
/* Deletes the hours and days of up to 64 monitors, in several statements. Call it outside a
 * transaction. Sets *deleted to the number of deleted rows. */
enum result check_sums_delete(struct db *db, const struct id_list *ids, int64_t *deleted,
			      struct error *error) MUST_USE;

/* The state of a monitor, and the checker's report about it. check_reported_store() stores both, in
 * the transaction of the report. */
struct check_reported_state {
	int64_t monitor_id;
	const struct check_state *state;
	struct check_reported reported;
};
enum result check_reported_store(struct db *db, const struct check_reported_state *rows,
				 size_t count, struct error *error) MUST_USE;

/* The start of a monitor's history. */
struct check_beginning {
	int64_t monitor_id;
	struct instant since;
};
/* Stores the start of the history of up to CHECK_RECORDS_MAX monitors that do not have one yet.
 * Marks the pages that show these monitors as unpublished. Call it in a transaction. */
enum result check_beginnings_store(struct db *db, const struct check_beginning *rows, size_t count,
				   struct instant now, struct error *error) MUST_USE;

/* Reads the newest stored hour; 0: there is none. Hours are deleted if they are more than
 * CHECK_HOURS_KEPT_S older than the newest hour. */
enum { CHECK_HOURS_KEPT_S = 14 * 86400 };
enum result check_hours_newest(struct db *db, struct instant *newest, struct error *error) MUST_USE;
/* Deletes up to CHECK_PRUNED_ROWS rows whose hour or day is before `before`. If *is_more is true,
 * call it again. */
enum { CHECK_PRUNED_ROWS = 1000 };
enum check_sums { CHECK_HOURS, CHECK_LOCATION_HOURS, CHECK_DAYS };
enum result check_sums_prune(struct db *db, enum check_sums sums, struct instant before,
			     bool *is_more, struct error *error) MUST_USE;

/* The signals from the web program to the checker. The column `kind` stores these values. */
enum check_signal_kind {
	SIGNAL_CHECK_NOW,
	SIGNAL_HEARTBEAT,
	SIGNAL_START,
	SIGNAL_FAIL,
	SIGNAL_EXIT
};
struct check_signal {
	int64_t id;
	int64_t monitor_id;
	int kind;
	int64_t value; /* of SIGNAL_EXIT: the exit status */
	struct instant at;
};
/*
 * Reads up to `most` signals with ids above `after_id`, by id. A signal may become visible after a
 * signal with a higher id was read. So a reader begins at id 0 each time, and deletes the signals
 * that it has processed.
 */
enum result check_signals_read(struct db *db, int64_t after_id, struct check_signal *rows,
			       size_t most, size_t *count, struct error *error) MUST_USE;
enum result check_signals_delete(struct db *db, const int64_t *ids, size_t count,
				 struct error *error) MUST_USE;

enum { CHECK_LEASE_S = 15 };
struct check_lease {
	bool is_held;
	int64_t now_ms; /* the database's clock, in Unix time */
};
/*
 * Takes or renews the lease of the installation's own location for CHECK_LEASE_S seconds, by the
 * database's clock. If this clock was set back, shortens another holder's lease to this time. Of
 * the location's checkers, only the holder of the lease checks. `holder` is a random id of 16
 * characters.
 */
enum result check_lease_take(struct db *db, const char *holder, struct check_lease *lease,
			     struct error *error) MUST_USE;
/* Locks the lease: until the transaction ends, no other checker can take it. Call it in a
 * transaction. E_CONFLICT: another checker has the lease. */
enum result check_lease_hold(struct db *db, const char *holder, struct error *error) MUST_USE;
/* *is_over is true if location 0 has a row, and no checker has its lease. In this case locks the
 * lease: until the transaction ends, no checker can take it. */
enum result check_lease_is_over(struct db *db, bool *is_over, struct error *error) MUST_USE;
/* Ends the lease of `holder`. `apart_s` is the time between two runs of `daymark-check --once`, in
 * seconds; 0: there are no such runs. After such a run, the lease counts as over only when 2 *
 * `apart_s` + 60 seconds have passed. */
enum result check_lease_drop(struct db *db, const char *holder, int64_t apart_s,
			     struct error *error) MUST_USE;
/* What a run of `daymark-check --once` reads before it takes the lease. rest_s: seconds since a
 * checker last had the lease. */
struct check_rest {
	int64_t rest_s;	  /* -1: no checker has ever had the lease */
	bool is_expected; /* no checker has the lease, but the next run is not late */
};
enum result check_rest_read(struct db *db, struct check_rest *rest, struct error *error) MUST_USE;
/* monitors: the number of checked monitors. idle_s: 0 while the lease is not over, otherwise the
 * seconds since a checker last had the lease; -1: no checker has ever had it. */
struct check_idleness {
	int64_t monitors;
	int64_t idle_s;
	int64_t apart_s; /* seconds between runs of --once; 0: such runs do not make the checks */
	int64_t hurried; /* how many monitors have an interval that is clearly shorter than apart_s
			  */
};
enum result check_idleness_read(struct db *db, struct check_idleness *idleness, struct error *error)
	MUST_USE;

/* Adds the row of location 0, the installation's own location, if it does not exist. Locks the row
 * until the end of the transaction. check_lease_take() also adds the row. */
enum result check_location_add_own(struct db *db, struct error *error) MUST_USE;

/*
 * Stores that the installation's checker is cut off since `since`; 0: that it is connected again.
 * Adds an event to each account with checked monitors, and rows to the outbox. Changes nothing if
 * the same is already stored. Call it in a transaction.
 */
enum result check_cut_off_store(struct db *db, struct instant since,
				const struct event_source *source, struct error *error) MUST_USE;

#endif
