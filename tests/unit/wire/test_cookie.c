#include "unit/lib/unit.h"

#include <stdio.h>

#include "wire/cookie.h"

/* All values of the cookie `c`, each followed by a bar. */
static const char *values(const char *header)
{
	static char text[256];
	struct str rest = str_from(header), value;
	size_t len = 0;
	text[0] = '\0';
	while (cookie_next(&rest, STR("c"), &value))
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%.*s|", (int)value.len,
					value.data);
	return text;
}

static void every_cookie_of_a_name_is_found_in_order(void **state)
{
	(void)state;
	assert_string_equal("one|two|three|", values("c=one; a=x; c=two;c=three"));
	assert_string_equal("one|", values("a=x; c=one; b=y"));
	assert_string_equal("a=b|", values("c=a=b"));
	assert_string_equal("|one|", values("c=; c=one"));
}

static void other_names_and_what_is_no_cookie_are_passed_over(void **state)
{
	(void)state;
	assert_string_equal("", values(NULL));
	assert_string_equal("", values(""));
	assert_string_equal("", values("c"));
	assert_string_equal("", values("cc=1; C=2; xc=3; =c; ;;"));
	assert_string_equal("one|", values("c; ; c=one; c"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cookie_of_a_name_is_found_in_order),
		cmocka_unit_test(other_names_and_what_is_no_cookie_are_passed_over),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
