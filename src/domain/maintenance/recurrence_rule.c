#include "domain/maintenance/recurrence_rule.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"

enum { MONDAY = 1 };
enum { INTERVAL_MAX = 1000, COUNT_MAX = 10000, YEAR_WEEKS_MAX = 53 };

bool place_set_has(const struct place_set *set, int place)
{
	const uint64_t *bits = place > 0 ? set->from_start : set->from_end;
	const int bit = place > 0 ? place : -place;
	return (bits[bit / 64] >> (bit % 64) & 1) != 0;
}

static bool read_place(struct str text, int64_t most, struct place_set *set)
{
	int64_t place;
	if (str_starts(text, STR("+")) && !str_starts(text, STR("+-")))
		text = str_skip(text, 1);
	if (!str_to_int64(text, &place) || place == 0 || place > most || place < -most)
		return false;
	uint64_t *bits = place > 0 ? set->from_start : set->from_end;
	const int64_t bit = place > 0 ? place : -place;
	bits[bit / 64] |= UINT64_C(1) << (bit % 64);
	set->is_given = true;
	return true;
}

static bool read_places(struct str list, int64_t most, struct place_set *set)
{
	struct str item;
	while (str_split(&list, ',', &item))
		if (!read_place(item, most, set))
			return false;
	return set->is_given;
}

const char *const rule_weekdays[] = { "SU", "MO", "TU", "WE", "TH", "FR", "SA", NULL };

int rule_weekday(int64_t day)
{
	enum { THURSDAY = 4 }; /* 1970-01-01 */
	return (int)((day % WEEK_DAYS + WEEK_DAYS + THURSDAY) % WEEK_DAYS);
}

/* Returns the index of `name` in rule_weekdays; -1: `name` is not a weekday. */
static int weekday_named(struct str name)
{
	return str_place(rule_weekdays, name);
}

static bool read_number(struct str value, int64_t most, int64_t *number)
{
	return str_to_int64(value, number) && *number >= 1 && *number <= most;
}

static bool read_frequency(struct rule *rule, struct str value)
{
	static const char *const names[] = { "DAILY", "WEEKLY", "MONTHLY", "YEARLY", NULL };
	int place = str_place(names, value);
	if (place >= 0)
		rule->frequency = (enum frequency)place;
	return place >= 0;
}

static bool read_interval(struct rule *rule, struct str value)
{
	return read_number(value, INTERVAL_MAX, &rule->interval);
}

static bool read_count(struct rule *rule, struct str value)
{
	return read_number(value, COUNT_MAX, &rule->count);
}

/* Reads UNTIL: "20261231", "20261231T220000" or "20261231T220000Z". */
static bool read_until(struct rule *rule, struct str value)
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

static bool read_week_start(struct rule *rule, struct str value)
{
	rule->week_start = weekday_named(value);
	return rule->week_start >= 0;
}

/* Reads BYDAY: a list of items such as "MO", "2MO" and "-1FR". */
static bool read_weekdays(struct rule *rule, struct str list)
{
	struct str item;
	rule->has_weekdays = true;
	while (str_split(&list, ',', &item)) {
		const size_t len = item.len < 2 ? 0 : item.len - 2;
		const int weekday = weekday_named(str_skip(item, len));
		if (weekday < 0)
			return false;
		if (len == 0)
			rule->weekdays |= 1U << weekday;
		else if (!read_place((struct str){ item.data, len }, YEAR_WEEKS_MAX,
				     &rule->nth_weekdays[weekday]))
			return false;
	}
	return true;
}

static bool read_months(struct rule *rule, struct str value)
{
	return read_places(value, 12, &rule->months) && rule->months.from_end[0] == 0;
}

static bool read_month_days(struct rule *rule, struct str value)
{
	return read_places(value, 31, &rule->month_days);
}

static bool read_year_days(struct rule *rule, struct str value)
{
	return read_places(value, YEAR_DAYS_MAX, &rule->year_days);
}

static bool read_weeks(struct rule *rule, struct str value)
{
	return read_places(value, YEAR_WEEKS_MAX, &rule->weeks);
}

static bool read_positions(struct rule *rule, struct str value)
{
	return read_places(value, YEAR_DAYS_MAX, &rule->positions);
}

static bool refuse(struct rule *rule, struct str value)
{
	(void)rule, (void)value;
	return false;
}

static const struct part {
	const char *name;
	bool (*read)(struct rule *rule, struct str value);
	const char *why; /* why a value is rejected */
} parts[] = {
	{ "FREQ", read_frequency, "FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY" },
	{ "INTERVAL", read_interval, "INTERVAL must be from 1 to 1000" },
	{ "COUNT", read_count, "COUNT must be from 1 to 10000" },
	{ "UNTIL", read_until, "UNTIL must be a date or a time, such as 20261231T220000Z" },
	{ "BYMONTH", read_months, "its months must be from 1 to 12" },
	{ "BYMONTHDAY", read_month_days, "its days must be from 1 to 31, or from -31 to -1" },
	{ "BYYEARDAY", read_year_days, "its days must be from 1 to 366, or from -366 to -1" },
	{ "BYWEEKNO", read_weeks, "its weeks must be from 1 to 53, or from -53 to -1" },
	{ "BYSETPOS", read_positions, "its numbers must be from 1 to 366, or from -366 to -1" },
	{ "BYDAY", read_weekdays, "it must be a list of weekdays, such as MO,FR or 2TU or -1SU" },
	{ "WKST", read_week_start, "it must be a weekday, such as MO" },
	{ "BYHOUR", refuse, "starts_at has the time of day" },
	{ "BYMINUTE", refuse, "starts_at has the time of day" },
	{ "BYSECOND", refuse, "starts_at has the time of day" },
};

/* Reads one part. Returns NULL, or why the part is refused. `seen` has a bit for each part that
 * was read before. */
static const char *read_part(struct rule *rule, struct str part, unsigned *seen,
			     struct arena *arena)
{
	struct str value = part, name;
	const struct part *known = NULL;
	const char *why = "there is no such part";
	if (!str_split(&value, '=', &name) || name.len == 0)
		return "must be a rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=SA";
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (str_eq(name, str_from(parts[i].name)))
			known = &parts[i];
	if (known) {
		const unsigned bit = 1U << (known - parts);
		if (*seen & bit)
			return arena_printf(arena, "must not have %s twice", known->name);
		*seen |= bit;
		if (value.len > 0 && known->read(rule, value))
			return NULL;
		why = value.len > 0 ? known->why : "it has no value";
	}
	return arena_printf(arena, "must not have %.*s: %s", (int)part.len, part.data, why);
}

/* Returns why RFC 5545 forbids the combination of parts; NULL: the combination is valid. */
static const char *check_parts(const struct rule *rule)
{
	bool has_nth = false;
	for (int i = 0; i < WEEK_DAYS; i++)
		has_nth |= rule->nth_weekdays[i].is_given;
	if (has_nth && rule->frequency < MONTHLY)
		return "must have no number in BYDAY, unless FREQ is MONTHLY or YEARLY";
	if (rule->month_days.is_given && rule->frequency == WEEKLY)
		return "must have no BYMONTHDAY, if FREQ is WEEKLY";
	if (rule->year_days.is_given && rule->frequency != YEARLY)
		return "must have no BYYEARDAY, unless FREQ is YEARLY";
	if (rule->positions.is_given && !rule->months.is_given && !rule->month_days.is_given &&
	    !rule->year_days.is_given && !rule->has_weekdays)
		return "must have another part, such as BYDAY, with BYSETPOS";
	if (rule->weeks.is_given && rule->frequency != YEARLY)
		return "must have no BYWEEKNO, unless FREQ is YEARLY";
	if (rule->weeks.is_given &&
	    (rule->months.is_given || rule->month_days.is_given || rule->year_days.is_given ||
	     rule->positions.is_given || has_nth))
		return "must have no more than weekdays and week numbers from 1 to 53 with "
		       "BYWEEKNO";
	if (rule->count > 0 && rule->until_kind != UNTIL_NEVER)
		return "must not have both COUNT and UNTIL";
	return NULL;
}

const char *recurrence_read_rule(const char *text, struct rule *rule, struct arena *arena)
{
	enum { FREQ_BIT = 1 };
	struct str rest = str_from(text), part;
	const char *why = NULL;
	unsigned seen = 0;
	*rule = (struct rule){ .interval = 1, .week_start = MONDAY };
	if (rest.len > RULE_MAX)
		return "is too long";
	while (!why && str_split(&rest, ';', &part))
		why = read_part(rule, part, &seen, arena);
	if (!why && !(seen & FREQ_BIT))
		why = "must have FREQ of DAILY, WEEKLY, MONTHLY or YEARLY";
	return why ? why : check_parts(rule);
}
