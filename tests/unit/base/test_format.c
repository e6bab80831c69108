/* format_text() against vsnprintf(), and percentages. */
#include "unit/lib/unit.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#include "base/format.h"

enum { ROOM = 200 };

/* The same text, the same length and no byte behind the room, whatever the room. */
static void PRINTF_LIKE(1, 2) check(const char *format, ...)
{
	char wanted[ROOM], text[ROOM + 1];
	for (size_t room = 0; room <= ROOM; room = room < 20 ? room + 1 : room + 60) {
		va_list args;
		memset(wanted, '#', sizeof(wanted));
		memset(text, '#', sizeof(text));
		va_start(args, format);
		int wanted_len = vsnprintf(wanted, room, format, args);
		va_end(args);
		va_start(args, format);
		assert_int_equal(wanted_len, format_text(text, room, format, args));
		va_end(args);
		if (room > 0)
			assert_string_equal(wanted, text);
		assert_int_equal('#', text[room]);
	}
}

static void texts_are_those_of_vsnprintf(void **state)
{
	(void)state;
	check("no conversion");
	check("100 %%, %c%c", 'a', '\x80');
	check("<%s>%s</%s>", "name", "", "name");
	check("%.3s|%.9s|%.0s|%.*s|%.*s", "abcdef", "abc", "abc", 2, "abc", -1, "abc");
	check("%d %d %d %d", 0, -1, INT_MAX, INT_MIN);
	check("%u %u", 0U, UINT_MAX);
	check("%ld %ld %lu", LONG_MAX, LONG_MIN, ULONG_MAX);
	check("%lld %lld %llu", LLONG_MAX, LLONG_MIN, ULLONG_MAX);
	check("%zu %zd", SIZE_MAX, (ssize_t)-5);
	check("%04d-%02d-%02d %03d %03d %01d", 987, 5, 12, -7, -1234, 0);
	check("%010lld %019lld %010zu", 7LL, -7LL, (size_t)7);
}

static void other_conversions_are_left_to_vsnprintf(void **state)
{
	(void)state;
	check("%s %5d %-5d| %+d %5s %-5s| %x %02x %p", "a", 7, 7, 7, "b", "c", 255U, 7U, (void *)0);
	check("%s %.2f %hhd %.3d %020d", "a", 1.5, (signed char)-1, 7, 7);
	check("%.8s-%.4s %*d %lx", "0123456789", "0123", 4, 7, 255UL);
}

static void percentages_have_two_decimals(void **state)
{
	char text[PERCENT_TEXT_SIZE];
	(void)state;
	assert_string_equal(percent_format(&(struct percent){ true, 10000 }, text), "100.00");
	assert_string_equal(percent_format(&(struct percent){ true, 9905 }, text), "99.05");
	assert_string_equal(percent_format(&(struct percent){ true, 7 }, text), "0.07");
	assert_string_equal(percent_format(&(struct percent){ true, 0 }, text), "0.00");
	assert_string_equal(percent_format(&(struct percent){ false, 9905 }, text), "null");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(percentages_have_two_decimals),
		cmocka_unit_test(texts_are_those_of_vsnprintf),
		cmocka_unit_test(other_conversions_are_left_to_vsnprintf),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
