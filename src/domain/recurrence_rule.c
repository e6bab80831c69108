#include "domain/recurrence_rule.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"

enum { MONDAY = 1 };
enum { INTERVAL_MAX = 1000, COUNT_MAX = 10000 };

static bool is_frequency(struct rule *rule, struct str value)
{
	rule->is_monthly = str_eq(value, STR("MONTHLY"));
	rule->is_by_month = rule->is_monthly || str_eq(value, STR("YEARLY"));
	rule->has_freq = true;
	return rule->is_by_month || str_eq(value, STR("DAILY")) || str_eq(value, STR("WEEKLY"));
}

static bool is_number(struct str value, int64_t most, int64_t *number)
{
	return str_to_int64(value, number) && *number >= 1 && *number <= most;
}

/* "20261231", "20261231T220000", "20261231T220000Z" */
static bool is_until(struct rule *rule, struct str value)
{
	enum { DATE = 8, LOCAL = 15, UTC = 16 };
	char text[INSTANT_TEXT_SIZE];
	const char *digits = value.data;
	rule->until_kind = value.len == DATE	? UNTIL_DATE
			   : value.len == LOCAL ? UNTIL_LOCAL
						: UNTIL_UTC;
	if (value.len != DATE && value.len != LOCAL && !(value.len == UTC && digits[15] == 'Z'))
		return false;
	const char *time = value.len == DATE ? "T235959" : digits + DATE;
	snprintf(text, sizeof(text), "%.4s-%.2s-%.2s%.3s:%.2s:%.2s", digits, digits + 4, digits + 6,
		 time, time + 3, time + 5);
	return instant_parse(str_from(text), &rule->until);
}

/* Comma-separated numbers, one of which is `wanted` or `or_wanted`. */
static bool has_number(struct str value, int64_t wanted, int64_t or_wanted)
{
	struct str item;
	int64_t number;
	bool is_found = false;
	while (str_split(&value, ',', &item)) {
		if (!str_to_int64(item, &number))
			return false;
		is_found |= number == wanted || number == or_wanted;
	}
	return is_found;
}

static int days_of_month(const struct local_time *local)
{
	const struct instant_parts first = { local->year, local->month, 1, 0, 0, 0 };
	/* 31 days later is in the next month. */
	struct instant_parts later =
		instant_split((struct instant){ instant_of(&first).s + 31 * DAY_SECONDS });
	return later.month == local->month ? 31 : 32 - later.day;
}

static const char *const weekdays[] = { "SU", "MO", "TU", "WE", "TH", "FR", "SA" };

/* 0 is Sunday; -1: no weekday. */
static int weekday_of(struct str name)
{
	for (int i = 0; i < (int)ARRAY_LEN(weekdays); i++)
		if (str_eq(name, str_from(weekdays[i])))
			return i;
	return -1;
}

/*
 * The parts that select a month or a day must select the start: a rule that never occurs would
 * keep libical searching for centuries.
 */
static bool is_part(struct rule *rule, struct str name, struct str value)
{
	static const char *const others[] = { "BYYEARDAY", "BYWEEKNO", "BYSETPOS" };
	const struct local_time *start = rule->start;
	int64_t number;
	if (str_eq(name, STR("FREQ")))
		return is_frequency(rule, value);
	if (str_eq(name, STR("INTERVAL")))
		return is_number(value, INTERVAL_MAX, &number);
	if (str_eq(name, STR("COUNT")))
		return is_number(value, COUNT_MAX, &rule->count);
	if (str_eq(name, STR("BYMONTH"))) {
		rule->by_month = value;
		return has_number(value, start->month, start->month);
	}
	if (str_eq(name, STR("BYSETPOS")))
		rule->by_set_pos = value;
	if (str_eq(name, STR("BYYEARDAY")))
		rule->by_year_day = value;
	if (str_eq(name, STR("BYWEEKNO")))
		rule->by_week_no = value;
	if (str_eq(name, STR("BYMONTHDAY"))) {
		rule->by_month_day = value;
		return has_number(value, start->day, start->day - days_of_month(start) - 1);
	}
	if (str_eq(name, STR("BYDAY"))) {
		rule->by_day = value;
		for (size_t i = 0; i < value.len; i++)
			rule->has_nth |= value.data[i] >= '0' && value.data[i] <= '9';
		return value.len > 0;
	}
	if (str_eq(name, STR("WKST"))) {
		rule->week_start = weekday_of(value);
		return rule->week_start >= 0;
	}
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (str_eq(name, str_from(others[i])))
			return value.len > 0;
	return false;
}

/* "MO", "2MO", "-1FR": one of the list is the day of the month. */
static bool has_day(struct str list, int weekday, int day, int days)
{
	struct str item;
	while (str_split(&list, ',', &item)) {
		size_t len = item.len < 2 ? 0 : item.len - 2;
		struct str nth = { item.data, len };
		int64_t number = 0;
		if (weekday_of(str_skip(item, len)) != weekday)
			continue;
		if (str_starts(nth, STR("+")))
			nth = str_skip(nth, 1);
		if (len == 0 || (str_to_int64(nth, &number) && (number == (day - 1) / 7 + 1 ||
								number == -((days - day) / 7) - 1)))
			return true;
	}
	return false;
}

/* A day of the month, or the year, of the start; days and weekdays count from 0, which is Sunday.
 */
struct day {
	struct instant_parts parts;
	int place, period_days; /* within the period */
	int weekday;
};

/* Whether the parts of the rule select the day, without BYSETPOS and BYWEEKNO. */
static bool selects(const struct rule *rule, const struct day *day)
{
	const struct local_time *start = rule->start;
	const struct local_time local = {
		day->parts.year, day->parts.month, day->parts.day, 0, 0, 0
	};
	const int days = days_of_month(&local), year_day = day->place + 1;
	bool is_of_month = rule->is_monthly || rule->by_month.len > 0;
	bool has_days = rule->by_day.len > 0 || rule->by_month_day.len > 0 ||
			rule->by_year_day.len > 0;
	if (rule->by_month.len > 0 && !has_number(rule->by_month, local.month, local.month))
		return false;
	if (!has_days)
		return local.day == start->day && (is_of_month || local.month == start->month);
	if (rule->by_month_day.len > 0 &&
	    !has_number(rule->by_month_day, local.day, local.day - days - 1))
		return false;
	if (rule->by_year_day.len > 0 &&
	    !has_number(rule->by_year_day, year_day, year_day - day->period_days - 1))
		return false;
	return rule->by_day.len == 0 ||
	       has_day(rule->by_day, day->weekday, is_of_month ? local.day : year_day,
		       is_of_month ? days : day->period_days);
}

static int64_t days_until(int year, int month, int day)
{
	const struct instant_parts parts = { year, month, day, 0, 0, 0 };
	return instant_of(&parts).s / DAY_SECONDS;
}

/* 1970 began on a Thursday. */
static int weekday_on(int64_t days)
{
	return (int)((days % 7 + 11) % 7);
}

/* Whether the rule selects its start in the start's month or year. */
static bool selects_in_period(const struct rule *rule)
{
	const struct local_time *start = rule->start;
	const bool is_monthly = rule->is_monthly;
	const int64_t from = days_until(start->year, is_monthly ? start->month : 1, 1);
	struct day day = { .period_days =
				   is_monthly ? days_of_month(start)
					      : (int)(days_until(start->year + 1, 1, 1) - from) };
	int count = 0, place = 0;
	for (; day.place < day.period_days; day.place++) {
		const int64_t days = from + day.place;
		day.parts = instant_split((struct instant){ days * DAY_SECONDS });
		day.weekday = weekday_on(days);
		if (!selects(rule, &day))
			continue;
		count++;
		if (day.parts.month == start->month && day.parts.day == start->day)
			place = count;
	}
	return place > 0 && (rule->by_set_pos.len == 0 ||
			     has_number(rule->by_set_pos, place, place - count - 1));
}

/* The first day of week 1, which is the week of 4 January (RFC 5545 section 3.3.10). */
static int64_t first_week(const struct rule *rule, int year)
{
	const int64_t days = days_until(year, 1, 4);
	return days - (weekday_on(days) - rule->week_start + 7) % 7;
}

static bool selects_week(const struct rule *rule)
{
	const struct local_time *start = rule->start;
	const int64_t day = days_until(start->year, start->month, start->day);
	int year = start->year;
	if (day < first_week(rule, year))
		year--;
	else if (day >= first_week(rule, year + 1))
		year++;
	const int64_t first = first_week(rule, year);
	const int64_t week = (day - first) / 7 + 1;
	const int64_t weeks = (first_week(rule, year + 1) - first) / 7;
	return has_number(rule->by_week_no, week, week - weeks - 1);
}

static int start_weekday(const struct rule *rule)
{
	const struct local_time *start = rule->start;
	return weekday_on(days_until(start->year, start->month, start->day));
}

/* Whether the start is an occurrence. Otherwise libical would look for the first one until the year
 * 20000. */
static bool selects_start(const struct rule *rule)
{
	const int weekday = start_weekday(rule);
	if (rule->by_week_no.len == 0 && rule->is_by_month)
		return selects_in_period(rule);
	/* Here BYDAY has no numbers, and is_part() has compared the month and the day. */
	return (rule->by_day.len == 0 || has_day(rule->by_day, weekday, 1, 1)) &&
	       (rule->by_week_no.len == 0 || selects_week(rule));
}

/* libical combines weeks with weekdays only. */
static bool has_plain_weeks(const struct rule *rule)
{
	struct str rest = rule->by_week_no, item;
	int64_t number;
	while (str_split(&rest, ',', &item))
		if (!str_to_int64(item, &number) || number == 0 || number < -53 || number > 53)
			return false;
	return rule->by_month.len == 0 && rule->by_month_day.len == 0 &&
	       rule->by_year_day.len == 0 && rule->by_set_pos.len == 0 && !rule->has_nth;
}

static void add_part(struct rule *rule, struct str part)
{
	if (rule->len > 0)
		rule->text[rule->len++] = ';';
	memcpy(rule->text + rule->len, part.data, part.len);
	rule->len += part.len;
	rule->text[rule->len] = '\0';
}

/* Without BYDAY, libical 3.0 finds no week, or another day of it than the start's. */
static void add_weekday(struct rule *rule)
{
	char part[sizeof("BYDAY=SU")];
	snprintf(part, sizeof(part), "BYDAY=%s", weekdays[start_weekday(rule)]);
	add_part(rule, str_from(part));
}

/* Why is_part() or is_until() refuses a part. */
static const char *refuse_part(struct str name, struct str part, struct arena *arena)
{
	static const struct {
		const char *name, *why;
	} reasons[] = {
		{ "FREQ", "FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY" },
		{ "INTERVAL", "INTERVAL must be from 1 to 1000" },
		{ "COUNT", "COUNT must be from 1 to 10000" },
		{ "UNTIL", "UNTIL must be a date or a time, such as 20261231T220000Z" },
		{ "BYMONTH", "the month of starts_at must be among its months" },
		{ "BYMONTHDAY", "the day of starts_at must be among its days" },
		{ "BYHOUR", "starts_at has the time of day" },
		{ "BYMINUTE", "starts_at has the time of day" },
		{ "BYSECOND", "starts_at has the time of day" },
		{ "BYDAY", "it has no value" },
		{ "BYYEARDAY", "it has no value" },
		{ "BYWEEKNO", "it has no value" },
		{ "BYSETPOS", "it has no value" },
		{ "WKST", "it must be a weekday, such as MO" },
	};
	const char *why = "there is no such part";
	for (size_t i = 0; i < ARRAY_LEN(reasons); i++)
		if (str_eq(name, str_from(reasons[i].name)))
			why = reasons[i].why;
	return arena_printf(arena, "must not have %.*s: %s", (int)part.len, part.data, why);
}

const char *recurrence_read_rule(const char *text, struct rule *rule, struct arena *arena)
{
	struct str rest = str_from(text), part;
	const char *seen[16];
	size_t count = 0;
	if (rest.len > RULE_MAX)
		return "is too long";
	rule->week_start = MONDAY;
	while (str_split(&rest, ';', &part)) {
		struct str value = part, name;
		if (!str_split(&value, '=', &name) || count == ARRAY_LEN(seen))
			return count == ARRAY_LEN(seen)
				       ? "has too many parts"
				       : arena_printf(arena,
						      "must be a rule of RFC 5545, such as "
						      "FREQ=WEEKLY;BYDAY=SA; %.*s is no part of it",
						      (int)part.len, part.data);
		for (size_t i = 0; i < count; i++)
			if (strncmp(seen[i], name.data, name.len + 1) == 0)
				return arena_printf(arena, "must not have %.*s twice",
						    (int)name.len, name.data);
		seen[count++] = name.data;
		bool is_until_part = str_eq(name, STR("UNTIL"));
		if (is_until_part ? !is_until(rule, value) : !is_part(rule, name, value))
			return refuse_part(name, part, arena);
		if (!is_until_part)
			add_part(rule, part);
	}
	if (!rule->has_freq)
		return "must have FREQ of DAILY, WEEKLY, MONTHLY or YEARLY";
	if (rule->has_nth && !rule->is_by_month)
		return "must have no number in BYDAY, unless FREQ is MONTHLY or YEARLY";
	if (rule->by_week_no.len > 0 && !has_plain_weeks(rule))
		return "must have no more than weekdays and week numbers from 1 to 53 with "
		       "BYWEEKNO";
	if (!selects_start(rule))
		return "must have its first occurrence at starts_at";
	if (rule->by_week_no.len > 0 && rule->by_day.len == 0)
		add_weekday(rule);
	return rule->count > 0 && rule->until_kind != UNTIL_NEVER
		       ? "must not have both COUNT and UNTIL"
		       : NULL;
}
