#include "unit/lib/unit.h"

#include "mirror/pending.h"

static struct pending pending;

static int end(void **state)
{
	(void)state;
	pending_done(&pending);
	return 0;
}

static struct instant at(int64_t s)
{
	return (struct instant){ s };
}

static int64_t take(int64_t now)
{
	int64_t id = 0;
	return pending_take(&pending, at(now), &id) ? id : 0;
}

static void pages_are_taken_once_in_their_order_urgent_ones_first(void **state)
{
	(void)state;
	assert_true(pending_add(&pending, 5, at(10), false));
	assert_true(pending_add(&pending, 3, at(11), false));
	assert_true(pending_add(&pending, 5, at(12), false));
	assert_true(pending_add(&pending, 9, at(13), true));
	assert_true(pending_add(&pending, 7, at(14), false));
	assert_true(pending_add(&pending, 7, at(15), true));
	assert_true(pending_add(&pending, 9, at(16), false));
	assert_int_equal(4, pending.count);
	assert_int_equal(10, pending_oldest(&pending).s);
	assert_int_equal(9, take(20));
	assert_int_equal(7, take(20));
	assert_int_equal(5, take(20));
	assert_int_equal(11, pending_oldest(&pending).s);
	assert_int_equal(3, take(20));
	assert_int_equal(0, take(20));
	assert_int_equal(0, pending_oldest(&pending).s);
}

static void a_held_page_waits_for_its_time_or_its_next_change(void **state)
{
	(void)state;
	assert_true(pending_hold(&pending, 1, at(100), 60));
	assert_true(pending_hold(&pending, 2, at(100), 60));
	assert_true(pending_add(&pending, 3, at(100), false));
	assert_int_equal(3, take(159));
	assert_int_equal(0, take(159));
	assert_true(pending_add(&pending, 2, at(159), false));
	assert_int_equal(2, take(159));
	assert_int_equal(1, pending.count);
	assert_int_equal(1, take(160));
	assert_int_equal(0, pending.count);
}

/* Compared with a table of what must be there, with ids that collide. */
static void many_pages_come_and_go(void **state)
{
	enum { PAGES = 500, STEPS = 20000 };
	static bool waits[PAGES];
	size_t count = 0;
	uint32_t noise = 1;
	(void)state;
	for (int i = 0; i < STEPS; i++) {
		noise = noise * 1664525 + 1013904223;
		int64_t number = noise >> 16;
		if (noise >> 31) {
			number %= PAGES;
			count += !waits[number];
			waits[number] = true;
			assert_true(
				pending_add(&pending, (number << 40) + 1, at(1), noise >> 8 & 1));
		} else if (count > 0) {
			int64_t taken = take(2);
			assert_true(taken > 0 && waits[taken >> 40]);
			waits[taken >> 40] = false;
			count--;
		}
		assert_int_equal(count, pending.count);
	}
	for (; count > 0; count--) {
		int64_t taken = take(2);
		assert_true(taken > 0 && waits[taken >> 40]);
		waits[taken >> 40] = false;
	}
	assert_int_equal(0, take(2));
}

static void memory_is_bounded(void **state)
{
	int64_t id = 1;
	(void)state;
	while (id < 4 * PENDING_MAX && pending_add(&pending, id, at(1), false))
		id++;
	assert_true(pending.count >= PENDING_MAX && pending.count < 2 * PENDING_MAX);
	assert_true(pending_add(&pending, 1, at(2), true));
	assert_int_equal(1, take(2));
	assert_int_equal(2, take(2));
}

#define TEST(function) cmocka_unit_test_teardown(function, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(pages_are_taken_once_in_their_order_urgent_ones_first),
		TEST(a_held_page_waits_for_its_time_or_its_next_change),
		TEST(many_pages_come_and_go),
		TEST(memory_is_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
