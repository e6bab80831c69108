#include "unit/lib/unit.h"

#include "service/writers.h"

static const struct writers_limits two = { .account = 2, .row = 2 };

static void stuck_writes_of_an_account_are_bounded(void **state)
{
	(void)state;
	int first, second, third, other;
	assert_true(writers_enter(7, 1000, &two, &first));
	assert_true(writers_enter(7, 1000, &two, &second));
	/* Many at once are a busy account, and no trouble. */
	assert_true(writers_enter(7, 1000 + WRITERS_STUCK_MS, &two, &third));
	writers_leave(third);
	assert_false(writers_enter(7, 1001 + WRITERS_STUCK_MS, &two, &third));
	assert_true(writers_enter(8, 1001 + WRITERS_STUCK_MS, &two, &other));
	writers_leave(other);
	writers_leave(second);
	assert_true(writers_enter(7, 1001 + WRITERS_STUCK_MS, &two, &third));
	writers_leave(third);
	writers_leave(first);
}

static void a_full_table_refuses_nobody(void **state)
{
	(void)state;
	enum { MANY = 300 };
	int tickets[MANY], other;
	for (int i = 0; i < MANY; i++)
		assert_true(writers_enter(7, 1000, &two, &tickets[i]));
	assert_true(writers_await(tickets[MANY - 1], &(struct writers_rows){ 0 }, 9000, 1));
	assert_true(writers_enter(8, 9000, &two, &other));
	writers_leave(other);
	assert_false(writers_enter(7, 9000, &two, &other));
	for (int i = 0; i < MANY; i++)
		writers_leave(tickets[i]);
	assert_true(writers_enter(7, 9000, &two, &other));
	writers_leave(other);
}

enum { BEGAN = 1000, LATE = 1001 + WRITERS_STUCK_MS };

static const struct writers_limits limits = { .account = 3, .row = 1 };

static bool awaits(int ticket, enum writers_table table, int64_t id, int64_t at_ms)
{
	const struct writers_rows rows = { table, &id, 1 };
	return writers_await(ticket, &rows, at_ms, limits.row);
}

static void a_locked_row_refuses_its_own_writes_only(void **state)
{
	(void)state;
	enum { BURST = 5 };
	int burst[BURST], late, list;
	for (int i = 0; i < BURST; i++) {
		assert_true(writers_enter(7, BEGAN, &limits, &burst[i]));
		assert_true(awaits(burst[i], WRITERS_MONITORS, 70, BEGAN));
	}
	/* The account has three places, of which one row takes one. */
	assert_true(writers_enter(7, LATE, &limits, &late));
	assert_false(awaits(late, WRITERS_MONITORS, 70, LATE));
	assert_true(awaits(late, WRITERS_MONITORS, 71, LATE));
	/* Another table has a row of the same id. */
	assert_true(awaits(late, WRITERS_INCIDENTS, 70, LATE));
	/* A write of many rows waits for each of them. */
	assert_true(writers_enter(7, LATE, &limits, &list));
	const struct writers_rows both = { WRITERS_MONITORS, (const int64_t[]){ 69, 70 }, 2 };
	assert_false(writers_await(list, &both, LATE, limits.row));
	/* A repeated transaction does not wait for itself. */
	assert_true(awaits(late, WRITERS_MONITORS, 71, LATE + 2 * WRITERS_STUCK_MS));
	writers_leave(list);
	writers_leave(late);
	for (int i = 0; i < BURST; i++)
		writers_leave(burst[i]);
	/* A place that is used again has none of its former rows. */
	assert_true(writers_enter(7, BEGAN, &limits, &late));
	assert_true(writers_enter(7, LATE, &limits, &list));
	assert_true(awaits(list, WRITERS_MONITORS, 70, LATE));
	writers_leave(list);
	writers_leave(late);
}

static void several_locked_rows_fill_an_account(void **state)
{
	(void)state;
	int tickets[3], late;
	for (int i = 0; i < 3; i++) {
		assert_true(writers_enter(7, BEGAN, &limits, &tickets[i]));
		assert_true(awaits(tickets[i], WRITERS_MONITORS, 70 + i, BEGAN));
	}
	assert_false(writers_enter(7, LATE, &limits, &late));
	assert_true(writers_enter(8, LATE, &limits, &late));
	writers_leave(late);
	for (int i = 0; i < 3; i++)
		writers_leave(tickets[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stuck_writes_of_an_account_are_bounded),
		cmocka_unit_test(a_full_table_refuses_nobody),
		cmocka_unit_test(a_locked_row_refuses_its_own_writes_only),
		cmocka_unit_test(several_locked_rows_fill_an_account),
	};
	return RUN(tests);
}
