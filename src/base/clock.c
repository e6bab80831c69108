#include "base/clock.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

struct instant clock_now(void)
{
	return (struct instant){ (int64_t)time(NULL) };
}

int64_t clock_now_us(void)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_us(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_ms(void)
{
	return clock_us() / 1000;
}

/* Constants to convert a date of the Gregorian calendar to days since 1970-01-01, and back. Years
 * begin in March here, so that the leap day is the last day of a year. */
enum { DAYS_400_YEARS = 146097, DAYS_TO_1970 = 719468, FIRST_MONTH = 3 };

static int64_t days_of(int64_t year, int month, int day)
{
	bool is_before_march = month < FIRST_MONTH;
	year -= is_before_march;
	int64_t era = year / 400, year_of_era = year % 400;
	int64_t day_of_year = (153 * (month + (is_before_march ? 9 : -3)) + 2) / 5 + day - 1;
	int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
	return era * DAYS_400_YEARS + day_of_era - DAYS_TO_1970;
}

struct instant instant_of(const struct instant_parts *parts)
{
	int64_t days = days_of(parts->year, parts->month, parts->day);
	return (struct instant){ days * 86400 + parts->hour * 3600 + parts->minute * 60 +
				 parts->second };
}

struct instant_parts instant_split(struct instant at)
{
	int64_t s = at.s > 0 ? at.s : 0;
	int64_t days = s / 86400 + DAYS_TO_1970, rest = s % 86400;
	int64_t era = days / DAYS_400_YEARS, day_of_era = days % DAYS_400_YEARS;
	int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 -
			       day_of_era / (DAYS_400_YEARS - 1)) /
			      365;
	int64_t day_of_year =
		day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	int from_march = (int)((5 * day_of_year + 2) / 153);
	int month = from_march < 10 ? from_march + 3 : from_march - 9;
	return (struct instant_parts){
		.year = (int)(era * 400 + year_of_era) + (month < FIRST_MONTH),
		.month = month,
		.day = (int)(day_of_year - (153 * from_march + 2) / 5) + 1,
		.hour = (int)(rest / 3600),
		.minute = (int)(rest / 60 % 60),
		.second = (int)(rest % 60),
	};
}

static char *add_digits(char *text, int number, int count)
{
	for (int i = count - 1; i >= 0; i--, number /= 10)
		text[i] = (char)('0' + number % 10);
	return text + count;
}

static char *format_instant(struct instant at, bool is_sql, char *text)
{
	struct instant_parts parts = instant_split(at);
	char *end = add_digits(text, parts.year, 4);
	*end++ = '-';
	end = add_digits(end, parts.month, 2);
	*end++ = '-';
	end = add_digits(end, parts.day, 2);
	*end++ = is_sql ? ' ' : 'T';
	end = add_digits(end, parts.hour, 2);
	*end++ = ':';
	end = add_digits(end, parts.minute, 2);
	*end++ = ':';
	end = add_digits(end, parts.second, 2);
	if (!is_sql)
		*end++ = 'Z';
	*end = '\0';
	return text;
}

char *instant_format(struct instant at, char text[INSTANT_TEXT_SIZE])
{
	return format_instant(at, false, text);
}

char *instant_format_sql(struct instant at, char text[INSTANT_TEXT_SIZE])
{
	return format_instant(at, true, text);
}

/* Removes exactly `count` digits from the front of the text. Returns false if there are fewer. */
static bool take_digits(struct str *text, int count, int *value)
{
	int sum = 0;
	for (int i = 0; i < count; i++) {
		if (text->len == 0 || text->data[0] < '0' || text->data[0] > '9')
			return false;
		sum = sum * 10 + (text->data[0] - '0');
		*text = str_skip(*text, 1);
	}
	*value = sum;
	return true;
}

static bool take_char(struct str *text, const char *any_of)
{
	/* Reject NUL, because strchr() would find the NUL at the end of any_of. */
	if (text->len == 0 || text->data[0] == '\0' || !strchr(any_of, text->data[0]))
		return false;
	*text = str_skip(*text, 1);
	return true;
}

/* Removes the time zone from the text; *east_s is its offset in seconds east of UTC. */
static bool take_zone(struct str *text, int64_t *east_s)
{
	*east_s = 0;
	if (text->len == 0 || take_char(text, "Zz"))
		return true;
	bool is_west = text->data[0] == '-';
	int hours, minutes;
	if (!take_char(text, "+-") || !take_digits(text, 2, &hours) || !take_char(text, ":") ||
	    !take_digits(text, 2, &minutes) || hours > 23 || minutes > 59)
		return false;
	*east_s = (is_west ? -1 : 1) * (hours * 3600 + minutes * 60);
	return true;
}

/* 9999-12-31T23:59:59Z. SQL has no later time. */
#define LAST_S INT64_C(253402300799)

bool instant_parse(struct str text, struct instant *at)
{
	int year, month, day, hour, minute, second;
	if (!take_digits(&text, 4, &year) || !take_char(&text, "-") ||
	    !take_digits(&text, 2, &month) || !take_char(&text, "-") ||
	    !take_digits(&text, 2, &day) || !take_char(&text, "Tt ") ||
	    !take_digits(&text, 2, &hour) || !take_char(&text, ":") ||
	    !take_digits(&text, 2, &minute) || !take_char(&text, ":") ||
	    !take_digits(&text, 2, &second))
		return false;
	if (take_char(&text, ".")) {
		int digit;
		if (!take_digits(&text, 1, &digit))
			return false;
		while (take_digits(&text, 1, &digit))
			;
	}
	int64_t east_s;
	if (!take_zone(&text, &east_s) || text.len > 0)
		return false;

	const struct instant_parts given = { year, month, day, hour, minute, second };
	struct instant local = instant_of(&given);
	struct instant_parts normal = instant_split(local);
	/* Reject dates that do not exist: instant_split() returns May 1 for April 31. */
	if (memcmp(&normal, &given, sizeof(given)) != 0)
		return false;
	int64_t utc_s = local.s - east_s;
	if (utc_s <= 0 || utc_s > LAST_S)
		return false;
	at->s = utc_s;
	return true;
}
