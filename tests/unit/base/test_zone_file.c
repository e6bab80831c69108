#include "unit/lib/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/zone.h"
#include "base/zone_file.h"

enum { FILE_MAX_BYTES = 4096 };

static void add_uint32(struct buf *file, uint32_t value)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		buf_putc(file, (char)(value >> shift));
}

static void add_header(struct buf *file, uint32_t leaps, uint32_t times, uint32_t types,
		       uint32_t chars)
{
	buf_add(file, "TZif3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20);
	add_uint32(file, 0);
	add_uint32(file, 0);
	add_uint32(file, leaps);
	add_uint32(file, times);
	add_uint32(file, types);
	add_uint32(file, chars);
}

/* A file with two types and one time, and this footer. */
static struct buf make_file(const char *footer)
{
	struct buf file = BUF_INIT(FILE_MAX_BYTES);
	add_header(&file, 0, 0, 0, 0);
	add_header(&file, 0, 1, 2, 8);
	add_uint32(&file, 0);
	add_uint32(&file, 1000000);
	buf_putc(&file, 1);
	add_uint32(&file, (uint32_t)-1234);
	buf_add(&file, "\0\0", 2);
	add_uint32(&file, 3600);
	buf_add(&file, "\0\4LMT\0CET\0", 10);
	buf_printf(&file, "\n%s\n", footer);
	return file;
}

static struct zone_file *parse(const struct buf *file)
{
	return zone_file_parse((struct str){ file->data, file->len });
}

static void a_file_is_read_whole(void **state)
{
	(void)state;
	struct buf file = make_file("CET-1CEST,M3.5.0,M10.4.6/-1:30");
	struct zone_file *zone = parse(&file);
	assert_non_null(zone);
	assert_int_equal(zone->time_count, 1);
	assert_int_equal(zone->times[0], 1000000);
	assert_int_equal(zone->type_of[0], 1);
	assert_int_equal(zone->types[0].east_s, -1234);
	assert_string_equal(zone->types[0].abbreviation, "LMT");
	assert_int_equal(zone->types[1].east_s, 3600);
	assert_string_equal(zone->types[1].abbreviation, "CET");
	assert_true(zone->has_rule && zone->has_daylight);
	assert_int_equal(zone->standard.east_s, 3600);
	assert_int_equal(zone->daylight.east_s, 7200);
	assert_string_equal(zone->daylight.abbreviation, "CEST");
	assert_int_equal(zone->daylight_start.month, 3);
	assert_int_equal(zone->daylight_start.local_s, 7200);
	assert_int_equal(zone->daylight_end.week, 4);
	assert_int_equal(zone->daylight_end.weekday, 6);
	assert_int_equal(zone->daylight_end.local_s, -5400);
	free(zone);
	buf_done(&file);
}

/* No part of a file is a file; behind the end of the footer may be more. */
static void a_file_that_was_cut_is_refused(void **state)
{
	(void)state;
	struct buf file = make_file("<+0545>-5:45");
	for (size_t len = 0; len < file.len; len++) {
		char *part = malloc(len + 1);
		memcpy(part, file.data, len);
		if (zone_file_parse((struct str){ part, len }))
			fail_msg("%zu bytes are a file", len);
		free(part);
	}
	struct zone_file *zone = parse(&file);
	assert_non_null(zone);
	free(zone);
	buf_done(&file);
}

static void wrong_bytes_are_refused(void **state)
{
	/* Behind both headers: 8 bytes of the time, its type, types of 6 bytes, the names. */
	enum { SECOND = 44, TIMES = 88, TYPE_OF = 96, TYPES = 97, NAMES = 109 };
	static const struct {
		size_t at;
		unsigned char value;
		const char *what;
	} rows[] = {
		{ 0, 't', "magic" },
		{ 4, 0, "version 1" },
		{ SECOND, 'x', "second magic" },
		{ 28, 255, "leap seconds, more than there are bytes" },
		{ 31, 1, "data of version 1 that are missing" },
		{ SECOND + 31, 1, "leap seconds" },
		{ SECOND + 32, 255, "times" },
		{ SECOND + 39, 0, "no types" },
		{ SECOND + 43, 7, "a name without end" },
		{ TYPE_OF, 2, "a type that there is not" },
		{ TYPES, 127, "an offset of years" },
		{ TYPES + 5, 8, "a name behind the names" },
		{ TYPES + 5, 3, "a name without letters" },
		{ NAMES, '<', "a name with a bracket" },
		{ NAMES + 8, 'x', "no line of the footer" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf file = make_file("CET-1");
		file.data[rows[i].at] = (char)rows[i].value;
		if (parse(&file))
			fail_msg("%s", rows[i].what);
		buf_done(&file);
	}
}

static void wrong_rules_are_refused(void **state)
{
	static const char *const rows[] = {
		"CET",
		"-1",
		"CET-25",
		"CET-1:60",
		"CET-1:00:60",
		"CET-",
		"<CET-1",
		"<>-1",
		"<C T>-1",
		"CET-1CEST",
		"CET-1CEST,M3.5.0",
		"CET-1CEST,M3.5.0,",
		"CET-1CEST,M0.5.0,M10.5.0",
		"CET-1CEST,M13.5.0,M10.5.0",
		"CET-1CEST,M3.0.0,M10.5.0",
		"CET-1CEST,M3.6.0,M10.5.0",
		"CET-1CEST,M3.5.7,M10.5.0",
		"CET-1CEST,M3.5,M10.5.0",
		"CET-1CEST,M3.5.0/168,M10.5.0",
		"CET-1CEST,M3.5.0/,M10.5.0",
		"CET-1CEST,J0,M10.5.0",
		"CET-1CEST,J366,M10.5.0",
		"CET-1CEST,366,M10.5.0",
		"CET-1CEST,M3.5.0,M10.5.0/3x",
		"CET-1CEST-99,M3.5.0,M10.5.0",
		"CET-00001",
		"ABCDEFGHIJKLMNOP-1",
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf file = make_file(rows[i]);
		if (parse(&file))
			fail_msg("%s", rows[i]);
		buf_done(&file);
	}
}

static void write_zone(const char *folder, const char *name, const char *footer)
{
	char path[200];
	struct buf file = make_file(footer);
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *out = fopen(path, "wb");
	assert_non_null(out);
	assert_int_equal(fwrite(file.data, 1, file.len, out), file.len);
	fclose(out);
	buf_done(&file);
}

static void check_rule(const struct zone *zone, const char *rule)
{
	setenv("TZ", rule, 1);
	tzset();
	/* From 2 January 2000 to 2100, each 5 hours and 17 seconds. */
	for (int64_t s = 946771200; s < INT64_C(4102444800); s += 18017) {
		struct tm theirs;
		time_t at = (time_t)s;
		localtime_r(&at, &theirs);
		struct local_time ours = zone_local(zone, (struct instant){ s });
		if (ours.day != theirs.tm_mday || ours.hour != theirs.tm_hour ||
		    ours.minute != theirs.tm_min || ours.second != theirs.tm_sec ||
		    strcmp(theirs.tm_zone, zone_abbreviation(zone, (struct instant){ s })) != 0)
			fail_msg("%s at %ld: %d %02d:%02d %s", rule, (long)s, ours.day, ours.hour,
				 ours.minute, zone_abbreviation(zone, (struct instant){ s }));
	}
}

/* Every kind of rule, against the C library. */
static void rules_are_those_of_posix(void **state)
{
	static const char *const rules[] = {
		"CET-1CEST,M3.5.0,M10.5.0/3",
		"IST-1GMT0,M10.5.0,M3.5.0/1",
		"AEST-10AEDT,M10.1.0,M4.1.0/3",
		"<-03>3<-02>,M3.5.0/-2,M10.5.0/-1",
		"IST-2IDT,M3.4.4/26,M10.5.0",
		"EET-2EEST,M3.4.4/50,M10.4.4/50",
		"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
		"AAA3BBB,J60,J300/0",
		"AAA3BBB,J59/23:59:59,J365",
		"AAA3BBB,59,299/1",
		"AAA3BBB,0/5,364/20",
		"CCC-5:45:15",
	};
	char folder[] = "/tmp/daymark-zones-XXXXXX", path[200];
	(void)state;
	assert_non_null(mkdtemp(folder));
	setenv("TZDIR", folder, 1);
	for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
		char name[16];
		snprintf(name, sizeof(name), "Rule%zu", i);
		write_zone(folder, name, rules[i]);
		const struct zone *zone = zone_find(name);
		if (!zone)
			fail_msg("%s is refused", rules[i]);
		check_rule(zone, rules[i]);
		snprintf(path, sizeof(path), "%s/%s", folder, name);
		unlink(path);
	}
	unsetenv("TZDIR");
	rmdir(folder);
}

/* RFC 8536 section 3.3.1: summer time from the first second of each year to its last. */
static void a_zone_may_have_summer_time_all_the_year(void **state)
{
	char folder[] = "/tmp/daymark-zones-XXXXXX", path[200];
	(void)state;
	assert_non_null(mkdtemp(folder));
	setenv("TZDIR", folder, 1);
	write_zone(folder, "Summer", "XXX3EDT4,0/0,J365/23");
	const struct zone *zone = zone_find("Summer");
	assert_non_null(zone);
	for (int64_t s = 946771200; s < INT64_C(4102444800); s += 3600) {
		struct instant at = { s };
		assert_string_equal(zone_abbreviation(zone, at), "EDT");
		assert_int_equal(zone_local(zone, at).hour, (s / 3600 + 20) % 24);
	}
	snprintf(path, sizeof(path), "%s/Summer", folder);
	unlink(path);
	rmdir(folder);
	unsetenv("TZDIR");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_read_whole),
		cmocka_unit_test(a_file_that_was_cut_is_refused),
		cmocka_unit_test(wrong_bytes_are_refused),
		cmocka_unit_test(wrong_rules_are_refused),
		cmocka_unit_test(rules_are_those_of_posix),
		cmocka_unit_test(a_zone_may_have_summer_time_all_the_year),
	};
	return RUN(tests);
}
