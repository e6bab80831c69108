#include "domain/uptime.h"

#include <string.h>

struct instant uptime_midnight(struct instant at)
{
	return (struct instant){ at.s - at.s % DAY_S };
}

struct instant uptime_day_start(struct instant now, size_t index)
{
	int64_t days_ago = UPTIME_DAYS - 1 - (int64_t)index;
	return (struct instant){ uptime_midnight(now).s - days_ago * DAY_S };
}

static int64_t overlap_s(int64_t from, int64_t to, int64_t day)
{
	int64_t start = from > day ? from : day;
	int64_t end = to < day + DAY_S ? to : day + DAY_S;
	return end > start ? end - start : 0;
}

enum { SECONDS_DOWN, SECONDS_WITH_IMPACT };

/* Adds the seconds of [from, to) to the days that they lie in. */
static void add_seconds(struct uptime_day *days, int64_t first_day, int64_t from, int64_t to,
			int kind)
{
	if (from < first_day)
		from = first_day;
	for (int64_t i = (from - first_day) / DAY_S; from < to && i < UPTIME_DAYS; i++) {
		int64_t day = first_day + i * DAY_S;
		if (day >= to)
			break;
		if (kind == SECONDS_DOWN)
			days[i].down_s += overlap_s(from, to, day);
		else
			days[i].degraded_s += overlap_s(from, to, day);
	}
}

/* Both ends count: an outage of no length marks the day of its start. */
static void mark_outage(struct uptime_day *days, int64_t first_day,
			const struct uptime_interval *interval, int64_t to)
{
	int64_t from = interval->from.s;
	int64_t first = from > first_day ? (from - first_day) / DAY_S : 0;
	int64_t last = to > from ? (to - 1 - first_day) / DAY_S : first;
	if (to < first_day)
		return;
	for (int64_t i = first; i <= last && i < UPTIME_DAYS; i++) {
		days[i].has_outage = true;
		if (interval->impact > days[i].worst)
			days[i].worst = interval->impact;
	}
}

static bool is_of_kind(const struct uptime_interval *interval, int kind)
{
	if (kind == SECONDS_DOWN)
		return interval->impact == INCIDENT_MAJOR_OUTAGE && !interval->is_excluded;
	return interval->impact > INCIDENT_IMPACT_NONE;
}

/* Adds the seconds of the intervals of a kind, each second once. */
static void add_intervals(const struct uptime_interval *intervals, size_t count,
			  struct instant known_since, struct instant now, int kind,
			  struct uptime_day *days)
{
	int64_t first_day = uptime_day_start(now, 0).s;
	/* All time before `counted` is counted; of an interval that began earlier only the rest
	 * is added. */
	int64_t counted = known_since.s;
	for (size_t i = 0; i < count; i++) {
		int64_t to = intervals[i].to.s > 0 ? intervals[i].to.s : now.s;
		int64_t from = intervals[i].from.s > counted ? intervals[i].from.s : counted;
		if (!is_of_kind(&intervals[i], kind))
			continue;
		if (to > now.s)
			to = now.s;
		if (kind == SECONDS_WITH_IMPACT && intervals[i].from.s <= now.s)
			mark_outage(days, first_day, &intervals[i], to);
		if (to <= from)
			continue;
		add_seconds(days, first_day, from, to, kind);
		counted = to;
	}
}

void uptime_fill(const struct uptime_interval *intervals, size_t count, struct instant known_since,
		 struct instant now, struct uptime_day *days)
{
	int64_t first_day = uptime_day_start(now, 0).s;
	memset(days, 0, UPTIME_DAYS * sizeof(*days));
	for (size_t i = 0; i < UPTIME_DAYS; i++)
		days[i].known_s = overlap_s(known_since.s, now.s, first_day + (int64_t)i * DAY_S);
	add_intervals(intervals, count, known_since, now, SECONDS_DOWN, days);
	add_intervals(intervals, count, known_since, now, SECONDS_WITH_IMPACT, days);
	for (size_t i = 0; i < UPTIME_DAYS; i++)
		days[i].degraded_s -= days[i].down_s;
}

enum uptime_state uptime_state_of(const struct uptime_day *day)
{
	if (day->has_outage)
		return 2 * day->down_s < DAY_S ? UPTIME_PARTIAL : UPTIME_DOWN;
	return day->known_s == 0 ? UPTIME_NO_DATA : UPTIME_UP;
}

int64_t uptime_permyriad(const struct uptime_day *days, size_t count)
{
	int64_t known_s = 0, down_s = 0;
	for (size_t i = 0; i < count; i++) {
		known_s += days[i].known_s;
		down_s += days[i].down_s;
	}
	return known_s > 0 ? (known_s - down_s) * 10000 / known_s : -1;
}
