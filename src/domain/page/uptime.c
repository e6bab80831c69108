#include "domain/page/uptime.h"

struct uptime_calendar uptime_calendar_of(const struct zone *zone, struct instant now)
{
	struct uptime_calendar calendar;
	for (int i = 0; i <= UPTIME_DAYS; i++)
		calendar.starts[i] = zone_day_start(zone, now, i - (UPTIME_DAYS - 1));
	return calendar;
}

struct uptime_calendar uptime_calendar_until(struct instant now)
{
	struct uptime_calendar calendar;
	for (int i = 0; i <= UPTIME_DAYS; i++)
		calendar.starts[i].s = now.s - (UPTIME_DAYS - i) * (int64_t)DAY_S;
	return calendar;
}

size_t uptime_day_of(const struct uptime_calendar *calendar, struct instant at)
{
	size_t from = 0, to = UPTIME_DAYS;
	while (from < to) {
		size_t middle = to - (to - from) / 2;
		if (calendar->starts[middle].s <= at.s)
			from = middle;
		else
			to = middle - 1;
	}
	return from;
}

/* Returns how many seconds of [from, to) are in the day. */
static int64_t overlap_s(int64_t from, int64_t to, const struct uptime_calendar *calendar,
			 size_t day)
{
	int64_t day_from = calendar->starts[day].s, day_to = calendar->starts[day + 1].s;
	int64_t start = from > day_from ? from : day_from;
	int64_t end = to < day_to ? to : day_to;
	return end > start ? end - start : 0;
}

/* The kinds of seconds that add_intervals() counts. Each kind includes the seconds of all kinds
 * before it in this list. So uptime_fill() subtracts, for example, SECONDS_DOWN from
 * SECONDS_OUT. */
enum {
	SECONDS_DOWN,
	SECONDS_OUT,
	SECONDS_PARTLY_OUT,
	SECONDS_WITH_IMPACT,
	SECONDS_WITH_IMPACT_OR_GAP
};

/* The time from known_since to now, and the days of the calendar. */
struct span {
	struct instant known_since;
	struct instant now;
	const struct uptime_calendar *calendar;
};

/* Adds the seconds of [from, to) to the days that they lie in. */
static void add_seconds(struct uptime_day *days, const struct uptime_calendar *calendar,
			int64_t from, int64_t to, int kind)
{
	size_t day = uptime_day_of(calendar, (struct instant){ from });
	for (; day < UPTIME_DAYS && calendar->starts[day].s < to; day++) {
		int32_t seconds = (int32_t)overlap_s(from, to, calendar, day);
		if (kind == SECONDS_DOWN)
			days[day].down_s += seconds;
		else if (kind == SECONDS_OUT)
			days[day].excluded_s += seconds;
		else if (kind == SECONDS_PARTLY_OUT)
			days[day].partly_s += seconds;
		else if (kind == SECONDS_WITH_IMPACT)
			days[day].degraded_s += seconds;
		else
			days[day].unobserved_s += seconds;
	}
}

/* Returns the index of the day that contains `at`, which must not be after `now`. For the end of
 * the last day, returns the last day. */
static size_t index_of(const struct uptime_calendar *calendar, struct instant at)
{
	size_t day = uptime_day_of(calendar, at);
	return day < UPTIME_DAYS ? day : UPTIME_DAYS - 1;
}

bool uptime_days_touched(const struct uptime_calendar *calendar,
			 const struct uptime_interval *interval, struct instant now, size_t *first,
			 size_t *last)
{
	bool goes_on = interval->to.s == 0 || interval->to.s > now.s;
	struct instant from = interval->from, end = now;
	if (interval->to.s == 0 && from.s > now.s)
		from = now;
	/* An interval does not include the second `to`. But an interval without a length touches
	 * the second of its start. */
	if (!goes_on)
		end.s = interval->to.s > from.s ? interval->to.s - 1 : from.s;
	if (from.s > now.s || end.s < calendar->starts[0].s)
		return false;
	*first = index_of(calendar, from);
	*last = index_of(calendar, end);
	return true;
}

static void mark_outage(struct uptime_day *days, const struct span *span,
			const struct uptime_interval *interval)
{
	size_t i, last;
	if (!uptime_days_touched(span->calendar, interval, span->now, &i, &last))
		return;
	for (; i <= last; i++) {
		days[i].has_outage = true;
		/* If several intervals have the worst impact, the day counts as excluded only if
		 * all of these intervals are excluded. */
		if (interval->impact > days[i].worst)
			days[i].is_excluded = interval->is_excluded;
		else if (interval->impact == days[i].worst && !interval->is_excluded)
			days[i].is_excluded = false;
		if (interval->impact > days[i].worst)
			days[i].worst = interval->impact;
	}
}

static void mark_gap(struct uptime_day *days, const struct span *span,
		     const struct uptime_interval *interval)
{
	size_t i, last;
	bool is_empty = interval->to.s > 0 && interval->to.s <= interval->from.s;
	if (is_empty || !uptime_days_touched(span->calendar, interval, span->now, &i, &last))
		return;
	for (; i <= last; i++)
		days[i].is_unobserved = true;
}

static bool is_of_kind(const struct uptime_interval *interval, int kind)
{
	if (kind == SECONDS_WITH_IMPACT_OR_GAP && interval->is_gap)
		return true;
	if (kind == SECONDS_PARTLY_OUT)
		return interval->impact >= INCIDENT_PARTIAL_OUTAGE;
	if (kind < SECONDS_WITH_IMPACT)
		return interval->impact == INCIDENT_MAJOR_OUTAGE &&
		       (kind == SECONDS_OUT || !interval->is_excluded);
	return interval->impact > INCIDENT_IMPACT_NONE;
}

/* Adds the seconds of all intervals of this kind. A second counts once, even if intervals
 * overlap. */
static void add_intervals(const struct uptime_interval *intervals, size_t count,
			  const struct span *span, int kind, struct uptime_day *days)
{
	int64_t now = span->now.s;
	/* Seconds before `counted` are not added: they were added already, or are before the
	 * record. */
	int64_t counted = span->known_since.s;
	for (size_t i = 0; i < count; i++) {
		int64_t to = intervals[i].to.s > 0 ? intervals[i].to.s : now;
		int64_t from = intervals[i].from.s > counted ? intervals[i].from.s : counted;
		if (!is_of_kind(&intervals[i], kind))
			continue;
		if (to > now)
			to = now;
		if (kind == SECONDS_WITH_IMPACT)
			mark_outage(days, span, &intervals[i]);
		else if (intervals[i].is_gap)
			mark_gap(days, span, &intervals[i]);
		if (to <= from)
			continue;
		add_seconds(days, span->calendar, from, to, kind);
		counted = to;
	}
}

/* Returns the index of the first day of the monitor's record; UPTIME_DAYS: there is no record. A
 * record that begins now includes today. */
static size_t first_known(const struct uptime_calendar *calendar, struct instant known_since)
{
	return known_since.s > 0 ? index_of(calendar, known_since) : UPTIME_DAYS;
}

void uptime_fill(const struct uptime_interval *intervals, size_t count, struct instant known_since,
		 struct instant now, const struct uptime_calendar *calendar,
		 struct uptime_day *days)
{
	const size_t known = first_known(calendar, known_since);
	const struct instant since = known < UPTIME_DAYS ? known_since : now;
	const struct span span = { since, now, calendar };
	for (size_t i = 0; i < UPTIME_DAYS; i++)
		days[i] = (struct uptime_day){
			.length_s = (int32_t)(calendar->starts[i + 1].s - calendar->starts[i].s),
			.known_s = (int32_t)overlap_s(since.s, now.s, calendar, i),
			.is_known = i >= known,
		};
	add_intervals(intervals, count, &span, SECONDS_DOWN, days);
	add_intervals(intervals, count, &span, SECONDS_OUT, days);
	add_intervals(intervals, count, &span, SECONDS_PARTLY_OUT, days);
	add_intervals(intervals, count, &span, SECONDS_WITH_IMPACT, days);
	add_intervals(intervals, count, &span, SECONDS_WITH_IMPACT_OR_GAP, days);
	for (size_t i = 0; i < UPTIME_DAYS; i++) {
		days[i].unobserved_s -= days[i].degraded_s;
		days[i].known_s -= days[i].unobserved_s;
		days[i].is_unobserved &= days[i].known_s == 0;
		days[i].partly_s -= days[i].excluded_s;
		days[i].excluded_s -= days[i].down_s;
		days[i].degraded_s -= days[i].down_s;
		days[i].is_excluded &= days[i].worst == INCIDENT_MAJOR_OUTAGE;
	}
}

enum uptime_state uptime_state_of(const struct uptime_day *day)
{
	if (day->has_outage)
		return 2 * day->down_s < day->length_s ? UPTIME_PARTIAL : UPTIME_DOWN;
	return day->is_known && !day->is_unobserved ? UPTIME_UP : UPTIME_NO_DATA;
}

/* Sums up known_s and down_s of the days. */
static void sum_up(const struct uptime_day *days, size_t count, int64_t *known_s, int64_t *down_s)
{
	*known_s = *down_s = 0;
	for (size_t i = 0; i < count; i++) {
		*known_s += days[i].known_s;
		*down_s += days[i].down_s;
	}
}

int64_t uptime_permyriad(const struct uptime_day *days, size_t count)
{
	int64_t known_s, down_s;
	sum_up(days, count, &known_s, &down_s);
	if (known_s > 0)
		return (known_s - down_s) * 10000 / known_s;
	const struct uptime_day *last = count > 0 ? &days[count - 1] : NULL;
	if (!last || !last->is_known || uptime_state_of(last) == UPTIME_NO_DATA)
		return -1;
	return last->worst == INCIDENT_MAJOR_OUTAGE && !last->is_excluded ? 0 : 10000;
}

bool uptime_is_down(const struct uptime_interval *intervals, size_t count, struct instant now)
{
	for (size_t i = 0; i < count; i++)
		if (is_of_kind(&intervals[i], SECONDS_DOWN) &&
		    (intervals[i].to.s == 0 || intervals[i].to.s > now.s))
			return true;
	return false;
}

/* Returns after how many more seconds of down time the shown percentage falls; 0: it cannot
 * fall. */
static int64_t next_fall_s(const struct uptime_day *days)
{
	int64_t known_s, down_s, shown = uptime_permyriad(days, UPTIME_DAYS);
	sum_up(days, UPTIME_DAYS, &known_s, &down_s);
	return shown > 0 ? (known_s - down_s) * 10000 / shown - known_s + 1 : 0;
}

/* Returns after how many more seconds of up time the shown percentage rises; 0: it does not rise.
 * The percentage is rounded down, so after down time it never reaches 100. */
static int64_t next_rise_s(const struct uptime_day *days)
{
	int64_t known_s, down_s, shown = uptime_permyriad(days, UPTIME_DAYS);
	sum_up(days, UPTIME_DAYS, &known_s, &down_s);
	int64_t missing = 9999 - shown;
	return shown >= 0 && missing > 0 ? (10000 * down_s + missing - 1) / missing - known_s : 0;
}

int64_t uptime_next_change_s(const struct uptime_day *days, bool is_down)
{
	const struct uptime_day *today = &days[UPTIME_DAYS - 1];
	if (!is_down)
		return next_rise_s(days);
	int64_t fall_s = next_fall_s(days);
	/* The state changes to UPTIME_DOWN when the down time is half of the day. */
	int64_t half_s = (today->length_s + 1) / 2 - today->down_s;
	return half_s > 0 && (fall_s == 0 || half_s < fall_s) ? half_s : fall_s;
}
