#include "unit/lib/unit.h"

#include "base/str.h"

static void integers_are_strict(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		bool is_integer;
		int64_t value;
	} rows[] = {
		{ "0", true, 0 },
		{ "7", true, 7 },
		{ "-7", true, -7 },
		{ "9223372036854775807", true, INT64_MAX },
		{ "9223372036854775808", false, 0 },
		{ "99999999999999999999", false, 0 },
		{ "", false, 0 },
		{ "-", false, 0 },
		{ "+1", false, 0 },
		{ "01", false, 0 },
		{ "-0", false, 0 },
		{ " 1", false, 0 },
		{ "1 ", false, 0 },
		{ "1.0", false, 0 },
		{ "1e3", false, 0 },
		{ "0x1", false, 0 },
		{ "\xd9\xa1", false, 0 },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		int64_t value = 99;
		assert_int_equal(rows[i].is_integer, str_to_int64(str_from(rows[i].text), &value));
		assert_int_equal(rows[i].is_integer ? rows[i].value : 99, value);
	}
}

static void text_is_utf8_without_nul(void **state)
{
	(void)state;
	assert_true(str_is_text(STR("")));
	assert_true(str_is_text(STR("gr\xc3\xbc\xc3\x9f \xf0\x9f\x9a\xa8")));
	assert_false(str_is_text(STR("a\0b")));
	assert_false(str_is_text(STR("\xff")));
	assert_false(str_is_text(STR("\xc3")));
	assert_false(str_is_text(STR("\xc0\xaf")));
	assert_false(str_is_text(STR("\xed\xa0\x80")));
	assert_false(str_is_text(STR("\xf4\x90\x80\x80")));
	assert_int_equal(3, str_chars(STR("\xc3\xbc\xf0\x9f\x9a\xa8x")));
}

static void text_is_cut_between_characters(void **state)
{
	static const struct str text = { "a\xc3\xbc\xf0\x9f\x9a\xa8", 7 };
	static const size_t lens[] = { 0, 1, 1, 3, 3, 3, 3, 7, 7 };
	(void)state;
	for (size_t most = 0; most < ARRAY_LEN(lens); most++)
		assert_int_equal(lens[most], str_cut(text, most).len);
}

static void white_space_of_any_script_is_trimmed(void **state)
{
	(void)state;
	static const struct {
		struct str text;
		struct str trimmed;
	} rows[] = {
		{ { "  a b \t\r\n", 9 }, { "a b", 3 } },
		{ { "\xc2\xa0\xe2\x80\x8bx\xef\xbb\xbf\xe3\x80\x80", 12 }, { "x", 1 } },
		{ { " ", 1 }, { "", 0 } },
		{ { "", 0 }, { "", 0 } },
		{ { "\xff \xff", 3 }, { "\xff \xff", 3 } },
		{ { "x\x80\x80\x80\x80\x80", 6 }, { "x\x80\x80\x80\x80\x80", 6 } },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_true(str_eq(rows[i].trimmed, str_trim(rows[i].text)));
}

static void splitting_gives_every_item(void **state)
{
	(void)state;
	struct str rest = STR("a,,b,"), item;
	static const char *const wanted[] = { "a", "", "b", "" };
	size_t count = 0;
	for (; str_split(&rest, ',', &item); count++)
		assert_true(str_eq(str_from(wanted[count]), item));
	assert_int_equal(4, count);
}

static void texts_are_the_same_if_both_are_missing(void **state)
{
	const char one[] = "shop", other[] = "shop";
	(void)state;
	assert_true(str_same(one, other));
	assert_true(str_same(NULL, NULL));
	assert_false(str_same(one, "Shop"));
	assert_false(str_same(one, NULL));
	assert_false(str_same(NULL, ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_the_same_if_both_are_missing),
		cmocka_unit_test(integers_are_strict),
		cmocka_unit_test(text_is_utf8_without_nul),
		cmocka_unit_test(text_is_cut_between_characters),
		cmocka_unit_test(white_space_of_any_script_is_trimmed),
		cmocka_unit_test(splitting_gives_every_item),
	};
	return RUN(tests);
}
