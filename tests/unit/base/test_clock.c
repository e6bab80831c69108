#include "unit/lib/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"

static void formats_utc(void **state)
{
	(void)state;
	char text[INSTANT_TEXT_SIZE];
	struct instant at = { 1795204710 };
	assert_string_equal("2026-11-20T19:58:30Z", instant_format(at, text));
	assert_string_equal("2026-11-20 19:58:30", instant_format_sql(at, text));
}

/* Against the C library: each day of eight centuries, and the seconds of some days. */
static void the_calendar_is_that_of_the_c_library(void **state)
{
	(void)state;
	for (int64_t day = 0; day < 800 * 366; day++) {
		int64_t s = day * 86400 + day * 7919 % 86400;
		time_t at = (time_t)s;
		struct tm parts;
		struct instant_parts split = instant_split((struct instant){ s });
		gmtime_r(&at, &parts);
		assert_int_equal(split.year, parts.tm_year + 1900);
		assert_int_equal(split.month, parts.tm_mon + 1);
		assert_int_equal(split.day, parts.tm_mday);
		assert_int_equal(split.hour, parts.tm_hour);
		assert_int_equal(split.minute, parts.tm_min);
		assert_int_equal(split.second, parts.tm_sec);
		assert_int_equal(instant_of(&split).s, s);
	}
}

static void reads_what_people_and_databases_write(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t s;
	} rows[] = {
		{ "2026-11-20T19:58:30Z", 1795204710 },
		{ "2026-11-20 19:58:30", 1795204710 },
		{ "2026-11-20t19:58:30z", 1795204710 },
		{ "2026-11-20T19:58:30.999Z", 1795204710 },
		{ "2026-11-21T01:43:30+05:45", 1795204710 },
		{ "2026-11-20T14:58:30-05:00", 1795204710 },
		{ "2024-02-29T00:00:00Z", 1709164800 },
		{ "9999-12-31T23:59:59Z", 253402300799 },
		/* the first and the last second that there are */
		{ "1970-01-01T00:00:01Z", 1 },
		{ "1970-01-01T05:45:01+05:45", 1 },
		{ "9999-12-31T18:14:59-05:45", 253402300799 },
		/* leap days: of each fourth year, of a fourth century, none of other centuries */
		{ "1972-02-29T12:00:00Z", 68212800 },
		{ "2000-02-29T23:59:59Z", 951868799 },
		{ "2000-03-01T00:00:00Z", 951868800 },
		{ "2100-03-01T00:00:00Z", 4107542400 },
		{ "2400-02-29T00:00:00Z", 13574563200 },
		/* borders of days, months and years, also by the zone */
		{ "2025-12-31T23:59:59Z", 1767225599 },
		{ "2026-01-01T00:00:00Z", 1767225600 },
		{ "2026-01-01T00:00:00+14:00", 1767175200 },
		{ "2025-12-31T12:00:00-12:00", 1767225600 },
		{ "2026-02-28T23:59:59-00:01", 1772323259 },
		{ "2026-03-01T00:00:00+23:59", 1772236860 },
		/* hours that clocks on a wall skip or repeat: UTC has each of them once */
		{ "2026-03-29T01:59:59Z", 1774749599 },
		{ "2026-03-29T02:30:00Z", 1774751400 },
		{ "2026-03-29T03:00:00Z", 1774753200 },
		{ "2026-10-25T02:30:00Z", 1792895400 },
		/* behind 32 bits, signed and not */
		{ "2038-01-19T03:14:07Z", 2147483647 },
		{ "2038-01-19T03:14:08Z", 2147483648 },
		{ "2106-02-07T06:28:16Z", 4294967296 },
		/* fractions are cut off, never rounded */
		{ "2025-12-31T23:59:59.999999999999Z", 1767225599 },
		{ "2025-12-31T23:59:59.0", 1767225599 },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct instant at = { 0 };
		assert_true(instant_parse(str_from(rows[i].text), &at));
		assert_int_equal(rows[i].s, at.s);
	}
}

static void refuses_what_is_no_time(void **state)
{
	(void)state;
	static const char *const rows[] = {
		"",
		"2026-11-20",
		"2026-02-29T00:00:00Z",
		"2026-13-01T00:00:00Z",
		"2026-11-20T24:00:00Z",
		"2026-11-20T19:58:60Z",
		"2026-11-20T19:58:30Zx",
		"2026-11-20T19:58:30+5",
		"2026-11-20T19:58:30.Z",
		"26-11-20T19:58:30Z",
		"1969-12-31T23:59:59Z",
		"2026-11-20T19:58",
		"2026-11-31T00:00:00Z",
		/* no leap days */
		"2100-02-29T00:00:00Z",
		"2023-02-29T00:00:00Z",
		"2000-02-30T00:00:00Z",
		/* months and days below and beyond */
		"2026-00-10T00:00:00Z",
		"2026-01-00T00:00:00Z",
		"2026-01-32T00:00:00Z",
		"2026-04-31T00:00:00Z",
		"2026-06-31T00:00:00Z",
		"2026-09-31T00:00:00Z",
		/* hours, minutes, seconds, and the leap second, which is not counted */
		"2026-11-20T25:00:00Z",
		"2026-11-20T19:60:00Z",
		"2016-12-31T23:59:60Z",
		"2026-11-20T19:58:99Z",
		/* zones */
		"2026-11-20T19:58:30+24:00",
		"2026-11-20T19:58:30+05:60",
		"2026-11-20T19:58:30+0545",
		"2026-11-20T19:58:30 05:45",
		"2026-11-20T19:58:30ZZ",
		"2026-11-20T19:58:30UTC",
		/* before the first second and behind the last, by the zone, too */
		"0000-00-00T00:00:00Z",
		"0001-01-01T00:00:00Z",
		"1970-01-01T00:00:00Z",
		"1970-01-01T05:45:00+05:45",
		"9999-12-31T23:59:59-00:01",
		"10000-01-01T00:00:00Z",
		/* signs, blanks and other digits where digits have to be */
		"-2026-11-20T19:58:30Z",
		"+026-11-20T19:58:30Z",
		" 2026-11-20T19:58:30Z",
		"2026-11-20T19:58:30Z ",
		"2026-11-20  19:58:30",
		"2026/11/20 19:58:30",
		"2026-1-20T19:58:30Z",
		"2026-11-20T1958:30Z",
		"2026-11-20T19.58.30Z",
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct instant at = { 7 };
		assert_false(instant_parse(str_from(rows[i]), &at));
		assert_int_equal(7, at.s);
	}
}

/* A NUL is no separator, nor a zone, nor the point of a fraction. */
static void refuses_a_nul(void **state)
{
	static const char text[] = "2026-11-20T19:58:30Z";
	(void)state;
	for (size_t i = 0; i < sizeof(text) - 1; i++) {
		char copy[sizeof(text)];
		struct instant at = { 7 };
		memcpy(copy, text, sizeof(text));
		copy[i] = '\0';
		if (instant_parse((struct str){ copy, sizeof(text) - 1 }, &at))
			fail_msg("a NUL at %zu is taken", i);
	}
}

/* Each day of 400 years begins 86,400 s behind the one before, and is written as it is read. */
static void days_follow_one_another(void **state)
{
	static const int days_of[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	int64_t expected = 0;
	(void)state;
	for (int year = 1970; year < 2370; year++)
		for (int month = 1; month <= 12; month++) {
			bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
			int count = days_of[month - 1] + (month == 2 && is_leap);
			for (int day = 1; day <= count; day++, expected += 86400) {
				char text[INSTANT_TEXT_SIZE], again[INSTANT_TEXT_SIZE];
				struct instant at = { 0 };
				snprintf(text, sizeof(text), "%04d-%02d-%02dT00:00:00Z", year,
					 month, day);
				assert_int_equal(instant_parse(str_from(text), &at), expected > 0);
				assert_int_equal(at.s, expected);
				assert_string_equal(
					instant_format((struct instant){ expected }, again), text);
			}
		}
	assert_int_equal(expected, 12622780800);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_utc),
		cmocka_unit_test(the_calendar_is_that_of_the_c_library),
		cmocka_unit_test(reads_what_people_and_databases_write),
		cmocka_unit_test(refuses_what_is_no_time),
		cmocka_unit_test(refuses_a_nul),
		cmocka_unit_test(days_follow_one_another),
	};
	/* The offset of this zone is not a whole hour, so that any use of local time shows. */
	setenv("TZ", "<+0545>-5:45", 1);
	tzset();
	return RUN(tests);
}
