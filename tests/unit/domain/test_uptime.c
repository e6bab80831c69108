#include "unit/lib/unit.h"

#include "domain/uptime.h"

/* 2026-11-20T12:00:00Z, noon of the last day. */
static const struct instant now = { 1795176000 };

static struct uptime_day days[UPTIME_DAYS];

/* Hours before now. */
static struct instant ago(int64_t hours)
{
	return (struct instant){ now.s - hours * 3600 };
}

/* All intervals are major outages. */
static void fill(const struct uptime_interval *intervals, size_t count, int64_t known_hours)
{
	struct uptime_interval major[8];
	for (size_t i = 0; i < count; i++) {
		major[i] = intervals[i];
		major[i].impact = INCIDENT_MAJOR_OUTAGE;
	}
	uptime_fill(major, count, ago(known_hours), now, days);
}

static void days_begin_at_midnight_and_end_with_today(void **state)
{
	(void)state;
	assert_int_equal(1795132800, uptime_midnight(now).s);
	assert_int_equal(1795132800, uptime_day_start(now, UPTIME_DAYS - 1).s);
	assert_int_equal(1795132800 - 89 * DAY_S, uptime_day_start(now, 0).s);
}

static void what_was_before_it_existed_is_no_data(void **state)
{
	(void)state;
	fill(NULL, 0, 36);
	assert_int_equal(UPTIME_NO_DATA, uptime_state_of(&days[UPTIME_DAYS - 3]));
	assert_int_equal(UPTIME_UP, uptime_state_of(&days[UPTIME_DAYS - 2]));
	assert_int_equal(DAY_S, days[UPTIME_DAYS - 2].known_s);
	assert_int_equal(DAY_S / 2, days[UPTIME_DAYS - 1].known_s);
	assert_int_equal(10000, uptime_permyriad(days, UPTIME_DAYS));
	fill(NULL, 0, 0);
	assert_int_equal(-1, uptime_permyriad(days, UPTIME_DAYS));
}

static void overlaps_count_once(void **state)
{
	(void)state;
	struct uptime_interval intervals[] = {
		{ ago(10), ago(6) },
		{ ago(9), ago(8) },
		{ ago(8), ago(5) },
		{ ago(3), ago(2) },
	};
	fill(intervals, 4, 1000);
	assert_int_equal(6 * 3600, days[UPTIME_DAYS - 1].down_s);
	assert_int_equal(UPTIME_PARTIAL, uptime_state_of(&days[UPTIME_DAYS - 1]));
}

struct state_row {
	struct instant now;
	struct uptime_interval interval;
	enum uptime_state wanted; /* of the day that begins at MIDNIGHT */
};

#define MIDNIGHT INT64_C(1795132800)
#define AT(seconds) \
	{ \
		MIDNIGHT + (seconds) \
	}

static void a_day_is_down_from_half_of_its_whole_length(void **state)
{
	(void)state;
	static const struct state_row rows[] = {
		/* two minutes at 00:01, seen at 00:04 and at noon */
		{ AT(240), { AT(60), AT(180) }, UPTIME_PARTIAL },
		{ AT(43200), { AT(60), AT(180) }, UPTIME_PARTIAL },
		/* open since midnight: down from noon on */
		{ AT(43199), { AT(0), { 0 } }, UPTIME_PARTIAL },
		{ AT(43200), { AT(0), { 0 } }, UPTIME_DOWN },
		{ AT(86399), { AT(3600), AT(3600 + 43199) }, UPTIME_PARTIAL },
		{ AT(86399), { AT(3600), AT(3600 + 43200) }, UPTIME_DOWN },
		/* it began this second; it had no length */
		{ AT(500), { AT(500), { 0 } }, UPTIME_PARTIAL },
		{ AT(500), { AT(100), AT(100) }, UPTIME_PARTIAL },
		/* it ended at midnight, and began then the day after */
		{ AT(500), { AT(-500), AT(0) }, UPTIME_UP },
		{ AT(86400 + 9), { AT(86400), { 0 } }, UPTIME_UP },
		{ AT(86400 + 9), { AT(86399), { 0 } }, UPTIME_PARTIAL },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct uptime_interval interval = rows[i].interval;
		interval.impact = INCIDENT_MAJOR_OUTAGE;
		uptime_fill(&interval, 1, (struct instant){ MIDNIGHT - 10 * DAY_S },
			    rows[i].now, days);
		size_t today = UPTIME_DAYS - 1 - (size_t)((rows[i].now.s - MIDNIGHT) / DAY_S);
		if (uptime_state_of(&days[today]) != rows[i].wanted)
			fail_msg("row %zu", i);
	}
}

static void an_interval_spans_days_and_one_that_lasts_ends_now(void **state)
{
	(void)state;
	/* From 18:00 two days ago, for ever. */
	struct uptime_interval lasts = { ago(42), { 0 } };
	fill(&lasts, 1, 1000);
	assert_int_equal(6 * 3600, days[UPTIME_DAYS - 3].down_s);
	assert_int_equal(DAY_S, days[UPTIME_DAYS - 2].down_s);
	assert_int_equal(DAY_S / 2, days[UPTIME_DAYS - 1].down_s);
	assert_int_equal(0, days[UPTIME_DAYS - 4].down_s);
}

static void an_interval_older_than_all_days_fills_them(void **state)
{
	(void)state;
	struct uptime_interval old = { { 1000 }, { 0 } };
	fill(&old, 1, 100000);
	assert_int_equal(0, uptime_permyriad(days, UPTIME_DAYS));
	for (size_t i = 0; i < UPTIME_DAYS; i++)
		assert_int_equal(days[i].known_s, days[i].down_s);
}

static void any_down_time_shows_in_the_percentage(void **state)
{
	(void)state;
	struct uptime_interval second = { ago(5), { ago(5).s + 1 } };
	fill(&second, 1, 10000);
	assert_int_equal(9999, uptime_permyriad(days, UPTIME_DAYS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(days_begin_at_midnight_and_end_with_today),
		cmocka_unit_test(what_was_before_it_existed_is_no_data),
		cmocka_unit_test(overlaps_count_once),
		cmocka_unit_test(a_day_is_down_from_half_of_its_whole_length),
		cmocka_unit_test(an_interval_spans_days_and_one_that_lasts_ends_now),
		cmocka_unit_test(an_interval_older_than_all_days_fills_them),
		cmocka_unit_test(any_down_time_shows_in_the_percentage),
	};
	return RUN(tests);
}
