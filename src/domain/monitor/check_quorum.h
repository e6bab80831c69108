/*
 * The state of a monitor that several locations check (contract section 13).
 *
 * Each location votes: its own state of the monitor, down or up. A vote counts while it is fresh,
 * and while its location is not cut off. The monitor is down when `quorum` votes say so. It is up
 * when fewer votes than `quorum` say down, and at least n - quorum + 1 say up, where n is the
 * number of its locations, without those that are cut off. If neither holds, such as at a tie, the
 * state stays. When fewer than `quorum` votes count, the state is not known.
 */
#ifndef DOMAIN_MONITOR_CHECK_QUORUM_H
#define DOMAIN_MONITOR_CHECK_QUORUM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/clock.h"

enum { CHECK_LOCATIONS_MAX = 16 };

/* What a location says of the monitor. */
struct check_vote {
	bool is_cut_off;   /* the location reaches none of its anchors */
	bool is_down;	   /* else up */
	struct instant at; /* of the newest check that says so; 0: the location has not voted */
	struct instant since;
};

struct check_rule {
	size_t quorum;	   /* from 1 to the number of locations */
	int64_t max_age_s; /* of a fresh vote: two intervals and a time-out */
};

/* Whether the vote is fresh, and its location is not cut off. */
bool check_vote_counts(const struct check_vote *vote, const struct check_rule *rule,
		       struct instant now);

enum check_verdict { CHECK_STAYS, CHECK_IS_UP, CHECK_IS_DOWN, CHECK_IS_UNKNOWN };

/*
 * `since`, among the votes that count: of an outage, when so many votes as the quorum began to say
 * down, so that a location that is wrong alone for days makes no outage longer; of a system that is
 * up, the first of the votes that say so.
 */
enum check_verdict check_quorum_judge(const struct check_vote *votes, size_t count,
				      const struct check_rule *rule, struct instant now,
				      struct instant *since);

/* The quorum of a monitor that names none: more than half of its locations. */
size_t check_quorum_default(size_t locations);

#endif
