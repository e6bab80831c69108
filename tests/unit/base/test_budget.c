#include "unit/lib/unit.h"

#include <pthread.h>

#include "base/budget.h"
#include "base/buf.h"

enum { MIB = 1 << 20 };

static void what_is_held_is_counted_and_given_back(void **state)
{
	(void)state;
	struct arena one;
	struct buf buf = BUF_INIT(8 * MIB);
	static const char bytes[MIB];
	size_t before = budget_used();
	arena_init(&one, 8 * MIB);
	arena_alloc(&one, MIB);
	assert_in_range(budget_used() - before, MIB, MIB + MIB / 4);
	buf_add(&buf, bytes, sizeof(bytes));
	assert_in_range(budget_used() - before, 2 * MIB, 3 * MIB);
	buf_done(&buf);
	arena_reset(&one);
	assert_int_equal(before, budget_used());
	arena_alloc(&one, 1);
	arena_done(&one);
	assert_int_equal(before, budget_used());
}

static void what_is_expected_is_counted_once(void **state)
{
	(void)state;
	struct arena one;
	size_t before = budget_used();
	arena_init(&one, 16 * MIB);
	assert_true(arena_expect(&one, 4 * MIB));
	assert_int_equal(before + 4 * MIB, budget_used());
	for (int i = 0; i < 3; i++)
		arena_alloc(&one, MIB);
	assert_int_equal(before + 4 * MIB, budget_used());
	arena_alloc(&one, 2 * MIB);
	assert_in_range(budget_used() - before, 5 * MIB, 5 * MIB + MIB / 4);
	arena_done(&one);
	assert_int_equal(before, budget_used());
}

static void the_last_that_fits_is_the_last(void **state)
{
	(void)state;
	struct arena arenas[3];
	size_t before = budget_used();
	budget_set(before + 8 * MIB);
	for (int i = 0; i < 3; i++)
		arena_init(&arenas[i], 16 * MIB);
	assert_true(arena_expect(&arenas[0], 3 * MIB));
	assert_true(arena_expect(&arenas[1], 3 * MIB));
	assert_false(arena_expect(&arenas[2], 3 * MIB));
	assert_true(arena_expect(&arenas[2], 2 * MIB));
	assert_false(arena_expect(&arenas[2], 1));
	/* An allocation without a claim succeeds. */
	arena_alloc(&arenas[2], 3 * MIB);
	for (int i = 0; i < 3; i++)
		arena_done(&arenas[i]);
	/* A claim of more than half counts as half: one such claim succeeds, two do not. */
	assert_true(arena_expect(&arenas[0], 100 * MIB));
	assert_true(arena_expect(&arenas[1], 3 * MIB));
	assert_false(arena_expect(&arenas[2], 100 * MIB));
	arena_done(&arenas[0]);
	arena_done(&arenas[1]);
	assert_int_equal(before, budget_used());
	budget_set(0);
	assert_true(arena_expect(&arenas[0], 100 * MIB));
	arena_done(&arenas[0]);
}

static void what_grows_goes_on_alone(void **state)
{
	(void)state;
	struct arena one, other;
	size_t before = budget_used();
	budget_set(before + 8 * MIB);
	arena_init(&one, 64 * MIB);
	arena_init(&other, 64 * MIB);
	for (int i = 0; i < 10; i++)
		assert_true(arena_expect(&one, 3 * MIB));
	assert_int_equal(before + 4 * MIB, budget_used());
	arena_alloc(&one, 20 * MIB);
	assert_true(arena_expect(&one, 3 * MIB));
	assert_false(arena_expect(&other, 1));
	arena_done(&one);
	assert_true(arena_expect(&other, 1));
	arena_done(&other);
	assert_int_equal(before, budget_used());
	budget_set(0);
}

static void a_buffer_claims_what_is_expected(void **state)
{
	(void)state;
	struct buf one = BUF_INIT(6 * MIB), other = BUF_INIT(6 * MIB);
	struct arena arena_of_one;
	size_t before = budget_used();
	budget_set(before + 8 * MIB);
	assert_true(buf_expect(&one, 3 * MIB));
	assert_int_equal(before + 3 * MIB + 1, budget_used());
	/* Bytes that were claimed are not counted again when they are added. */
	buf_add(&one, "abc", 3);
	assert_true(buf_expect(&one, 2 * MIB));
	assert_int_equal(before + 3 * MIB + 1, budget_used());
	assert_string_equal("abc", one.data);
	/* The request that holds part of its half can claim the rest of it. */
	arena_init(&arena_of_one, 64 * MIB);
	arena_of_one.beside_bytes = one.size;
	assert_true(arena_expect(&arena_of_one, 12 * MIB));
	assert_int_equal(before + 4 * MIB, budget_used());
	/* All memory that is held counts, and at most half of the limit is claimed. */
	assert_true(buf_expect(&one, 100 * MIB));
	assert_int_equal(6 * MIB + 1, one.size);
	assert_false(buf_expect(&other, 3 * MIB));
	assert_null(other.data);
	assert_true(buf_expect(&other, MIB / 2));
	buf_done(&other);
	buf_done(&one);
	arena_done(&arena_of_one);
	assert_int_equal(before, budget_used());
	assert_true(buf_expect(&one, 6 * MIB));
	buf_done(&one);
	assert_int_equal(before, budget_used());
	budget_set(0);
}

static void *claim_and_give(void *context)
{
	size_t *passed = context, taken;
	for (int i = 0; i < 100000; i++) {
		if (!budget_claim(MIB, 0, &taken))
			continue;
		(*passed)++;
		budget_give(taken);
	}
	return NULL;
}

static void threads_leave_nothing(void **state)
{
	(void)state;
	pthread_t threads[4];
	size_t passed[4] = { 0 }, before = budget_used();
	budget_set(before + 2 * MIB);
	for (int i = 0; i < 4; i++)
		assert_int_equal(0, pthread_create(&threads[i], NULL, claim_and_give, &passed[i]));
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(before, budget_used());
	assert_true(passed[0] + passed[1] + passed[2] + passed[3] > 0);
	budget_set(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_held_is_counted_and_given_back),
		cmocka_unit_test(what_is_expected_is_counted_once),
		cmocka_unit_test(the_last_that_fits_is_the_last),
		cmocka_unit_test(what_grows_goes_on_alone),
		cmocka_unit_test(a_buffer_claims_what_is_expected),
		cmocka_unit_test(threads_leave_nothing),
	};
	return RUN(tests);
}
