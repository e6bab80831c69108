#include "unit/lib/unit.h"

#include "mirror/push/pending.h"

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

static struct pending_page taken;

static int64_t take_of(bool is_urgent, int64_t now_ms)
{
	return pending_take(&pending, is_urgent, now_ms, &taken) ? taken.page_id : 0;
}

static int64_t take(int64_t now_ms)
{
	int64_t id = take_of(true, now_ms);
	return id > 0 ? id : take_of(false, now_ms);
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

static void urgent_pages_are_taken_apart(void **state)
{
	(void)state;
	assert_true(pending_add(&pending, 1, at(10), false));
	assert_true(pending_add(&pending, 2, at(10), true));
	assert_true(pending_has_urgent(&pending, 0));
	assert_int_equal(1, take_of(false, 0));
	assert_int_equal(0, take_of(false, 0));
	assert_int_equal(2, take_of(true, 0));
	assert_int_equal(0, take_of(true, 0));
	assert_false(pending_has_urgent(&pending, 0));
}

static void a_page_that_is_put_back_waits_for_its_time_or_its_next_change(void **state)
{
	(void)state;
	assert_true(pending_add(&pending, 1, at(100), true));
	assert_true(pending_add(&pending, 2, at(101), false));
	assert_int_equal(1, take(0));
	assert_true(pending_put_back(&pending, &taken, 60));
	assert_int_equal(2, take(0));
	assert_true(pending_put_back(&pending, &taken, 60));
	/* It is as urgent, and as old, as it was. */
	assert_int_equal(100, pending_oldest(&pending).s);
	assert_false(pending_has_urgent(&pending, 59));
	assert_true(pending_has_urgent(&pending, 60));
	assert_int_equal(0, take(59));
	assert_true(pending_add(&pending, 2, at(159), false));
	assert_int_equal(2, take(59));
	/* A change while it was sent: nothing is to wait. */
	assert_true(pending_add(&pending, 2, at(160), false));
	assert_true(pending_put_back(&pending, &taken, 99));
	assert_int_equal(2, take(59));
	assert_int_equal(101, taken.since);
	assert_int_equal(1, take(60));
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
			int64_t id = take(2);
			assert_true(id > 0 && waits[id >> 40]);
			waits[id >> 40] = false;
			count--;
		}
		assert_int_equal(count, pending.count);
	}
	for (; count > 0; count--) {
		int64_t id = take(2);
		assert_true(id > 0 && waits[id >> 40]);
		waits[id >> 40] = false;
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
		TEST(urgent_pages_are_taken_apart),
		TEST(a_page_that_is_put_back_waits_for_its_time_or_its_next_change),
		TEST(many_pages_come_and_go),
		TEST(memory_is_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
