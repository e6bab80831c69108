#include "base/clock.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

struct instant clock_now(void)
{
	return (struct instant){ (int64_t)time(NULL) };
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

static char *format_instant(struct instant at, bool is_sql, char *text)
{
	time_t s = (time_t)at.s;
	struct tm parts;
	gmtime_r(&s, &parts);
	strftime(text, INSTANT_TEXT_SIZE, is_sql ? "%Y-%m-%d %H:%M:%S" : "%Y-%m-%dT%H:%M:%SZ",
		 &parts);
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

/* Removes exactly `count` digits from the front of the text. */
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
	/* strchr() would find the NUL behind any_of. */
	if (text->len == 0 || text->data[0] == '\0' || !strchr(any_of, text->data[0]))
		return false;
	*text = str_skip(*text, 1);
	return true;
}

/* Removes the time zone; *east_s is its offset in seconds east of UTC. */
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

/* 9999-12-31T23:59:59Z, which is also the last second that SQL has. */
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

	struct tm given = { .tm_year = year - 1900,
			    .tm_mon = month - 1,
			    .tm_mday = day,
			    .tm_hour = hour,
			    .tm_min = minute,
			    .tm_sec = second };
	struct tm normal = given;
	time_t s = timegm(&normal);
	/* timegm() turns April 31 into May 1: reject dates that it changes. */
	if (normal.tm_mday != given.tm_mday || normal.tm_mon != given.tm_mon ||
	    normal.tm_hour != given.tm_hour || normal.tm_min != given.tm_min ||
	    normal.tm_sec != given.tm_sec)
		return false;
	int64_t utc_s = (int64_t)s - east_s;
	if (utc_s <= 0 || utc_s > LAST_S)
		return false;
	at->s = utc_s;
	return true;
}
