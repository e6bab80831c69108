/* Which changes a follower reads again. */
#include "unit/lib/unit.h"

#include "publish/follow_pages.h"

enum { START_MS = 5000000 };

static const struct instant start = { 1000000 };

static struct instant after(int64_t seconds)
{
	return (struct instant){ start.s + seconds };
}

static struct follow_window opened(void)
{
	struct follow_window window;
	follow_window_open(&window, start, START_MS);
	return window;
}

static void moved(struct follow_window *window, int64_t newest, int64_t passed_s)
{
	follow_window_move(window, after(newest), START_MS + passed_s * 1000);
}

static void test_all_pages_were_read(void **state)
{
	(void)state;
	struct follow_window window = opened();
	assert_int_equal(start.s - 30, window.closed.s);
	assert_int_equal(start.s, window.newest.s);
	/* Without pages, every change is after it. */
	follow_window_open(&window, (struct instant){ 0 }, START_MS);
	assert_int_equal(1, window.closed.s);
}

static void test_a_younger_change_closes_what_is_older_by_the_overlap(void **state)
{
	(void)state;
	struct follow_window window = opened();
	moved(&window, 10, 1);
	assert_int_equal(start.s - 20, window.closed.s);
	moved(&window, 100, 2);
	assert_int_equal(start.s + 70, window.closed.s);
	assert_int_equal(start.s + 100, window.newest.s);
}

static void test_a_quiet_time_closes_what_was_seen(void **state)
{
	(void)state;
	struct follow_window window = opened();
	/* Seen just before the time is over: open for as long again. */
	moved(&window, 5, 30);
	assert_int_equal(start.s - 25, window.closed.s);
	moved(&window, 5, 31);
	assert_int_equal(start.s, window.closed.s);
	moved(&window, 5, 61);
	assert_int_equal(start.s, window.closed.s);
	moved(&window, 5, 62);
	assert_int_equal(start.s + 5, window.closed.s);
}

static void test_a_closed_time_stays_closed(void **state)
{
	(void)state;
	struct follow_window window = opened();
	for (int64_t passed_s = 0; passed_s < 300; passed_s++) {
		int64_t before = window.closed.s;
		moved(&window, passed_s / 7, passed_s);
		assert_true(window.closed.s >= before);
		assert_true(window.closed.s <= window.newest.s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_pages_were_read),
		cmocka_unit_test(test_a_younger_change_closes_what_is_older_by_the_overlap),
		cmocka_unit_test(test_a_quiet_time_closes_what_was_seen),
		cmocka_unit_test(test_a_closed_time_stays_closed),
	};
	return RUN(tests);
}
