/*
 * The state of a monitor by its checks: a state machine that reads neither the clock nor the
 * database. The checker has a struct check_state for each monitor, and stores it.
 *
 * Times are by the database's clock, in seconds. An outage starts at the first failure, not at its
 * confirmation, and ends at the first success of the checks that confirm the recovery.
 *
 * Four changes between well, slow and down within 20 minutes make the system unstable. Its incident
 * then stays open until 20 minutes have passed without a change. If the system is slow, the
 * incident stays open until 20 minutes have passed without a slow check. The incident ends at the
 * time of the last recovery.
 */
#ifndef DOMAIN_MONITOR_CHECK_STATE_H
#define DOMAIN_MONITOR_CHECK_STATE_H

#include "base/clock.h"
#include "domain/monitor/check_settings.h"

enum { CHECK_CAUSE_MAX_BYTES = 255 };
enum { CHECK_FLAPS = 4, CHECK_FLAPPING_S = 20 * 60, CHECK_REPEAT_MS = 5000 };

/* In the order of check_phase_words: "pending", "up", "confirming", "down", "no_data". */
enum check_phase {
	CHECK_PENDING,	  /* never checked */
	CHECK_UP,	  /* perhaps slow */
	CHECK_CONFIRMING, /* has failed since failing_since, fewer times than `confirmations` */
	CHECK_DOWN,	  /* until `recoveries` checks in a row succeed */
	CHECK_NO_DATA,	  /* unknown: the checker is cut off, or has not run */
};
extern const char *const check_phase_words[];

struct check_state {
	int phase;		   /* enum check_phase */
	struct instant since;	   /* when the phase began */
	struct instant checked_at; /* start of the last check, or the last heartbeat; 0: never */
	/* The time of the first failure, or slow check, of the present series; 0: none. In
	 * CHECK_NO_DATA: the start of the outage that the checker had reported before the data
	 * ended; 0: none. */
	struct instant failing_since;
	/*
	 * While the system is well (up and not slow): since when it is well; failures and slow
	 * checks that were not confirmed do not count. While the system is down or slow: the time
	 * of the first good check of the present series; 0: none.
	 */
	struct instant well_since;
	int64_t failures;  /* failures in a row; while the system is up: slow checks in a row */
	int64_t successes; /* successes in a row, while the system is down or slow */
	bool is_slow;	   /* degraded performance was reported */
	int64_t changes;   /* the number of changes within CHECK_FLAPPING_S, at most CHECK_FLAPS */
	struct instant changes_since; /* the time of the first of these changes */
	/* The system is unstable, so its incident goes on: with degraded performance if is_slow,
	 * otherwise with the outage. */
	bool is_flapping;
	/* The response time of the last successful check, at least 1; 0: none. */
	int64_t response_ms;
	char cause[CHECK_CAUSE_MAX_BYTES + 1]; /* the cause of the last failure */

	/* Not stored: see check_state_restore(). */
	struct instant changed_at[CHECK_FLAPS - 1]; /* the last changes, newest first */
};

/* The outcome of one check. */
struct check_outcome {
	struct instant at; /* the start of the check, or the time of the heartbeat */
	bool is_up;
	bool is_missed; /* a failure: no heartbeat came until `at` */
	int64_t response_ms;
	const char *cause; /* the cause of a failure */
};

/* The kind of change that the caller must report. */
enum check_report {
	CHECK_REPORT_NONE,
	CHECK_REPORT_DOWN, /* since state->failing_since; cause in state->cause */
	CHECK_REPORT_SLOW, /* degraded performance, since state->failing_since */
	/* Up since state->well_since: the first success, or the end of an outage or slowness. */
	CHECK_REPORT_UP,
};

/* The sums of a monitor's checks in one hour (UTC), or in one day. */
struct check_hour {
	struct instant hour; /* the start of the hour, or of the day */
	int64_t checks;
	int64_t failures;
	int64_t response_sum_ms; /* over the successful checks */
	int64_t response_min_ms; /* 0 without a successful check */
	int64_t response_max_ms;
};
/* Adds a check to the sums. The response time of a failure is ignored. */
void check_hour_add(struct check_hour *hour, bool is_up, int64_t response_ms);

/* Sets the members that the database does not store. Call it after reading a state. */
void check_state_restore(struct check_state *state);

/* Changes the state by the outcome of a check that ended at `now`. Changes stored times after `now`
 * to `now`, since they come from a wrong clock. */
enum check_report check_state_take(struct check_state *state, const struct check_settings *settings,
				   const struct check_outcome *outcome, struct instant now);
/* Makes the state unknown from `since` on. Forgets unconfirmed failures, but not a reported outage.
 * `cause` may be NULL. */
void check_state_lose(struct check_state *state, struct instant since, const char *cause);
/* Forgets the reported outage. Call it when the system is no longer checked, so that no check can
 * end the outage. */
void check_state_forget(struct check_state *state);

/* Returns whether the next failure would confirm an outage. */
bool check_state_is_last_chance(const struct check_state *state,
				const struct check_settings *settings);
/* Returns the milliseconds until a failed check is repeated, to confirm the failure; -1: it is not
 * repeated before the monitor's regular time. */
int64_t check_state_repeat_ms(const struct check_state *state,
			      const struct check_settings *settings);
/* Returns whether the last check is so old that the state is unknown: older than two intervals and
 * a time-out. */
bool check_state_is_stale(const struct check_state *state, const struct check_settings *settings,
			  struct instant now);
/* Returns the time at which the next heartbeat is expected, without `grace`. 0: no heartbeat is
 * expected, because none has come yet, or because the outage is known. */
struct instant check_state_expects(const struct check_state *state,
				   const struct check_settings *settings);

#endif
