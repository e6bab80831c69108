#include "unit/lib/unit.h"

#include "base/lines.h"

static void whole_lines_are_given_and_a_cut_one_is_not(void **state)
{
	struct lines lines = lines_of(STR("one\n\nthree 3\ncu"));
	struct str line;
	(void)state;
	assert_true(lines_next(&lines, &line));
	assert_true(str_eq(line, STR("one")));
	assert_true(lines_next(&lines, &line));
	assert_int_equal(0, line.len);
	assert_true(lines_next(&lines, &line));
	assert_true(str_eq(line, STR("three 3")));
	assert_false(lines_next(&lines, &line));
	assert_int_equal(3, lines.number);
	assert_true(lines_are_cut(&lines));

	lines = lines_of(STR("whole\n"));
	assert_true(lines_next(&lines, &line));
	assert_false(lines_next(&lines, &line));
	assert_false(lines_are_cut(&lines));

	lines = lines_of((struct str){ 0 });
	assert_false(lines_next(&lines, &line));
	assert_false(lines_are_cut(&lines));
}

static void a_line_gives_its_words(void **state)
{
	(void)state;
	struct str line = STR("file index.html - 812 -3");
	const char *text;
	int64_t number;
	assert_true(line_key(&line, "file"));
	assert_string_equal("index.html", line_text(&line, &arena));
	assert_true(line_optional(&line, &arena, &text));
	assert_null(text);
	assert_true(line_number(&line, 0, &number));
	assert_int_equal(812, number);
	assert_false(line_ends(&line));
	assert_false(line_number(&line, 0, &number));
	assert_true(line_ends(&line));
	assert_null(line_text(&line, &arena));
	assert_false(line_optional(&line, &arena, &text));
}

static void what_is_no_word_is_refused(void **state)
{
	(void)state;
	int64_t number;
	static const struct str lines[] = { STR(""), STR(" two"), STR("files 1"), STR("a\0b") };
	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		struct str line = lines[i];
		assert_false(line_key(&line, "file"));
		line = lines[i];
		assert_false(line_number(&line, INT64_MIN, &number));
		line = lines[i];
		if (i != 2)
			assert_null(line_text(&line, &arena));
	}
	/* A blank at the end of a line begins an empty word. */
	struct str line = STR("file ");
	assert_true(line_key(&line, "file"));
	assert_false(line_ends(&line));
	assert_null(line_text(&line, &arena));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_lines_are_given_and_a_cut_one_is_not),
		cmocka_unit_test(a_line_gives_its_words),
		cmocka_unit_test(what_is_no_word_is_refused),
	};
	return RUN_WITH_ARENA(tests);
}
