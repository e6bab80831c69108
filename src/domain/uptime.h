/*
 * The up and down time of a monitor by days (UTC), from the intervals of its incidents.
 *
 * Overlapping intervals count once. Days before the monitor's record begins have a state of
 * their own and count neither as up nor as down.
 */
#ifndef DOMAIN_UPTIME_H
#define DOMAIN_UPTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "domain/incident.h"

enum { UPTIME_DAYS = 90, DAY_S = 86400 };

enum uptime_state { UPTIME_NO_DATA, UPTIME_UP, UPTIME_PARTIAL, UPTIME_DOWN };

struct uptime_day {
	int64_t known_s; /* seconds of the day between the start of the record and now */
	int64_t down_s;	 /* seconds of these with a major outage, unless it is excluded */
	int64_t degraded_s; /* seconds of these with an impact, but not in down_s */
	bool has_outage;    /* an impact touches the day, be it for less than a second */
	int worst;	    /* enum incident_impact: the worst that touches the day */
};

struct uptime_interval {
	struct instant from;
	struct instant to; /* 0: the incident is open */
	int impact;	   /* enum incident_impact */
	bool is_excluded;  /* from the uptime; the day still shows the impact */
};

/* Midnight (UTC) at which the day begins. */
struct instant uptime_midnight(struct instant at);
/* The beginning of day `index` of the UPTIME_DAYS that end with today; 0 is the oldest. */
struct instant uptime_day_start(struct instant now, size_t index);

/* Fills days[UPTIME_DAYS], oldest first. The intervals are sorted by `from`. */
void uptime_fill(const struct uptime_interval *intervals, size_t count, struct instant known_since,
		 struct instant now, struct uptime_day *days);

/*
 * UPTIME_DOWN: down for half of the day (of 24 hours) or more. UPTIME_PARTIAL: down for less,
 * or with a lesser impact, even if it began this second. A day with an impact is never UPTIME_UP.
 */
enum uptime_state uptime_state_of(const struct uptime_day *day);
/* The up time as a share of the known time, in hundredths of a percent, rounded down so that
 * any down time shows; -1: no time is known. */
int64_t uptime_permyriad(const struct uptime_day *days, size_t count);

#endif
