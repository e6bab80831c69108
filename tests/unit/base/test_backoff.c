#include "unit/lib/unit.h"

#include "base/backoff.h"

static void waits_double_up_to_the_longest(void **state)
{
	static const struct {
		struct backoff_rule rule;
		unsigned failures;
		uint32_t random;
		int64_t wait_ms;
	} rows[] = {
		{ { 1000, 60000, 25 }, 1, 0, 1000 },
		{ { 1000, 60000, 25 }, 2, 0, 2000 },
		{ { 1000, 60000, 25 }, 6, 0, 32000 },
		{ { 1000, 60000, 25 }, 7, 0, 60000 },
		{ { 1000, 60000, 25 }, 1000, 0, 60000 },
		{ { 1000, 60000, 25 }, UINT32_MAX, 0, 60000 },
		/* A part is left out, and never more than the rule allows. */
		{ { 1000, 60000, 25 }, 1, UINT32_MAX, 750 },
		{ { 1000, 60000, 25 }, 7, UINT32_MAX, 45000 },
		{ { 1000, 60000, 25 }, 1, UINT32_MAX / 2, 876 },
		{ { 20, 80, 100 }, 3, UINT32_MAX, 0 },
		{ { 20, 80, 0 }, 3, UINT32_MAX, 80 },
		/* Always the same. */
		{ { 250, 250, 0 }, 1, 7, 250 },
		{ { 250, 250, 0 }, 9, 7, 250 },
		/* An hour, and the longest wait that a rule can have. */
		{ { 1000, 3600000, 0 }, 13, 0, 3600000 },
		{ { INT64_MAX / 2, INT64_MAX / 2, 0 }, 40, 0, INT64_MAX / 2 },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(rows[i].wait_ms,
				 backoff_wait_ms(&rows[i].rule, rows[i].failures, rows[i].random));
}

static void failures_in_turn_are_counted(void **state)
{
	static const struct backoff_rule rule = { 100, 400, BACKOFF_SPREAD };
	static const int64_t longest[] = { 100, 200, 400, 400 };
	struct backoff backoff = { 0 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(longest); i++) {
		backoff_fail(&backoff, &rule, 5000);
		assert_int_equal(i + 1, backoff.failures);
		assert_in_range(backoff.until_ms, 5000 + longest[i] * 3 / 4, 5000 + longest[i]);
	}
}

/* A hundred processes that fail together try again at many times. */
static void those_that_fail_together_try_again_apart(void **state)
{
	static const struct backoff_rule rule = { 60000, 60000, BACKOFF_SPREAD };
	bool is_used[60] = { false };
	size_t used = 0;
	(void)state;
	for (int i = 0; i < 100; i++) {
		struct backoff backoff = { 0 };
		backoff_fail(&backoff, &rule, 0);
		size_t part = (size_t)((backoff.until_ms - 45000) / 251);
		assert_true(part < ARRAY_LEN(is_used));
		used += !is_used[part];
		is_used[part] = true;
	}
	assert_true(used > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_double_up_to_the_longest),
		cmocka_unit_test(failures_in_turn_are_counted),
		cmocka_unit_test(those_that_fail_together_try_again_apart),
	};
	return RUN(tests);
}
