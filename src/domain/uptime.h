/*
 * How a monitor fared, day by day (UTC), from the intervals of its incidents.
 *
 * Overlaps count once. Days before the monitor's record begins are a state of their
 * own and count neither as up nor as down.
 */
#ifndef DOMAIN_UPTIME_H
#define DOMAIN_UPTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"

enum { UPTIME_DAYS = 90, DAY_S = 86400 };

enum uptime_state { UPTIME_NO_DATA, UPTIME_UP, UPTIME_PARTIAL, UPTIME_DOWN };

struct uptime_day {
	int64_t known_s; /* of the day, since the record begins and until now */
	int64_t down_s;	 /* of those */
	bool has_outage; /* an interval touches the day, for no whole second perhaps */
};

struct uptime_interval {
	struct instant from;
	struct instant to; /* 0: it lasts */
};

/* Midnight (UTC) at which the day begins. */
struct instant uptime_midnight(struct instant at);
/* The beginning of day `index` of the UPTIME_DAYS that end with today; 0 is the oldest. */
struct instant uptime_day_start(struct instant now, size_t index);

/* Fills days[UPTIME_DAYS], oldest first. The intervals come by their beginning. */
void uptime_fill(const struct uptime_interval *intervals, size_t count, struct instant known_since,
		 struct instant now, struct uptime_day *days);

/*
 * Down: for half of the whole day (24 hours) or more. Partial: a shorter outage, also if it
 * began this very second. A day with an outage is never up.
 */
enum uptime_state uptime_state_of(const struct uptime_day *day);
/* Up time of what is known, in hundredths of a percent, rounded down so that any
 * down time shows; -1 when nothing is known. */
int64_t uptime_permyriad(const struct uptime_day *days, size_t count);

#endif
