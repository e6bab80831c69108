/* The rules of the fields of monitors, accounts and keys. */
#include "unit/lib/unit.h"

#include "domain/account.h"
#include "domain/key.h"
#include "domain/monitor.h"
#include "domain/short_text.h"

struct text_case {
	const char *given;
	const char *stored; /* NULL: refused */
};

static void check_texts(const struct text_case *rows, size_t count,
			const char *(*rule)(struct arena *arena, const char *text))
{
	for (size_t i = 0; i < count; i++) {
		const char *stored = rule(&arena, rows[i].given);
		if (!stored != !rows[i].stored || (stored && strcmp(stored, rows[i].stored) != 0))
			fail_msg("row %zu", i);
	}
}

static void a_short_text_is_trimmed_and_bounded(void **state)
{
	(void)state;
	static const struct {
		const char *given;
		size_t max_chars;
		const char *stored;
	} rows[] = {
		{ "abc", 3, "abc" },
		{ "abcd", 3, NULL },
		{ " abc\t", 3, "abc" },
		{ "\xc3\xa4\xc3\xb6\xc3\xbc", 3, "\xc3\xa4\xc3\xb6\xc3\xbc" },
		{ "", 3, NULL },
		{ " \n", 3, NULL },
		{ "\xff", 3, NULL },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *stored = short_text(&arena, rows[i].given, rows[i].max_chars);
		if (!stored != !rows[i].stored || (stored && strcmp(stored, rows[i].stored) != 0))
			fail_msg("row %zu", i);
	}
}

static void a_label_is_name_and_value(void **state)
{
	(void)state;
	static const struct text_case rows[] = {
		{ "instance=web1:9100", "instance=web1:9100" },
		{ " a=b ", "a=b" },
		{ "a=b=c", "a=b=c" },
		{ "a", NULL },
		{ "=b", NULL },
		{ "a=", NULL },
		{ "", NULL },
	};
	check_texts(rows, ARRAY_LEN(rows), monitor_label);
}

static void a_monitor_has_a_name_and_an_address(void **state)
{
	(void)state;
	static const struct text_case rows[] = { { " Web ", "Web" }, { "7", "7" }, { " ", NULL } };
	check_texts(rows, ARRAY_LEN(rows), monitor_name);
	assert_true(monitor_url_is_valid("https://example.org/"));
	assert_false(monitor_url_is_valid("ftp://example.org/"));
	assert_false(monitor_url_is_valid("https://example.org/\xff"));
}

static void the_name_of_an_account_is_no_number(void **state)
{
	(void)state;
	static const struct text_case rows[] = {
		{ "Demo", "Demo" }, { " Demo", "Demo" }, { "7a", "7a" }, { "7", NULL },
		{ " 7 ", NULL },    { "-7", NULL },	 { "", NULL },
	};
	check_texts(rows, ARRAY_LEN(rows), account_name);
}

static void a_key_may_have_a_label(void **state)
{
	(void)state;
	static const struct text_case rows[] = { { NULL, "" },
						 { "deploy", "deploy" },
						 { "", NULL } };
	check_texts(rows, ARRAY_LEN(rows), key_label);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_short_text_is_trimmed_and_bounded),
		cmocka_unit_test(a_label_is_name_and_value),
		cmocka_unit_test(a_monitor_has_a_name_and_an_address),
		cmocka_unit_test(the_name_of_an_account_is_no_number),
		cmocka_unit_test(a_key_may_have_a_label),
	};
	return RUN_WITH_ARENA(tests);
}
