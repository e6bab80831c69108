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

static void fill(const struct uptime_interval *intervals, size_t count, int64_t known_hours)
{
	uptime_fill(intervals, count, ago(known_hours), now, days);
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
		{ ago(10), ago(6) }, { ago(9), ago(8) }, { ago(8), ago(5) }, { ago(3), ago(2) },
	};
	fill(intervals, 4, 1000);
	assert_int_equal(6 * 3600, days[UPTIME_DAYS - 1].down_s);
	assert_int_equal(UPTIME_DOWN, uptime_state_of(&days[UPTIME_DAYS - 1]));
	intervals[0].to = ago(9);
	fill(intervals, 1, 1000);
	assert_int_equal(UPTIME_PARTIAL, uptime_state_of(&days[UPTIME_DAYS - 1]));
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
		cmocka_unit_test(an_interval_spans_days_and_one_that_lasts_ends_now),
		cmocka_unit_test(an_interval_older_than_all_days_fills_them),
		cmocka_unit_test(any_down_time_shows_in_the_percentage),
	};
	return RUN(tests);
}
