#include "unit/lib/unit.h"

#include "service/writers.h"

static void stuck_writes_of_an_account_are_bounded(void **state)
{
	(void)state;
	int first, second, third, other;
	assert_true(writers_enter(7, 1000, 2, &first));
	assert_true(writers_enter(7, 1000, 2, &second));
	/* Many at once are a busy account, and no trouble. */
	assert_true(writers_enter(7, 1000 + WRITERS_STUCK_MS, 2, &third));
	writers_leave(third);
	assert_false(writers_enter(7, 1001 + WRITERS_STUCK_MS, 2, &third));
	assert_true(writers_enter(8, 1001 + WRITERS_STUCK_MS, 2, &other));
	writers_leave(other);
	writers_leave(second);
	assert_true(writers_enter(7, 1001 + WRITERS_STUCK_MS, 2, &third));
	writers_leave(third);
	writers_leave(first);
}

static void a_full_table_refuses_nobody(void **state)
{
	(void)state;
	enum { MANY = 300 };
	int tickets[MANY], other;
	for (int i = 0; i < MANY; i++)
		assert_true(writers_enter(7, 1000, 2, &tickets[i]));
	assert_true(writers_enter(8, 9000, 2, &other));
	writers_leave(other);
	assert_false(writers_enter(7, 9000, 2, &other));
	for (int i = 0; i < MANY; i++)
		writers_leave(tickets[i]);
	assert_true(writers_enter(7, 9000, 2, &other));
	writers_leave(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stuck_writes_of_an_account_are_bounded),
		cmocka_unit_test(a_full_table_refuses_nobody),
	};
	return RUN(tests);
}
