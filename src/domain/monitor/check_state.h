/*
 * What a monitor's checks say about its state: a pure machine, which knows neither clock nor
 * database. The checker keeps a struct check_state for each monitor, and stores it.
 *
 * Times are the database's clock, in seconds. An outage starts at the first failure, not at its
 * confirmation, and ends at the first success of the checks that confirm the recovery.
 *
 * Four changes of well, slow and down within 20 minutes make the system unstable: its incident then
 * goes on until 20 minutes have passed without a change, of a slow system without a slow check, and
 * ends at the last recovery.
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
	CHECK_NO_DATA,	  /* it is not known: the checker is cut off, or has not run */
};
extern const char *const check_phase_words[];

struct check_state {
	int phase;		   /* enum check_phase */
	struct instant since;	   /* of the phase */
	struct instant checked_at; /* the start of the last check, or the last heartbeat; 0: never
				    */
	/* The first failure, or slow check, of the present series; in NO_DATA of the outage that
	 * was reported before; 0: none. */
	struct instant failing_since;
	/* Since when it has been up and not slow, checks that were not confirmed left out. While it
	 * is down or slow: the first good check of the present series; 0: none. */
	struct instant well_since;
	int64_t failures;	      /* in a row; while it is up: slow checks in a row */
	int64_t successes;	      /* in a row, while it is down or slow */
	bool is_slow;		      /* degraded performance was reported */
	int64_t changes;	      /* in the window of flapping, at most CHECK_FLAPS */
	struct instant changes_since; /* the first of these changes */
	/* The incident goes on: of a slow system if is_slow, else the outage. */
	bool is_flapping;
	int64_t response_ms; /* of the last successful check, at least 1; 0: none */
	char cause[CHECK_CAUSE_MAX_BYTES + 1]; /* of the last failure */

	/* Not stored: see check_state_restore(). */
	struct instant changed_at[CHECK_FLAPS - 1]; /* the last changes, newest first */
};

/* The outcome of one check. */
struct check_outcome {
	struct instant at; /* the start of the check, or the time of the heartbeat */
	bool is_up;
	bool is_missed; /* a failure: no heartbeat came until `at` */
	int64_t response_ms;
	const char *cause; /* of a failure */
};

/* What is to be reported of a change. */
enum check_report {
	CHECK_REPORT_NONE,
	CHECK_REPORT_DOWN, /* since state->failing_since; cause in state->cause */
	CHECK_REPORT_SLOW, /* degraded performance, since state->failing_since */
	CHECK_REPORT_UP,   /* since state->well_since: ends what was reported */
};

/* The sums of a monitor's checks in one hour (UTC), or of figures in one day. */
struct check_hour {
	struct instant hour; /* its start, or that of the day */
	int64_t checks;
	int64_t failures;
	int64_t response_sum_ms; /* of the successful checks */
	int64_t response_min_ms; /* 0 without a successful check */
	int64_t response_max_ms;
};
/* Adds a check; the response time of a failure does not count. */
void check_hour_add(struct check_hour *hour, bool is_up, int64_t response_ms);

/* Completes a state that was stored. */
void check_state_restore(struct check_state *state);

/*
 * Takes the outcome of a check that ended at `now`. Stored times beyond `now` come from a clock
 * that was wrong: they become `now`.
 */
enum check_report check_state_take(struct check_state *state, const struct check_settings *settings,
				   const struct check_outcome *outcome, struct instant now);
/*
 * Nothing is known from `since` on: failures that are not confirmed are forgotten, and an outage
 * that was reported goes on. `cause` may be NULL.
 */
void check_state_lose(struct check_state *state, struct instant since, const char *cause);
/* The outage that was reported has ended otherwise, and nobody looks at the system. */
void check_state_forget(struct check_state *state);

/* Whether a failure now would be the last of those that confirm an outage. */
bool check_state_is_last_chance(const struct check_state *state,
				const struct check_settings *settings);
/* The milliseconds after which the check is to be repeated, to confirm a failure; -1: it is due at
 * the monitor's next regular time. */
int64_t check_state_repeat_ms(const struct check_state *state,
			      const struct check_settings *settings);
/* Whether the last check is so long ago that the time since then is not known. */
bool check_state_is_stale(const struct check_state *state, const struct check_settings *settings,
			  struct instant now);
/* The time at which the next heartbeat is expected, without `grace`; 0: none is, because none has
 * come yet, or because the outage is known. */
struct instant check_state_expects(const struct check_state *state,
				   const struct check_settings *settings);

#endif
