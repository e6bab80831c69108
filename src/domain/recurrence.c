#include "domain/recurrence.h"

#include <libical/ical.h>
#include <pthread.h>
#include <string.h>

#include "base/clock.h"
#include "base/library.h"
#include "base/str.h"

enum {
	INTERVAL_MAX = 1000,
	COUNT_MAX = 10000,
	STEPS_MAX = 100000, /* occurrences from the start of the rule on */
	DAY_SECONDS = 86400,
};

#ifdef ICAL_LIBRARY

/* libical loads ICU, whose data has 30 MB: only processes that expand a rule load it. */
#define ICAL_FUNCTIONS(X) \
	X(icalerror_set_errors_are_fatal) \
	X(icalrecurrencetype_from_string) \
	X(icalrecur_iterator_new) \
	X(icalrecur_iterator_next) \
	X(icalrecur_iterator_free)

static struct {
#define MEMBER(name) __typeof__(name) *call_##name;
	ICAL_FUNCTIONS(MEMBER)
#undef MEMBER
} ical;

static const struct library_symbol symbols[] = {
#define SYMBOL(name) { #name, &ical.call_##name },
	ICAL_FUNCTIONS(SYMBOL)
#undef SYMBOL
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[LIBRARY_FAILURE_SIZE]; /* empty: the library is loaded */

static void load_library(void)
{
	if (library_load(ICAL_LIBRARY, symbols, ARRAY_LEN(symbols), failure))
		ical.call_icalerror_set_errors_are_fatal(false);
}

static enum result load(struct error *error)
{
	pthread_once(&once, load_library);
	return failure[0] == '\0' ? OK
				  : error_log(error, E_UNAVAILABLE,
					      "the library for recurring windows cannot be "
					      "loaded: %s",
					      failure);
}

#define icalrecurrencetype_from_string ical.call_icalrecurrencetype_from_string
#define icalrecur_iterator_new	       ical.call_icalrecur_iterator_new
#define icalrecur_iterator_next	       ical.call_icalrecur_iterator_next
#define icalrecur_iterator_free	       ical.call_icalrecur_iterator_free

#else

static enum result load(struct error *error)
{
	(void)error;
	icalerror_set_errors_are_fatal(false);
	return OK;
}

#endif

/* libical keeps some state for all threads. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

bool local_time_parse(const char *text, struct local_time *local)
{
	enum { WITHOUT_SECONDS = 16, WITH_SECONDS = 19 };
	char padded[WITH_SECONDS + 1] = "0000-00-00T00:00:00";
	size_t len = strlen(text);
	struct instant at;
	if (len != WITHOUT_SECONDS && len != WITH_SECONDS)
		return false;
	memcpy(padded, text, len);
	/* No sign, and no letter but the T: instant_parse() knows offsets. */
	if (strspn(padded + 11, "0123456789:") != 8 || !instant_parse(str_from(padded), &at))
		return false;
	struct instant_parts parts = instant_split(at);
	*local = (struct local_time){ parts.year, parts.month,	parts.day,
				      parts.hour, parts.minute, parts.second };
	return true;
}

enum until_kind { UNTIL_NEVER, UNTIL_DATE, UNTIL_LOCAL, UNTIL_UTC };

/* A rule, as far as it is checked here. */
struct rule {
	char text[256]; /* without UNTIL: libical would compare it with local times */
	size_t len;
	bool has_freq;
	bool has_nth;	  /* BYDAY=2MO */
	bool is_by_month; /* FREQ=MONTHLY or YEARLY */
	bool is_monthly;
	struct str by_day, by_month_day, by_set_pos; /* len 0: the rule has no such part */
	int64_t count;				     /* 0: none */
	enum until_kind until_kind;
	struct instant until; /* as if its digits were UTC */
	const struct local_time *start;
};

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

/*
 * The parts that select a month or a day must select the start: a rule that never occurs would
 * keep libical searching for centuries.
 */
static bool is_part(struct rule *rule, struct str name, struct str value)
{
	static const char *const others[] = { "BYYEARDAY", "BYWEEKNO", "BYSETPOS", "WKST" };
	const struct local_time *start = rule->start;
	int64_t number;
	if (str_eq(name, STR("FREQ")))
		return is_frequency(rule, value);
	if (str_eq(name, STR("INTERVAL")))
		return is_number(value, INTERVAL_MAX, &number);
	if (str_eq(name, STR("COUNT")))
		return is_number(value, COUNT_MAX, &rule->count);
	if (str_eq(name, STR("BYMONTH")))
		return has_number(value, start->month, start->month);
	if (str_eq(name, STR("BYSETPOS")))
		rule->by_set_pos = value;
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
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (str_eq(name, str_from(others[i])))
			return value.len > 0;
	return false;
}

/* "MO", "2MO", "-1FR": one of the list is the day of the month. */
static bool has_day(struct str list, int weekday, int day, int days)
{
	static const char *const names[] = { "SU", "MO", "TU", "WE", "TH", "FR", "SA" };
	struct str item;
	while (str_split(&list, ',', &item)) {
		size_t len = item.len < 2 ? 0 : item.len - 2;
		struct str nth = { item.data, len };
		int64_t number = 0;
		if (!str_eq(str_skip(item, len), str_from(names[weekday])))
			continue;
		if (str_starts(nth, STR("+")))
			nth = str_skip(nth, 1);
		if (len == 0 || (str_to_int64(nth, &number) && (number == (day - 1) / 7 + 1 ||
								number == -((days - day) / 7) - 1)))
			return true;
	}
	return false;
}

/*
 * Whether a monthly rule selects its start in the start's month. Otherwise libical would look for
 * a first occurrence month by month for centuries, which takes seconds.
 */
static bool selects_start(const struct rule *rule)
{
	const struct local_time *start = rule->start;
	const struct instant_parts first = { start->year, start->month, 1, 0, 0, 0 };
	int days = days_of_month(start), count = 0, place = 0;
	/* 1970 began on a Thursday. */
	int64_t first_weekday = (instant_of(&first).s / DAY_SECONDS + 4) % 7;
	for (int day = 1; day <= days; day++) {
		int weekday = (int)((first_weekday + day - 1) % 7);
		bool is_selected = rule->by_day.len > 0 || rule->by_month_day.len > 0 ||
				   day == start->day;
		if (rule->by_day.len > 0)
			is_selected &= has_day(rule->by_day, weekday, day, days);
		if (rule->by_month_day.len > 0)
			is_selected &= has_number(rule->by_month_day, day, day - days - 1);
		count += is_selected;
		if (is_selected && day == start->day)
			place = count;
	}
	return place > 0 && (rule->by_set_pos.len == 0 ||
			     has_number(rule->by_set_pos, place, place - count - 1));
}

/* NULL, or what is wrong. */
static const char *read_rule(const char *text, struct rule *rule)
{
	struct str rest = str_from(text), part;
	const char *seen[16];
	size_t count = 0;
	if (rest.len >= sizeof(rule->text))
		return "is too long";
	while (str_split(&rest, ';', &part)) {
		struct str value = part, name;
		if (!str_split(&value, '=', &name) || count == ARRAY_LEN(seen))
			return "must be a rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=SA";
		for (size_t i = 0; i < count; i++)
			if (strncmp(seen[i], name.data, name.len + 1) == 0)
				return "must not have a part twice";
		seen[count++] = name.data;
		bool is_until_part = str_eq(name, STR("UNTIL"));
		if (is_until_part ? !is_until(rule, value) : !is_part(rule, name, value))
			return "must have FREQ of DAILY, WEEKLY, MONTHLY or YEARLY, no times of "
			       "day, and its first occurrence at starts_at";
		if (is_until_part)
			continue;
		if (rule->len > 0)
			rule->text[rule->len++] = ';';
		memcpy(rule->text + rule->len, part.data, part.len);
		rule->len += part.len;
	}
	rule->text[rule->len] = '\0';
	if (!rule->has_freq)
		return "must have FREQ of DAILY, WEEKLY, MONTHLY or YEARLY";
	if (rule->has_nth && !rule->is_by_month)
		return "must have no number in BYDAY, unless FREQ is MONTHLY or YEARLY";
	if (rule->is_monthly && !selects_start(rule))
		return "must have its first occurrence at starts_at";
	return rule->count > 0 && rule->until_kind != UNTIL_NEVER
		       ? "must not have both COUNT and UNTIL"
		       : NULL;
}

static struct icaltimetype ical_time(const struct local_time *local)
{
	return (struct icaltimetype){ .year = local->year,
				      .month = local->month,
				      .day = local->day,
				      .hour = local->hour,
				      .minute = local->minute,
				      .second = local->second };
}

static struct local_time local_of(const struct icaltimetype *time)
{
	return (struct local_time){ time->year, time->month,  time->day,
				    time->hour, time->minute, time->second };
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

struct expansion {
	const struct recurrence *recurrence;
	const struct recurrence_range *range;
	const struct rule *rule;
	struct recurrence_times *times;
};

/* Takes the occurrences one by one, the first of which must be the start. */
static const char *walk(const struct expansion *expansion, icalrecur_iterator *iterator)
{
	const struct recurrence *recurrence = expansion->recurrence;
	struct recurrence_times *times = expansion->times;
	for (int64_t step = 0; step < STEPS_MAX; step++) {
		struct icaltimetype next = icalrecur_iterator_next(iterator);
		const struct local_time local = local_of(&next);
		bool is_end = next.year == 0;
		if (step == 0 && (is_end || as_utc_s(&local) != as_utc_s(&recurrence->start)))
			return "must have its first occurrence at starts_at";
		if (is_end) {
			times->is_last = step == expansion->rule->count;
			return NULL;
		}
		struct instant at = zone_instant(recurrence->zone, &local);
		times->is_last = is_past_until(expansion->rule, &local, at);
		if (times->is_last || at.s > expansion->range->until.s)
			return NULL;
		if (at.s < expansion->range->from.s)
			continue;
		if (times->count == expansion->range->most)
			return "has too many occurrences";
		times->starts[times->count++] = at;
	}
	return "has too many occurrences";
}

enum result recurrence_expand(const struct recurrence *recurrence,
			      const struct recurrence_range *range, struct arena *arena,
			      struct recurrence_times *times, const char **why, struct error *error)
{
	struct rule rule = { .start = &recurrence->start };
	const struct expansion expansion = { recurrence, range, &rule, times };
	*times = (struct recurrence_times){ .starts = ARENA_ARRAY(arena, range->most,
								  struct instant) };
	*why = read_rule(recurrence->rule, &rule);
	if (*why)
		return E_INVALID;
	enum result result = load(error);
	if (result != OK)
		return result;
	pthread_mutex_lock(&mutex);
	struct icalrecurrencetype type = icalrecurrencetype_from_string(rule.text);
	const struct instant first = zone_instant(recurrence->zone, &recurrence->start);
	int64_t last_s = (first.s > range->until.s ? first.s : range->until.s) + 2 * DAY_SECONDS;
	const struct local_time until = zone_local(zone_utc(), (struct instant){ last_s });
	/* So that libical does not search on. */
	if (rule.count == 0)
		type.until = ical_time(&until);
	icalrecur_iterator *iterator =
		type.freq == ICAL_NO_RECURRENCE
			? NULL
			: icalrecur_iterator_new(type, ical_time(&recurrence->start));
	*why = iterator ? walk(&expansion, iterator)
			: "must be a rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=SA";
	if (iterator)
		icalrecur_iterator_free(iterator);
	pthread_mutex_unlock(&mutex);
	return *why ? E_INVALID : OK;
}
