/*
 * Recurrence rules of RFC 5545, expanded to moments. A rule has at most one occurrence a day, at
 * the same local time.
 */
#ifndef DOMAIN_RECURRENCE_H
#define DOMAIN_RECURRENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/zone.h"

struct recurrence {
	const char *rule;	 /* "FREQ=WEEKLY;BYDAY=SA", in upper case */
	struct local_time start; /* of the first occurrence */
	const struct zone *zone;
};

/* Reads "2026-11-21T22:00:00", also with a blank in place of the T, or without the seconds. False:
 * another text, an offset, or no date of the calendar in the years 1970 to 9999. */
bool local_time_parse(const char *text, struct local_time *local);

/* Which occurrences are wanted. */
struct recurrence_range {
	struct instant from;  /* occurrences that start at this moment or later, */
	struct instant until; /* and no later than this */
	size_t most;
};
struct recurrence_times {
	struct instant *starts; /* ascending; owned by the arena */
	size_t count;
	bool is_last; /* the rule has no occurrence after `until` */
};
/*
 * E_INVALID: the rule is not allowed, or its first occurrence is not its start; *why tells it as
 * the end of a sentence ("must ...").
 */
enum result recurrence_expand(const struct recurrence *recurrence,
			      const struct recurrence_range *range, struct arena *arena,
			      struct recurrence_times *times, const char **why) MUST_USE;

#endif
