/*
 * Computes the times of RFC 5545 recurrence rules. A rule has at most one occurrence a day, always
 * at the same local time.
 */
#ifndef DOMAIN_MAINTENANCE_RECURRENCE_H
#define DOMAIN_MAINTENANCE_RECURRENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/zone.h"

struct recurrence {
	const char *rule;	 /* "FREQ=WEEKLY;BYDAY=SA", in upper case */
	struct local_time start; /* the local time of the first occurrence */
	const struct zone *zone;
};

/*
 * Reads a text such as "2026-11-21T22:00:00". A blank may replace the T, and seconds may be
 * missing. Returns false for any other text, a text with an offset, or a date that is invalid or
 * not in the years 1970 to 9999.
 */
bool local_time_parse(const char *text, struct local_time *local);
/* Returns a text such as "2026-11-21T22:00:00". */
const char *local_time_text(const struct local_time *local, struct arena *arena);

/* The range of occurrences to expand. */
struct recurrence_range {
	struct instant from;  /* no occurrence starts before this moment */
	struct instant until; /* no occurrence starts after this moment */
	size_t most;
};
struct recurrence_times {
	struct instant *starts; /* ascending; owned by the arena */
	size_t count;
	bool is_last; /* the rule has no occurrence after `until` */
};
/* Computes the occurrences in the range. E_INVALID: the rule is not allowed, does not begin at
 * `start`, or has too many occurrences. *why is then the end of a sentence: "must ...". */
enum result recurrence_expand(const struct recurrence *recurrence,
			      const struct recurrence_range *range, struct arena *arena,
			      struct recurrence_times *times, const char **why) MUST_USE;

#endif
