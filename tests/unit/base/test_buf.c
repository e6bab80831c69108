#include "unit/lib/unit.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grows_up_to_its_maximum),
		cmocka_unit_test(a_failure_sticks_until_it_is_cleared),
	};
	return RUN(tests);
}
