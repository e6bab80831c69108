/*
 * What a monitor's checks say about its state: a pure machine, which knows neither clock nor
 * database. The checker keeps a struct check_state for each monitor, and stores it.
 *
 * Times are the database's clock, in seconds. An outage starts at the first failure, not at its
 * confirmation, and ends at the first success of the checks that confirm the recovery.
 */
#ifndef DOMAIN_CHECK_STATE_H
#define DOMAIN_CHECK_STATE_H

#include "base/clock.h"
#include "domain/check_settings.h"

enum { CHECK_CAUSE_MAX_BYTES = 255 };

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
	int phase;		      /* enum check_phase */
	struct instant since;	      /* of the phase */
	struct instant checked_at;    /* the start of the last check; 0: never */
	struct instant failing_since; /* the first failure of the present series; 0: none */
	struct instant well_since;    /* the first success of the present series; 0: none */
	int64_t failures;	      /* in a row */
	int64_t successes;	      /* in a row */
	bool is_slow;		      /* degraded performance was reported */
	int64_t changes;	      /* of up and down in the window of flapping */
	struct instant changes_since; /* the start of that window */
	bool is_flapping;
	int64_t response_ms;		       /* of the last successful check; 0: none */
	char cause[CHECK_CAUSE_MAX_BYTES + 1]; /* of the last failure */
};

/* The outcome of one check. */
struct check_outcome {
	struct instant at; /* the start of the check */
	bool is_up;
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

#endif
