#include "unit/lib/unit.h"

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
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct instant at = { 7 };
		assert_false(instant_parse(str_from(rows[i]), &at));
		assert_int_equal(7, at.s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_utc),
		cmocka_unit_test(reads_what_people_and_databases_write),
		cmocka_unit_test(refuses_what_is_no_time),
	};
	/* The offset of this zone is not a whole hour, so that any use of local time shows. */
	setenv("TZ", "<+0545>-5:45", 1);
	tzset();
	return RUN(tests);
}
