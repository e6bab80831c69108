/*
 * What the checker reads and writes: the monitors that are checked, their states, their hours, and
 * the signals of the web program (heartbeats, "check now"). Everything is read and written for many
 * monitors by one statement.
 */
#ifndef STORE_CHECK_CHECK_STORE_H
#define STORE_CHECK_CHECK_STORE_H

#include "db/db.h"
#include "domain/check_state.h"

/* The sums of a monitor's checks in one hour (UTC), which the checker keeps whole in memory:
 * storing them twice changes nothing. */
struct check_hour {
	struct instant hour; /* its start */
	int64_t checks;
	int64_t failures;
	int64_t response_sum_ms; /* of the successful checks */
	int64_t response_min_ms;
	int64_t response_max_ms;
};

/* A monitor that is checked. */
struct checked_monitor {
	int64_t id;
	int64_t account_id;
	bool is_paused;
	struct check_settings settings;
	struct instant changed_at; /* of the settings */
	struct check_state state;  /* as stored */
	struct check_hour hour;	   /* the newest stored */
};
struct checked_list {
	struct checked_monitor *rows; /* by id; owned by the arena */
	size_t count;
};
enum { CHECKED_LIST_MAX = 1000 };
/*
 * Up to CHECKED_LIST_MAX monitors above `after_id`, by id, that are checked (type not external),
 * neither retired nor removed. Fewer rows than that: the end.
 */
enum result checked_list_read(struct db *db, int64_t after_id, struct arena *arena,
			      struct checked_list *list, struct error *error) MUST_USE;

/* What is stored about a monitor. */
struct check_record {
	int64_t monitor_id;
	struct check_state state;
	struct check_hour hour;
	struct instant tls_expires_at; /* 0: unknown */
	char tls_issuer[256];
};
/* One transaction for at most 1,000 records. Monitors that were deleted meanwhile are left out. */
enum result check_records_store(struct db *db, const struct check_record *rows, size_t count,
				struct error *error) MUST_USE;

/* What the web program tells the checker. In the order of the column `kind`. */
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
/* Up to `most` signals above `after_id`, by id. */
enum result check_signals_read(struct db *db, int64_t after_id, struct check_signal *rows,
			       size_t most, size_t *count, struct error *error) MUST_USE;
enum result check_signals_add(struct db *db, const struct check_signal *rows, size_t count,
			      struct error *error) MUST_USE;
enum result check_signals_delete(struct db *db, int64_t up_to_id, struct error *error) MUST_USE;

/*
 * The lease: of all checkers of a location one at a time checks. Takes or renews it for
 * CHECK_LEASE_S seconds, by the database's clock. *is_held: whether `holder` (a random id) has it.
 */
enum { CHECK_LEASE_S = 15 };
enum result check_lease_take(struct db *db, const char *location, const char *holder, bool *is_held,
			     struct error *error) MUST_USE;
enum result check_lease_drop(struct db *db, const char *location, const char *holder,
			     struct error *error) MUST_USE;

#endif
