/*
 * The state of a monitor that several locations check (contract section 13).
 *
 * Each location has a vote: its own state of the monitor, down or up. A vote counts while it is
 * fresh and its location is not cut off. Let n be the number of the monitor's locations that are
 * not cut off. The monitor is down when at least `quorum` votes say down. It is up when fewer than
 * `quorum` votes say down, and at least n - quorum + 1 say up. Otherwise, for example at a tie, the
 * state does not change. When fewer than `quorum` votes count, the state is unknown.
 */
#ifndef DOMAIN_MONITOR_CHECK_QUORUM_H
#define DOMAIN_MONITOR_CHECK_QUORUM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/clock.h"

enum { CHECK_LOCATIONS_MAX = 16 };

/* The vote of a location about the monitor. */
struct check_vote {
	bool is_cut_off; /* the location reaches none of its anchors */
	bool is_down;	 /* otherwise up */
	/* The time of the newest check with this state; 0: the location has not voted. */
	struct instant at;
	struct instant since;
};

struct check_rule {
	size_t quorum;	   /* from 1 to the number of locations */
	int64_t max_age_s; /* the age up to which a vote is fresh: two intervals and a time-out */
};

/* Returns whether the vote is fresh, and its location is not cut off. */
bool check_vote_counts(const struct check_vote *vote, const struct check_rule *rule,
		       struct instant now);

enum check_verdict { CHECK_STAYS, CHECK_IS_UP, CHECK_IS_DOWN, CHECK_IS_UNKNOWN };

/*
 * Returns the verdict of the votes that count. For CHECK_IS_DOWN, *since is the time since which at
 * least `quorum` votes say down. So an outage does not seem longer because a single location was
 * wrong before. For CHECK_IS_UP, *since is the earliest `since` of the votes for up.
 */
enum check_verdict check_quorum_judge(const struct check_vote *votes, size_t count,
				      const struct check_rule *rule, struct instant now,
				      struct instant *since);

/* Returns the quorum for a monitor without this setting: more than half of its locations. */
size_t check_quorum_default(size_t locations);

#endif
