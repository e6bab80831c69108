/*
 * Computes the up and down time of a monitor for each day of a time zone, from its incidents.
 *
 * Overlapping intervals count once. Days before the monitor's record have the state UPTIME_NO_DATA,
 * and are neither up nor down time. In a gap nobody observed the monitor. A gap is neither up nor
 * down time, except for the time in which an incident had an impact.
 */
#ifndef DOMAIN_PAGE_UPTIME_H
#define DOMAIN_PAGE_UPTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/zone.h"
#include "domain/incident/incident.h"

enum { UPTIME_DAYS = 90, DAY_S = 86400 };

enum uptime_state { UPTIME_NO_DATA, UPTIME_UP, UPTIME_PARTIAL, UPTIME_DOWN };

/* The days that the bars of a page show, oldest first. The last day is today. A day lasts from its
 * start to the start of the next day: 23 or 25 hours when clocks are changed. */
struct uptime_calendar {
	struct instant starts[UPTIME_DAYS + 1]; /* the last element: the start of tomorrow */
};

/* The times of a day, in seconds. The members are small, because a page can have 90 days for each
 * of thousands of systems. */
struct uptime_day {
	int32_t length_s;
	int32_t known_s;      /* observed seconds of the day, from the start of the record to now */
	int32_t down_s;	      /* part of known_s: major outages that are not excluded */
	int32_t degraded_s;   /* part of known_s: all other impacts */
	int32_t excluded_s;   /* part of degraded_s: excluded major outages */
	int32_t partly_s;     /* part of degraded_s: partial outages */
	int32_t unobserved_s; /* seconds of the record in gaps, except seconds with an impact */
	int worst;	      /* the worst impact that touches the day: an enum incident_impact */
	bool is_known;	      /* the record begins before the day ends, and the day has begun */
	bool has_outage;      /* an impact touches the day, even for less than a second */
	bool is_excluded;   /* the worst impact is a major outage, and all major outages of the day
			     are excluded */
	bool is_unobserved; /* a gap touches the day, and known_s is 0 */
};

struct uptime_interval {
	struct instant from;
	struct instant to; /* 0: the incident is open */
	int impact;	   /* enum incident_impact */
	bool is_excluded;  /* excluded from the uptime; the day still shows the impact */
	bool is_gap;	   /* the monitor was not observed; the interval is no incident */
};

struct uptime_calendar uptime_calendar_of(const struct zone *zone, struct instant now);
/* Returns days of 24 hours, of which the last ends now: for the uptime of the last N days. */
struct uptime_calendar uptime_calendar_until(struct instant now);
/* Returns the index of the day that contains `at`: 0 for a time before the first day, UPTIME_DAYS
 * for a time after the last day. */
size_t uptime_day_of(const struct uptime_calendar *calendar, struct instant at);

/*
 * Sets *first and *last to the first and the last day that the interval touches. Returns false if
 * it touches no day. An open interval always touches the day of `now`, even in its first second,
 * and even if its start is after `now` because the clock was set back.
 */
bool uptime_days_touched(const struct uptime_calendar *calendar,
			 const struct uptime_interval *interval, struct instant now, size_t *first,
			 size_t *last);

/* Fills days[UPTIME_DAYS], oldest first. The intervals must be sorted by `from`. known_since: the
 * start of the record, not after `now`; 0: there is no record. */
void uptime_fill(const struct uptime_interval *intervals, size_t count, struct instant known_since,
		 struct instant now, const struct uptime_calendar *calendar,
		 struct uptime_day *days);

/*
 * Returns the state of the day:
 *   UPTIME_DOWN     it has an impact, and down_s is at least half of the whole day
 *   UPTIME_PARTIAL  it has an impact, perhaps of no length, and less down time
 *   UPTIME_NO_DATA  it has no impact, and is before the record or without observed time
 *   UPTIME_UP       in all other cases
 */
enum uptime_state uptime_state_of(const struct uptime_day *day);
/*
 * Returns the up time as a share of the known time, in hundredths of a percent, or -1 if no time is
 * known. The share is rounded down, so that any down time shows. If the record begins now, the
 * result is 10000, or 0 if there is a major outage that is not excluded.
 */
int64_t uptime_permyriad(const struct uptime_day *days, size_t count);

/* Returns whether the monitor is down at `now`, and this counts against its uptime. */
bool uptime_is_down(const struct uptime_interval *intervals, size_t count, struct instant now);
/* Returns after how many seconds the percentage of all days or the state of the last day changes;
 * 0: no change. Assumes that the monitor stays down if is_down is true, and otherwise stays up.
 * Ignores that a new day begins at midnight. */
int64_t uptime_next_change_s(const struct uptime_day *days, bool is_down);

#endif
