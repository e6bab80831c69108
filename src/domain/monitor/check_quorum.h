/*
 * The state of a monitor that several locations check (contract section 13).
 *
 * Each location votes down or up, by its state of the monitor. A vote counts while it is fresh and
 * the location is not cut off. Of the monitor's locations, n are not cut off. The state is:
 *   unknown    if fewer than `quorum` votes count; otherwise:
 *   down       if at least `quorum` votes are for down
 *   up         if fewer are for down, and at least n - quorum + 1 are for up
 *   unchanged  in all other cases, for example at a tie
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
	/* The time of the location's newest check; 0: the location has not voted. */
	struct instant at;
	struct instant since;
};

struct check_rule {
	size_t quorum;	   /* from 1 to the number of locations */
	int64_t max_age_s; /* a vote is fresh up to this age: two intervals and a time-out */
};

/* Returns whether the vote is fresh, and its location is not cut off. */
bool check_vote_counts(const struct check_vote *vote, const struct check_rule *rule,
		       struct instant now);

enum check_verdict { CHECK_STAYS, CHECK_IS_UP, CHECK_IS_DOWN, CHECK_IS_UNKNOWN };

/*
 * Returns the verdict of the votes that count. For CHECK_IS_DOWN, *since is when the number of
 * votes for down reached `quorum`. An earlier error of a single location does not lengthen the
 * outage. For CHECK_IS_UP, *since is the earliest `since` of the votes for up.
 */
enum check_verdict check_quorum_judge(const struct check_vote *votes, size_t count,
				      const struct check_rule *rule, struct instant now,
				      struct instant *since);

/* Returns the quorum for a monitor without this setting: more than half of its locations. */
size_t check_quorum_default(size_t locations);

#endif
