#include "unit/lib/unit.h"

#include "base/budget.h"
#include "base/buf.h"

static void grows_up_to_its_maximum(void **state)
{
	(void)state;
	struct buf buf = BUF_INIT(1000);
	for (int i = 0; i < 100; i++)
		buf_puts(&buf, "0123456789");
	assert_true(buf_ok(&buf));
	assert_int_equal(1000, buf.len);
	assert_int_equal('\0', buf.data[1000]);
	/* The size is exact, not the next power of two. */
	assert_int_equal(1001, buf.size);
	buf_putc(&buf, 'x');
	assert_false(buf_ok(&buf));
	assert_int_equal(1000, buf.len);
	buf_done(&buf);
}

static void a_failure_sticks_until_it_is_cleared(void **state)
{
	(void)state;
	struct buf buf = BUF_INIT(4);
	buf_puts(&buf, "12345");
	buf_puts(&buf, "1");
	assert_false(buf_ok(&buf));
	assert_int_equal(0, buf.len);
	buf_clear(&buf);
	buf_printf(&buf, "%d", 1234);
	assert_true(buf_ok(&buf));
	assert_string_equal("1234", buf.data);
	buf_done(&buf);
}

static void small_memory_is_kept_for_the_next_buffer(void **state)
{
	(void)state;
	struct buf_spare spare = { 0 };
	size_t before = budget_used();
	struct buf first = BUF_INIT(1 << 20), second = BUF_INIT(1 << 20), small = BUF_INIT(100);
	buf_puts(&first, "the first");
	const char *memory = first.data;
	buf_leave(&first, &spare);
	assert_null(first.data);
	assert_int_equal(budget_used(), before);
	buf_start(&small, &spare);
	assert_null(small.data); /* it may not have as much */
	buf_start(&second, &spare);
	assert_ptr_equal(second.data, memory);
	assert_int_equal(second.len, 0);
	assert_int_equal(budget_used(), before + second.size);
	buf_printf(&second, "%0*d", BUF_SPARE_MAX_BYTES, 1);
	buf_leave(&second, &spare);
	assert_null(spare.data); /* a large one is freed */
	assert_int_equal(budget_used(), before);
	buf_puts(&first, "again");
	buf_leave(&first, &spare);
	buf_spare_done(&spare);
	assert_null(spare.data);
	assert_int_equal(budget_used(), before);
}

static void a_claim_is_for_the_caller_to_fill_in(void **state)
{
	(void)state;
	struct buf buf = BUF_INIT(8);
	memcpy(buf_claim(&buf, 5), "12345", 5);
	assert_string_equal("12345", buf.data);
	assert_null(buf_claim(&buf, 4));
	assert_false(buf_ok(&buf));
	assert_int_equal(5, buf.len);
	buf_done(&buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grows_up_to_its_maximum),
		cmocka_unit_test(a_failure_sticks_until_it_is_cleared),
		cmocka_unit_test(small_memory_is_kept_for_the_next_buffer),
		cmocka_unit_test(a_claim_is_for_the_caller_to_fill_in),
	};
	return RUN(tests);
}
