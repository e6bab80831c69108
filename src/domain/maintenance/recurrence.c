#include "domain/maintenance/recurrence.h"

#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "domain/maintenance/recurrence_rule.h"

bool local_time_parse(const char *text, struct local_time *local)
{
	enum { WITHOUT_SECONDS = 16, WITH_SECONDS = 19 };
	char padded[WITH_SECONDS + 1] = "0000-00-00T00:00:00";
	size_t len = strlen(text);
	struct instant at;
	if (len != WITHOUT_SECONDS && len != WITH_SECONDS)
		return false;
	memcpy(padded, text, len);
	/* Allow only digits and colons after the T: instant_parse() would also accept offsets. */
	if (strspn(padded + 11, "0123456789:") != 8 || !instant_parse(str_from(padded), &at))
		return false;
	struct instant_parts parts = instant_split(at);
	*local = (struct local_time){ parts.year, parts.month,	parts.day,
				      parts.hour, parts.minute, parts.second };
	return true;
}

const char *local_time_text(const struct local_time *local, struct arena *arena)
{
	return arena_printf(arena, "%04d-%02d-%02dT%02d:%02d:%02d", local->year, local->month,
			    local->day, local->hour, local->minute, local->second);
}

static int64_t as_utc_s(const struct local_time *local)
{
	const struct instant_parts parts = { local->year, local->month,	 local->day,
					     local->hour, local->minute, local->second };
	return instant_of(&parts).s;
}

static bool is_past_until(const struct rule *rule, const struct local_time *local,
			  struct instant at)
{
	if (rule->until_kind == UNTIL_NEVER)
		return false;
	return (rule->until_kind == UNTIL_UTC ? at.s : as_utc_s(local)) > rule->until.s;
}

/* Returns the number of the day, counted from 1970-01-01. */
static int64_t day_number(int year, int month, int day)
{
	const struct instant_parts parts = { year, month, day, 0, 0, 0 };
	return instant_of(&parts).s / DAY_SECONDS;
}

static struct instant_parts date_of(int64_t day)
{
	return instant_split((struct instant){ day * DAY_SECONDS });
}

/* A year, a month, or another range of whole days. */
struct span {
	int64_t begin, end; /* the first day, and the first day after the span */
};

static struct span month_of(int64_t months)
{
	enum { MONTHS = 12 };
	const int year = (int)(months / MONTHS), month = (int)(months % MONTHS) + 1;
	const bool is_last = month == MONTHS;
	return (struct span){ day_number(year, month, 1),
			      day_number(year + is_last, is_last ? 1 : month + 1, 1) };
}

static struct span year_of(int year)
{
	return (struct span){ day_number(year, 1, 1), day_number(year + 1, 1, 1) };
}

static int64_t week_begin(const struct rule *rule, int64_t day)
{
	return day - (rule_weekday(day) - rule->week_start + WEEK_DAYS) % WEEK_DAYS;
}

/* Returns the span of the year's weeks. Week 1 contains 4 January (RFC 5545 section 3.3.10). */
static struct span weeks_of(const struct rule *rule, int year)
{
	return (struct span){ week_begin(rule, day_number(year, 1, 4)),
			      week_begin(rule, day_number(year + 1, 1, 4)) };
}

struct expansion {
	const struct recurrence *recurrence;
	const struct recurrence_range *range;
	struct rule rule;
	struct recurrence_times *times;
	int64_t start_day, last_day; /* days since 1970-01-01; the range ends at last_day */
	int64_t count;		     /* the number of occurrences so far */
	bool is_over;
	const char *why; /* why the rule is rejected; NULL: it is valid */
};

/* Returns the period that is `intervals` periods after the first one. A period is a day, week,
 * month or year, and the rule selects days of it. */
static struct span period_of(const struct expansion *expansion, int64_t intervals)
{
	const struct rule *rule = &expansion->rule;
	const int64_t day = expansion->start_day, week = week_begin(rule, day);
	const struct local_time *start = &expansion->recurrence->start;
	int year = start->year + (int)intervals;
	if (rule->frequency == DAILY)
		return (struct span){ day + intervals, day + intervals + 1 };
	if (rule->frequency == WEEKLY)
		return (struct span){ week + intervals * WEEK_DAYS,
				      week + (intervals + 1) * WEEK_DAYS };
	if (rule->frequency == MONTHLY)
		return month_of(start->year * INT64_C(12) + start->month - 1 + intervals);
	if (!rule->weeks.is_given)
		return year_of(year);
	year += day >= weeks_of(rule, start->year).end;
	year -= day < weeks_of(rule, start->year).begin;
	return weeks_of(rule, year);
}

/* Returns whether `set` contains the position of `day` in the span. The position counts days if
 * `step` is 1. It counts weeks, or days with the same weekday, if `step` is 7. */
static bool has_place(const struct place_set *set, const struct span *span, int64_t day, int step)
{
	return place_set_has(set, (int)((day - span->begin) / step) + 1) ||
	       place_set_has(set, -(int)((span->end - 1 - day) / step) - 1);
}

/* Returns whether `day` is like the day of the start, for example the same weekday. Rules without
 * days select such days. */
static bool is_like_start(const struct expansion *expansion, int64_t day,
			  const struct instant_parts *date)
{
	const struct rule *rule = &expansion->rule;
	const struct local_time *start = &expansion->recurrence->start;
	if (rule->frequency == DAILY)
		return true;
	if (rule->frequency == WEEKLY || rule->weeks.is_given)
		return rule_weekday(day) == rule_weekday(expansion->start_day);
	return date->day == start->day &&
	       (rule->frequency == MONTHLY || rule->months.is_given || date->month == start->month);
}

/* Returns whether all parts of the rule, except for BYSETPOS, select the day. */
static bool selects(const struct expansion *expansion, const struct span *period, int64_t day)
{
	const struct rule *rule = &expansion->rule;
	const struct instant_parts date = date_of(day);
	const struct span month = month_of(date.year * INT64_C(12) + date.month - 1);
	const struct span year = year_of(date.year);
	const struct span *of_weekdays =
		rule->frequency == MONTHLY || rule->months.is_given ? &month : &year;
	const int weekday = rule_weekday(day);
	if (!rule->has_weekdays && !rule->month_days.is_given && !rule->year_days.is_given &&
	    !is_like_start(expansion, day, &date))
		return false;
	return (!rule->months.is_given || place_set_has(&rule->months, date.month)) &&
	       (!rule->weeks.is_given || has_place(&rule->weeks, period, day, WEEK_DAYS)) &&
	       (!rule->year_days.is_given || has_place(&rule->year_days, &year, day, 1)) &&
	       (!rule->month_days.is_given || has_place(&rule->month_days, &month, day, 1)) &&
	       (!rule->has_weekdays || (rule->weekdays >> weekday & 1) != 0 ||
		has_place(&rule->nth_weekdays[weekday], of_weekdays, day, WEEK_DAYS));
}

static const char *refuse_start(const struct expansion *expansion)
{
	const struct rule *rule = &expansion->rule;
	const struct local_time *start = &expansion->recurrence->start;
	const struct span month = month_of(start->year * INT64_C(12) + start->month - 1);
	if (rule->months.is_given && !place_set_has(&rule->months, start->month))
		return "must have the month of starts_at in BYMONTH";
	if (rule->month_days.is_given &&
	    !has_place(&rule->month_days, &month, expansion->start_day, 1))
		return "must have the day of starts_at in BYMONTHDAY";
	return "must have its first occurrence at starts_at";
}

static void add_occurrence(struct expansion *expansion, int64_t day)
{
	const struct recurrence *recurrence = expansion->recurrence;
	struct recurrence_times *times = expansion->times;
	const struct instant_parts date = date_of(day);
	struct local_time local = recurrence->start;
	local.year = date.year;
	local.month = date.month;
	local.day = date.day;
	const struct instant at = zone_instant(recurrence->zone, &local);
	if (expansion->count == 0 && day != expansion->start_day)
		expansion->why = refuse_start(expansion);
	times->is_last = is_past_until(&expansion->rule, &local, at);
	expansion->is_over = expansion->why || times->is_last || at.s > expansion->range->until.s;
	if (expansion->is_over)
		return;
	expansion->count++;
	times->is_last = expansion->is_over = expansion->count == expansion->rule.count;
	if (at.s < expansion->range->from.s)
		return;
	if (times->count == expansion->range->most)
		expansion->why = "has too many occurrences";
	else
		times->starts[times->count++] = at;
	expansion->is_over |= expansion->why != NULL;
}

static void add_period(struct expansion *expansion, const struct span *period)
{
	const struct place_set *positions = &expansion->rule.positions;
	int64_t days[YEAR_DAYS_MAX + WEEK_DAYS];
	int count = 0;
	for (int64_t day = period->begin; day < period->end; day++)
		if (selects(expansion, period, day))
			days[count++] = day;
	for (int i = 0; i < count && !expansion->is_over; i++)
		if (days[i] >= expansion->start_day &&
		    (!positions->is_given || place_set_has(positions, i + 1) ||
		     place_set_has(positions, i - count)))
			add_occurrence(expansion, days[i]);
}

enum result recurrence_expand(const struct recurrence *recurrence,
			      const struct recurrence_range *range, struct arena *arena,
			      struct recurrence_times *times, const char **why)
{
	const struct local_time *start = &recurrence->start;
	const int64_t start_day = day_number(start->year, start->month, start->day);
	/* The local date may be a day after the date in UTC. */
	const int64_t range_end = range->until.s / DAY_SECONDS + 1;
	struct expansion expansion = { .recurrence = recurrence,
				       .range = range,
				       .times = times,
				       .start_day = start_day,
				       .last_day = start_day > range_end ? start_day : range_end };
	*times = (struct recurrence_times){ .starts = ARENA_ARRAY(arena, range->most,
								  struct instant) };
	*why = recurrence_read_rule(recurrence->rule, &expansion.rule, arena);
	if (*why)
		return E_INVALID;
	struct span period = period_of(&expansion, 0);
	for (int64_t i = expansion.rule.interval;
	     !expansion.is_over && period.begin <= expansion.last_day;
	     i += expansion.rule.interval) {
		add_period(&expansion, &period);
		period = period_of(&expansion, i);
	}
	if (expansion.count == 0 && !expansion.is_over)
		expansion.why = refuse_start(&expansion);
	*why = expansion.why;
	return *why ? E_INVALID : OK;
}
