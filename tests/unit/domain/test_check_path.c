/* The field json_path, as text. */
#include "unit/lib/unit.h"

#include <stdio.h>

#include "domain/monitor/check_path.h"

/* The steps of a path, as "name|#index|"; with "!" where it is not valid. */
static const char *steps(const char *path)
{
	static char text[256];
	struct str rest = check_path_begin(path);
	struct check_path_step step;
	size_t len = 0;
	text[0] = '\0';
	while (check_path_next(&rest, &step))
		len += (size_t)(step.name.data ? snprintf(text + len, sizeof(text) - len, "%.*s|",
							  (int)step.name.len, step.name.data)
					       : snprintf(text + len, sizeof(text) - len, "#%zu|",
							  step.index));
	if (!check_path_is_valid(path))
		snprintf(text + len, sizeof(text) - len, "!");
	return text;
}

static void a_path_has_steps(void **state)
{
	(void)state;
	assert_string_equal("status|", steps("status"));
	assert_string_equal("a|b|#0|c|", steps("a.b[0].c"));
	assert_string_equal("#3|#12|name|", steps("[3][12].name"));
	assert_string_equal("a|b|", steps("$.a.b"));
	assert_string_equal("#0|", steps("$[0]"));
	assert_string_equal("$|", steps("$"));
	assert_string_equal("$a|", steps("$a"));
	assert_string_equal("a b-c_d:e|é|", steps("a b-c_d:e.é"));
	assert_string_equal("#9223372036854775807|", steps("[9223372036854775807]"));
}

static void another_text_is_no_path(void **state)
{
	static const char *const texts[] = { "",
					     ".",
					     "$.",
					     "a.",
					     ".a",
					     "a..b",
					     "a[",
					     "a[]",
					     "a[x]",
					     "a[-1]",
					     "a[1",
					     "a]",
					     "[0]a",
					     "a.[0]",
					     "a[01]",
					     "a[1]]",
					     "a[9223372036854775808]" };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (check_path_is_valid(texts[i]))
			fail_msg("%s", texts[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_has_steps),
		cmocka_unit_test(another_text_is_no_path),
	};
	return RUN(tests);
}
