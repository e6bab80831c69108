#include "unit/lib/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/printable.h"

struct row {
	const char *text;
	const char *shown;
};

static const struct row rows[] = {
	{ "", "" },
	{ "plain, \"quoted\" \\ text", "plain, \"quoted\" \\ text" },
	{ "Über 東京 🔥 עברית", "Über 東京 🔥 עברית" },
	{ "\x1b[2J", "\\u001b[2J" },
	{ "a\nb\tc\rd", "a\\u000ab\\u0009c\\u000dd" },
	{ "\x7f", "\\u007f" },
	/* C1 characters in UTF-8: CSI, and the first and last one */
	{ "\xc2\x9b"
	  "31m",
	  "\\u009b31m" },
	{ "\xc2\x80\xc2\x9f\xc2\xa0", "\\u0080\\u009f\xc2\xa0" },
	/* a C1 character as a single byte, which an 8-bit terminal executes */
	{ "\x9b"
	  "31m",
	  "\\x9b31m" },
	{ "\xc3", "\\xc3" },
	{ "\xe2\x82", "\\xe2\\x82" },
	/* right-to-left override, isolate, line separator */
	{ "gpj.\xe2\x80\xae"
	  "exe",
	  "gpj.\\u202eexe" },
	{ "\xe2\x81\xa6\xe2\x81\xa9", "\\u2066\\u2069" },
	{ "\xe2\x80\xa8", "\\u2028" },
};

static void what_moves_a_cursor_is_escaped(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_string_equal(rows[i].shown, printable_text(&arena, rows[i].text));
}

static void a_line_stays_one_line_unless_lines_are_meant(void **state)
{
	(void)state;
	char *data = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&data, &len);
	assert_non_null(out);
	printable_write(out, STR("a\nb\x1b"));
	printable_write_lines(out, STR("|c\nd\x1b"));
	fclose(out);
	assert_string_equal("a\\u000ab\\u001b|c\nd\\u001b", data);
	free(data);
}

static void an_invisible_character_is_found(void **state)
{
	(void)state;
	/* Zero width space and joiner, soft hyphen, filler, right-to-left override, C1, newline. */
	static const char *const hidden[] = {
		"a\xe2\x80\x8b", "a\xe2\x80\x8d.", "\xc2\xad", "\xe3\x85\xa4",
		"\xe2\x80\xae",	 "\xc2\x85",	   "\n"
	};
	for (size_t i = 0; i < ARRAY_LEN(hidden); i++)
		assert_false(printable_is_visible(hidden[i]));
	assert_true(printable_is_visible("\xc3\x81"
					 "d\xc3\xa1 \xe5\x90\x8d-1"));
	assert_true(printable_is_visible(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_moves_a_cursor_is_escaped),
		cmocka_unit_test(an_invisible_character_is_found),
		cmocka_unit_test(a_line_stays_one_line_unless_lines_are_meant),
	};
	return RUN_WITH_ARENA(tests);
}
