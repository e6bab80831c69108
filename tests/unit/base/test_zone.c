#include "unit/lib/unit.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/zone.h"

enum { HOUR_S = 3600, DAY_S = 86400, STEP_S = 23 * DAY_S + 7919, NAMES_MAX = 1000 };
static const int64_t first_s = 2 * DAY_S, last_s = INT64_C(4133980800); /* of 2100 */

static char *names[NAMES_MAX];
static size_t name_count;

/* The names of the database: "Z NAME …" and "L TARGET NAME". */
static int read_names(void **state)
{
	char line[256], first[65], second[65];
	FILE *file = fopen("/usr/share/zoneinfo/tzdata.zi", "r");
	(void)state;
	while (file && fgets(line, sizeof(line), file) && name_count < NAMES_MAX) {
		int found = sscanf(line, "%*1[ZL] %64s %64s", first, second);
		if (line[0] == 'Z' && found >= 1 && strcmp(first, "Factory") != 0)
			names[name_count++] = strdup(first);
		if (line[0] == 'L' && found == 2)
			names[name_count++] = strdup(second);
	}
	if (file)
		fclose(file);
	return name_count > 500 ? 0 : -1;
}

static int free_names(void **state)
{
	(void)state;
	while (name_count > 0)
		free(names[--name_count]);
	return 0;
}

static const struct zone *zone_of(const char *name)
{
	const struct zone *zone = zone_find(name);
	if (!zone)
		fail_msg("there is no zone %s", name);
	return zone;
}

/* The C library's view of the same zone. */
static void set_library_zone(const char *name)
{
	char value[80];
	snprintf(value, sizeof(value), ":%s", name);
	setenv("TZ", value, 1);
	tzset();
}

static struct tm library_local(int64_t s)
{
	struct tm parts;
	time_t at = (time_t)s;
	localtime_r(&at, &parts);
	return parts;
}

static void check_moment(const struct zone *zone, int64_t s)
{
	struct instant at = { s };
	struct local_time ours = zone_local(zone, at);
	struct tm theirs = library_local(s);
	if (ours.year != theirs.tm_year + 1900 || ours.month != theirs.tm_mon + 1 ||
	    ours.day != theirs.tm_mday || ours.hour != theirs.tm_hour ||
	    ours.minute != theirs.tm_min || ours.second != theirs.tm_sec ||
	    strcmp(zone_abbreviation(zone, at), theirs.tm_zone) != 0)
		fail_msg("%s at %ld: %04d-%02d-%02d %02d:%02d:%02d %s", zone_name(zone), (long)s,
			 ours.year, ours.month, ours.day, ours.hour, ours.minute, ours.second,
			 zone_abbreviation(zone, at));
}

/* The first second at which the library has the offset that it has at `after`. */
static int64_t find_change(int64_t before, int64_t after)
{
	long offset = library_local(before).tm_gmtoff;
	while (after - before > 1) {
		int64_t middle = before + (after - before) / 2;
		if (library_local(middle).tm_gmtoff == offset)
			before = middle;
		else
			after = middle;
	}
	return after;
}

/* Of the moments at which the library shows the time the first; in a gap, by the offset before. */
static int64_t expected_instant(int64_t local_s, int64_t change)
{
	int64_t before = local_s - library_local(change - 1).tm_gmtoff;
	int64_t after = local_s - library_local(change).tm_gmtoff;
	return before >= change && after >= change ? after : before;
}

static void check_times_around(const struct zone *zone, int64_t change)
{
	for (int64_t away = -4 * HOUR_S; away <= 4 * HOUR_S; away += 600) {
		int64_t local_s = change + away + library_local(change).tm_gmtoff;
		struct instant_parts parts = instant_split((struct instant){ local_s });
		struct local_time local = { parts.year, parts.month,  parts.day,
					    parts.hour, parts.minute, parts.second };
		int64_t expected = expected_instant(local_s, change);
		if (zone_instant(zone, &local).s != expected)
			fail_msg("%s: %ld away from %ld is %ld, not %ld", zone_name(zone),
				 (long)away, (long)change, (long)zone_instant(zone, &local).s,
				 (long)expected);
	}
}

/* All zones, until the year 2100: far behind the last moment that a file lists. */
static void zones_are_those_of_the_c_library(void **state)
{
	(void)state;
	for (size_t i = 0; i < name_count; i++) {
		const struct zone *zone = zone_of(names[i]);
		set_library_zone(names[i]);
		for (int64_t s = first_s; s < last_s; s += STEP_S) {
			check_moment(zone, s);
			if (library_local(s).tm_gmtoff == library_local(s + STEP_S).tm_gmtoff)
				continue;
			int64_t change = find_change(s, s + STEP_S);
			check_moment(zone, change - 1);
			check_moment(zone, change);
		}
	}
}

/* Where the offset changes once in two months; what the library says holds on both sides. */
static void times_of_clocks_are_found_again(void **state)
{
	static const char *const some[] = {
		"Europe/Berlin",    "Europe/Dublin",   "America/New_York",    "America/Havana",
		"America/St_Johns", "Asia/Beirut",     "Asia/Kathmandu",      "Asia/Tehran",
		"Africa/Cairo",	    "Asia/Gaza",       "Australia/Lord_Howe", "Australia/Sydney",
		"Pacific/Chatham",  "America/Nuuk",    "America/Sao_Paulo",   "Pacific/Easter",
		"Antarctica/Troll", "Pacific/Auckland"
	};
	size_t changes = 0;
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(some); i++) {
		const struct zone *zone = zone_of(some[i]);
		set_library_zone(some[i]);
		for (int64_t s = 1577836800; s < last_s; s += STEP_S)
			if (library_local(s).tm_gmtoff != library_local(s + STEP_S).tm_gmtoff) {
				check_times_around(zone, find_change(s, s + STEP_S));
				changes++;
			}
	}
	assert_true(changes > 2000);
}

static void days_follow_one_another_without_gap(void **state)
{
	(void)state;
	for (size_t i = 0; i < name_count; i++) {
		const struct zone *zone = zone_of(names[i]);
		struct instant day = zone_day_start(zone, (struct instant){ 1577836800 }, 0);
		for (int n = 0; n < 800; n++) {
			struct instant next = zone_day_start(zone, day, 1);
			int64_t length = next.s - day.s;
			struct instant last = { next.s - 1 }, noon = { day.s + length / 2 };
			/* Stations in the Antarctic move their clocks by three hours. */
			if (length < 21 * HOUR_S || length > 27 * HOUR_S)
				fail_msg("%s: %ld s from %ld", names[i], (long)length, (long)day.s);
			assert_int_equal(zone_day_start(zone, day, 0).s, day.s);
			assert_int_equal(zone_day_start(zone, noon, 0).s, day.s);
			assert_int_equal(zone_day_start(zone, last, 0).s, day.s);
			assert_int_equal(zone_day_start(zone, last, 1).s, next.s);
			assert_int_equal(zone_day_start(zone, next, -1).s, day.s);
			assert_int_not_equal(zone_local(zone, noon).day,
					     zone_local(zone, next).day);
			day = next;
		}
	}
}

/* The day that contains the moment: its start and its length. Values of Python's zoneinfo. */
static void days_have_23_to_25_hours(void **state)
{
	static const struct {
		const char *zone, *moment, *start;
		int minutes;
	} rows[] = {
		{ "UTC", "2026-11-20T19:58:30Z", "2026-11-20T00:00:00Z", 1440 },
		{ "Asia/Kathmandu", "2026-11-20T18:14:59Z", "2026-11-19T18:15:00Z", 1440 },
		{ "Asia/Kathmandu", "2026-11-20T18:15:00Z", "2026-11-20T18:15:00Z", 1440 },
		{ "Europe/Berlin", "2026-03-29T12:00:00Z", "2026-03-28T23:00:00Z", 1380 },
		{ "Europe/Berlin", "2026-10-25T12:00:00Z", "2026-10-24T22:00:00Z", 1500 },
		{ "Europe/Dublin", "2026-10-25T00:30:00Z", "2026-10-24T23:00:00Z", 1500 },
		{ "America/New_York", "2026-03-08T12:00:00Z", "2026-03-08T05:00:00Z", 1380 },
		{ "America/New_York", "2026-11-01T12:00:00Z", "2026-11-01T04:00:00Z", 1500 },
		/* south of the equator, and changes of half an hour and of two hours */
		{ "Australia/Sydney", "2026-10-03T20:00:00Z", "2026-10-03T14:00:00Z", 1380 },
		{ "Australia/Lord_Howe", "2025-04-06T00:00:00Z", "2025-04-05T13:00:00Z", 1470 },
		{ "Antarctica/Troll", "2025-03-30T12:00:00Z", "2025-03-30T00:00:00Z", 1320 },
		/* clocks that are put forward or back at midnight, or over midnight */
		{ "Asia/Beirut", "2025-03-30T12:00:00Z", "2025-03-29T22:00:00Z", 1380 },
		{ "Asia/Beirut", "2025-10-25T21:30:00Z", "2025-10-24T21:00:00Z", 1500 },
		{ "America/Havana", "2025-11-02T04:30:00Z", "2025-11-02T04:00:00Z", 1500 },
		{ "Africa/Cairo", "2025-04-25T12:00:00Z", "2025-04-24T22:00:00Z", 1380 },
		{ "Africa/Cairo", "2025-10-30T20:30:00Z", "2025-10-29T21:00:00Z", 1500 },
		{ "America/Sao_Paulo", "2018-11-04T12:00:00Z", "2018-11-04T03:00:00Z", 1380 },
		{ "America/St_Johns", "2010-11-07T03:00:00Z", "2010-11-07T02:30:00Z", 1500 },
		/* Samoa had no 30 December 2011 */
		{ "Pacific/Apia", "2011-12-30T09:00:00Z", "2011-12-29T10:00:00Z", 1440 },
		{ "Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-30T10:00:00Z", 1440 },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char text[INSTANT_TEXT_SIZE];
		struct instant at;
		assert_true(instant_parse(str_from(rows[i].moment), &at));
		const struct zone *zone = zone_of(rows[i].zone);
		struct instant start = zone_day_start(zone, at, 0);
		/* A day that does not exist has no length. */
		struct instant next = zone_day_start(zone, start, 1);
		if (next.s == start.s)
			next = zone_day_start(zone, start, 2);
		if (strcmp(instant_format(start, text), rows[i].start) != 0 ||
		    next.s - start.s != rows[i].minutes * 60)
			fail_msg("%s at %s: %s, %ld minutes", rows[i].zone, rows[i].moment, text,
				 (long)(next.s - start.s) / 60);
	}
}

/* Skipped times are read by the offset before, and of repeated ones the first counts. */
static void skipped_and_repeated_times_are_as_in_rfc_5545(void **state)
{
	static const struct {
		const char *zone;
		struct local_time local;
		const char *moment;
	} rows[] = {
		{ "Europe/Berlin", { 2026, 3, 29, 2, 30, 0 }, "2026-03-29T01:30:00Z" },
		{ "Europe/Berlin", { 2026, 3, 29, 2, 0, 0 }, "2026-03-29T01:00:00Z" },
		{ "Europe/Berlin", { 2026, 3, 29, 3, 0, 0 }, "2026-03-29T01:00:00Z" },
		{ "Europe/Berlin", { 2026, 10, 25, 2, 30, 0 }, "2026-10-25T00:30:00Z" },
		{ "Europe/Berlin", { 2026, 10, 25, 3, 0, 0 }, "2026-10-25T02:00:00Z" },
		{ "America/New_York", { 2007, 3, 11, 2, 30, 0 }, "2007-03-11T07:30:00Z" },
		{ "America/New_York", { 2007, 11, 4, 1, 30, 0 }, "2007-11-04T05:30:00Z" },
		{ "Asia/Beirut", { 2025, 10, 25, 23, 30, 0 }, "2025-10-25T20:30:00Z" },
		{ "Asia/Beirut", { 2025, 3, 30, 0, 0, 0 }, "2025-03-29T22:00:00Z" },
		{ "Pacific/Apia", { 2011, 12, 30, 12, 0, 0 }, "2011-12-30T22:00:00Z" },
		/* values out of range are carried over */
		{ "Europe/Berlin", { 2026, 11, 31, 12, 0, 0 }, "2026-12-01T11:00:00Z" },
		{ "Europe/Berlin", { 2026, 13, 1, 0, 0, 0 }, "2026-12-31T23:00:00Z" },
		{ "Europe/Berlin", { 2026, 0, 1, 0, 0, 0 }, "2025-11-30T23:00:00Z" },
		{ "Europe/Berlin", { 2026, -11, 1, 0, 0, 0 }, "2024-12-31T23:00:00Z" },
		{ "Europe/Berlin", { 2026, 3, 0, 0, 0, 0 }, "2026-02-27T23:00:00Z" },
		{ "Europe/Berlin", { 2026, 3, 28, 26, 90, 90 }, "2026-03-29T01:31:30Z" },
		{ "UTC", { 2026, 1, 1, -1, 0, 0 }, "2025-12-31T23:00:00Z" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char text[INSTANT_TEXT_SIZE];
		instant_format(zone_instant(zone_of(rows[i].zone), &rows[i].local), text);
		if (strcmp(text, rows[i].moment) != 0)
			fail_msg("row %zu: %s", i, text);
	}
}

static void only_names_of_the_database_are_found(void **state)
{
	static const char *const wrong[] = {
		"",
		"/",
		"Europe",
		"Europe/",
		"Europe/Atlantis",
		"europe/berlin",
		"EUROPE/BERLIN",
		" Europe/Berlin",
		"Europe//Berlin",
		"/Europe/Berlin",
		"/usr/share/zoneinfo/Europe/Berlin",
		"Europe/../Europe/Berlin",
		"../zoneinfo/Europe/Berlin",
		"./UTC",
		"Europe/Berlin\n",
		"posix/Europe/Berlin",
		"right/Europe/Berlin",
		"posixrules",
		"localtime",
		"Factory",
		"tzdata.zi",
		"zone.tab",
		"CET-1CEST,M3.5.0,M10.5.0/3",
		"A/A/A/A/A/A/A/A/A/A/A/A/A/A/A/A/A/A/A/A/A/A/A/A/A/A/A/A/A/A/A/AA",
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		if (zone_find(wrong[i]))
			fail_msg("there is a zone '%s'", wrong[i]);
	assert_string_equal(zone_name(zone_of("Etc/GMT+5")), "Etc/GMT+5");
	assert_ptr_equal(zone_of("Asia/Tokyo"), zone_of("Asia/Tokyo"));
	assert_ptr_equal(zone_of("UTC"), zone_utc());
}

static void a_machine_without_a_database_has_utc(void **state)
{
	(void)state;
	assert_non_null(zone_find("Asia/Karachi"));
	setenv("TZDIR", "/nonexistent", 1);
	assert_null(zone_find("Arctic/Longyearbyen"));
	assert_non_null(zone_find("Asia/Karachi"));
	assert_string_equal(zone_abbreviation(zone_of("UTC"), (struct instant){ 1795204710 }),
			    "UTC");
	unsetenv("TZDIR");
	assert_non_null(zone_find("Arctic/Longyearbyen"));
}

static void *find_all(void *found)
{
	const struct zone **zones = found;
	for (size_t i = 0; i < name_count; i++)
		zones[i] = zone_find(names[i]);
	return NULL;
}

/* Before the tests that look at all zones, so that most are still to be found. */
static void threads_find_the_same_zones(void **state)
{
	enum { THREADS = 4 };
	static const struct zone *found[THREADS][NAMES_MAX];
	pthread_t threads[THREADS];
	(void)state;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, find_all, found[i]), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (size_t i = 0; i < name_count; i++)
		for (int j = 0; j < THREADS; j++)
			assert_true(found[j][i] && found[j][i] == found[0][i]);
}

static void zones_are_read_without_a_free_descriptor(void **state)
{
	(void)state;
	enum { MOST = 64 };
	int fds[MOST], count = 0;
	struct rlimit limit, few;
	zone_keep_descriptor();
	assert_int_equal(0, getrlimit(RLIMIT_NOFILE, &limit));
	few = (struct rlimit){ MOST, limit.rlim_max };
	assert_int_equal(0, setrlimit(RLIMIT_NOFILE, &few));
	while (count < MOST && (fds[count] = open("/dev/null", O_RDONLY)) >= 0)
		count++;
	const struct zone *first = zone_find("Europe/Berlin");
	const struct zone *second = zone_find("Asia/Tokyo");
	while (count > 0)
		close(fds[--count]);
	setrlimit(RLIMIT_NOFILE, &limit);
	assert_non_null(first);
	assert_non_null(second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zones_are_read_without_a_free_descriptor),
		cmocka_unit_test(a_machine_without_a_database_has_utc),
		cmocka_unit_test(threads_find_the_same_zones),
		cmocka_unit_test(zones_are_those_of_the_c_library),
		cmocka_unit_test(times_of_clocks_are_found_again),
		cmocka_unit_test(days_follow_one_another_without_gap),
		cmocka_unit_test(days_have_23_to_25_hours),
		cmocka_unit_test(skipped_and_repeated_times_are_as_in_rfc_5545),
		cmocka_unit_test(only_names_of_the_database_are_found),
	};
	return cmocka_run_group_tests(tests, read_names, free_names);
}
