#include "unit/lib/unit.h"

#include "service/running_writes.h"

static const struct running_writes_limits two = { .account = 2, .row = 2 };

static void stuck_writes_of_an_account_are_bounded(void **state)
{
	(void)state;
	int first, second, third, other;
	assert_true(running_writes_enter(7, 1000, &two, &first));
	assert_true(running_writes_enter(7, 1000, &two, &second));
	/* Many at once are a busy account, and no trouble. */
	assert_true(running_writes_enter(7, 1000 + RUNNING_WRITES_STUCK_MS, &two, &third));
	running_writes_leave(third);
	assert_false(running_writes_enter(7, 1001 + RUNNING_WRITES_STUCK_MS, &two, &third));
	assert_int_equal(third, RUNNING_WRITES_NOT_COUNTED);
	assert_true(running_writes_enter(8, 1001 + RUNNING_WRITES_STUCK_MS, &two, &other));
	running_writes_leave(other);
	running_writes_leave(second);
	assert_true(running_writes_enter(7, 1001 + RUNNING_WRITES_STUCK_MS, &two, &third));
	running_writes_leave(third);
	running_writes_leave(first);
}

static void a_full_table_refuses_nobody(void **state)
{
	(void)state;
	enum { MANY = 300 };
	int tickets[MANY], other;
	for (int i = 0; i < MANY; i++)
		assert_true(running_writes_enter(7, 1000, &two, &tickets[i]));
	assert_true(running_writes_await(tickets[MANY - 1], &(struct running_writes_rows){ 0 },
					 9000, 1));
	assert_true(running_writes_enter(8, 9000, &two, &other));
	running_writes_leave(other);
	assert_false(running_writes_enter(7, 9000, &two, &other));
	for (int i = 0; i < MANY; i++)
		running_writes_leave(tickets[i]);
	assert_true(running_writes_enter(7, 9000, &two, &other));
	running_writes_leave(other);
}

enum { BEGAN = 1000, LATE = 1001 + RUNNING_WRITES_STUCK_MS };

static const struct running_writes_limits limits = { .account = 3, .row = 1 };

static bool awaits(int ticket, enum running_writes_table table, int64_t id, int64_t at_ms)
{
	const struct running_writes_rows rows = { table, &id, 1 };
	return running_writes_await(ticket, &rows, at_ms, limits.row);
}

static void a_locked_row_refuses_its_own_writes_only(void **state)
{
	(void)state;
	enum { BURST = 5 };
	int burst[BURST], late, list;
	for (int i = 0; i < BURST; i++) {
		assert_true(running_writes_enter(7, BEGAN, &limits, &burst[i]));
		assert_true(awaits(burst[i], RUNNING_WRITES_MONITORS, 70, BEGAN));
	}
	/* The account has three places, of which one row takes one. */
	assert_true(running_writes_enter(7, LATE, &limits, &late));
	assert_false(awaits(late, RUNNING_WRITES_MONITORS, 70, LATE));
	assert_true(awaits(late, RUNNING_WRITES_MONITORS, 71, LATE));
	/* Another table has a row of the same id. */
	assert_true(awaits(late, RUNNING_WRITES_INCIDENTS, 70, LATE));
	/* A write of many rows waits for each of them. */
	assert_true(running_writes_enter(7, LATE, &limits, &list));
	const struct running_writes_rows both = { RUNNING_WRITES_MONITORS,
						  (const int64_t[]){ 69, 70 }, 2 };
	assert_false(running_writes_await(list, &both, LATE, limits.row));
	/* A repeated transaction does not wait for itself. */
	assert_true(awaits(late, RUNNING_WRITES_MONITORS, 71, LATE + 2 * RUNNING_WRITES_STUCK_MS));
	running_writes_leave(list);
	running_writes_leave(late);
	for (int i = 0; i < BURST; i++)
		running_writes_leave(burst[i]);
	/* A place that is used again has none of its former rows. */
	assert_true(running_writes_enter(7, BEGAN, &limits, &late));
	assert_true(running_writes_enter(7, LATE, &limits, &list));
	assert_true(awaits(list, RUNNING_WRITES_MONITORS, 70, LATE));
	running_writes_leave(list);
	running_writes_leave(late);
}

static void several_locked_rows_fill_an_account(void **state)
{
	(void)state;
	int tickets[3], late;
	for (int i = 0; i < 3; i++) {
		assert_true(running_writes_enter(7, BEGAN, &limits, &tickets[i]));
		assert_true(awaits(tickets[i], RUNNING_WRITES_MONITORS, 70 + i, BEGAN));
	}
	assert_false(running_writes_enter(7, LATE, &limits, &late));
	assert_true(running_writes_enter(8, LATE, &limits, &late));
	running_writes_leave(late);
	for (int i = 0; i < 3; i++)
		running_writes_leave(tickets[i]);
}

static void writes_that_wait_long_for_publishers_are_few(void **state)
{
	(void)state;
	int first, second, other, late;
	assert_true(running_writes_linger(7, 2, &first));
	assert_true(running_writes_linger(7, 2, &second));
	assert_false(running_writes_linger(7, 2, &late));
	assert_int_equal(RUNNING_WRITES_NOT_COUNTED, late);
	assert_true(running_writes_linger(8, 2, &other));
	/* They hold no rows: other writes of the account go on. */
	assert_true(running_writes_enter(7, LATE, &(struct running_writes_limits){ 1, 1 }, &late));
	running_writes_leave(late);
	running_writes_leave(first);
	assert_true(running_writes_linger(7, 2, &late));
	running_writes_leave(late);
	running_writes_leave(second);
	running_writes_leave(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stuck_writes_of_an_account_are_bounded),
		cmocka_unit_test(a_full_table_refuses_nobody),
		cmocka_unit_test(a_locked_row_refuses_its_own_writes_only),
		cmocka_unit_test(several_locked_rows_fill_an_account),
		cmocka_unit_test(writes_that_wait_long_for_publishers_are_few),
	};
	return RUN(tests);
}
