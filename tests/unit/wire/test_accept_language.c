#include "unit/lib/unit.h"

#include "wire/accept_language.h"

static const char *chosen(const char *header)
{
	static const char *const languages[] = { "en", "de", "fr", "pt-BR", NULL };
	return accepted_language(header, languages);
}

static void the_language_of_the_highest_weight_is_chosen(void **state)
{
	(void)state;
	assert_string_equal("de", chosen("de"));
	assert_string_equal("de", chosen("fr;q=0.8, de;q=0.9, en;q=0.1"));
	assert_string_equal("fr", chosen("sv, fr;q=0.5 ,de ; q=0.4"));
	assert_string_equal("fr", chosen("fr, de"));
	assert_string_equal("de", chosen("fr;q=0.001,de;q=0.002"));
}

static void regions_and_letter_case_do_not_matter(void **state)
{
	(void)state;
	assert_string_equal("de", chosen("de-AT"));
	assert_string_equal("pt-BR", chosen("pt"));
	assert_string_equal("pt-BR", chosen("PT-pt;q=0.3"));
}

static void without_an_accepted_language_the_first_is_chosen(void **state)
{
	(void)state;
	assert_string_equal("en", chosen(NULL));
	assert_string_equal("en", chosen(""));
	assert_string_equal("en", chosen("sv"));
	assert_string_equal("en", chosen("d, deu, -de"));
	assert_string_equal("en", chosen("de;q=0"));
	assert_string_equal("en", chosen("*, de;q=0.5"));
	assert_string_equal("de", chosen("de, *;q=0.5"));
	assert_string_equal("en", chosen("de;q=, fr;q=x, ;q=1, ,;"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_language_of_the_highest_weight_is_chosen),
		cmocka_unit_test(regions_and_letter_case_do_not_matter),
		cmocka_unit_test(without_an_accepted_language_the_first_is_chosen),
	};
	return RUN_WITH_ARENA(tests);
}
