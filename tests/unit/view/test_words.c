/*
 * Each language has all words, in all its plural forms, and with the same values. With
 * DAYMARK_POT=FILE the program also writes the template of the translations, for msgmerge.
 */
#include "unit/lib/unit.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "domain/page/status_page.h"
#include "view/words/words_file.h"

/* Beyond these counts no language's plural rule differs in kind, but for millions. */
enum { COUNTS_MAX = 1000, MILLION = 1000000 };

/* The names in braces, in alphabetical order, as "a b ". */
static const char *values_of(const char *form)
{
	char names[16][32];
	size_t count = 0;
	for (const char *open = strchr(form, '{'); open; open = strchr(open + 1, '{')) {
		const char *close = strchr(open, '}');
		assert_non_null(close);
		size_t len = (size_t)(close - open - 1);
		assert_true(len > 0 && len < sizeof(names[0]) && count < ARRAY_LEN(names));
		memcpy(names[count], open + 1, len);
		names[count++][len] = '\0';
	}
	char *text = arena_strdup(&arena, "");
	while (count > 0) {
		size_t first = 0;
		for (size_t i = 1; i < count; i++)
			if (strcmp(names[i], names[first]) < 0)
				first = i;
		text = arena_printf(&arena, "%s%s ", text, names[first]);
		memmove(names[first], names[--count], sizeof(names[0]));
	}
	return text;
}

static void write_template(const char *path)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs("msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n", file);
	for (size_t sentence = 0; sentence < SENTENCES; sentence++) {
		const char *const *forms = words_tables[0]->sentences[sentence];
		fprintf(file, "\nmsgctxt \"%s\"\n", words_keys[sentence]);
		if (forms[PLURAL_ONE])
			fprintf(file, "msgid \"%s\"\nmsgid_plural \"%s\"\nmsgstr[0] \"\"\n",
				forms[PLURAL_ONE], forms[PLURAL_OTHER]);
		else
			fprintf(file, "msgid \"%s\"\nmsgstr \"\"\n", forms[PLURAL_OTHER]);
	}
	assert_int_equal(fclose(file), 0);
}

static void every_language_has_every_word(void **state)
{
	(void)state;
	assert_true(words_table_count > 0);
	for (size_t i = 0; i < words_table_count; i++) {
		const struct words *words = words_tables[i];
		assert_true(strlen(words->language) >= 2);
		for (size_t month = 0; month < 12; month++) {
			assert_non_null(words->months[month]);
			assert_non_null(words->short_months[month]);
			/* They are values of HTML sentences. */
			assert_null(strpbrk(words->months[month], "<>&\"'"));
			assert_null(strpbrk(words->short_months[month], "<>&\"'"));
		}
		for (size_t day = 0; day < 7; day++) {
			assert_non_null(words->weekdays[day]);
			assert_null(strpbrk(words->weekdays[day], "<>&\"'"));
		}
		for (size_t sentence = 0; sentence < SENTENCES; sentence++) {
			const char *form = words->sentences[sentence][PLURAL_OTHER];
			if (!form || form[0] == '\0')
				fail_msg("%s: no words for sentence %zu", words->language,
					 sentence);
		}
	}
}

static void each_language_of_pages_has_its_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < words_table_count; i++) {
		const struct words *words = words_tables[i];
		assert_string_equal(words->language, status_page_languages[i]);
		assert_ptr_equal(words_of_language(words->language), words);
		assert_true(strcmp(words->direction, "ltr") == 0 ||
			    strcmp(words->direction, "rtl") == 0);
		assert_true(strlen(words->decimal_point) > 0);
	}
	assert_null(status_page_languages[words_table_count]);
	assert_ptr_equal(words_of_language("xx"), words_of_service());
	assert_ptr_equal(words_of_language(NULL), words_of_service());
}

/* CLDR 42, language plural rules. */
static void plurals_are_those_of_the_language(void **state)
{
	(void)state;
	static const struct {
		const char *language;
		size_t count;
		enum plural plural;
	} rows[] = {
		{ "en", 0, PLURAL_OTHER },
		{ "en", 1, PLURAL_ONE },
		{ "en", MILLION, PLURAL_OTHER },
		{ "de", 0, PLURAL_OTHER },
		{ "de", 1, PLURAL_ONE },
		{ "de", 2, PLURAL_OTHER },
		{ "fr", 0, PLURAL_ONE },
		{ "fr", 1, PLURAL_ONE },
		{ "fr", 2, PLURAL_OTHER },
		{ "fr", MILLION, PLURAL_MANY },
		{ "fr", MILLION + 1, PLURAL_OTHER },
		{ "es", 0, PLURAL_OTHER },
		{ "es", 1, PLURAL_ONE },
		{ "es", 2, PLURAL_OTHER },
		{ "es", 3 * MILLION, PLURAL_MANY },
		{ "es", MILLION + 1, PLURAL_OTHER },
		{ "it", 0, PLURAL_OTHER },
		{ "it", 1, PLURAL_ONE },
		{ "it", MILLION, PLURAL_MANY },
		{ "nl", 0, PLURAL_OTHER },
		{ "nl", 1, PLURAL_ONE },
		{ "pt-BR", 0, PLURAL_ONE },
		{ "pt-BR", 1, PLURAL_ONE },
		{ "pt-BR", 2, PLURAL_OTHER },
		{ "pt-BR", 2 * MILLION, PLURAL_MANY },
		{ "pl", 0, PLURAL_MANY },
		{ "pl", 1, PLURAL_ONE },
		{ "pl", 5, PLURAL_MANY },
		{ "pl", 12, PLURAL_MANY },
		{ "pl", 14, PLURAL_MANY },
		{ "pl", 21, PLURAL_MANY },
		{ "pl", 22, PLURAL_FEW },
		{ "pl", 112, PLURAL_MANY },
		{ "pl", 122, PLURAL_FEW },
		{ "ja", 1, PLURAL_OTHER },
		{ "ja", MILLION, PLURAL_OTHER },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (words_of_language(rows[i].language)->plural_of(rows[i].count) != rows[i].plural)
			fail_msg("row %zu", i);
}

/* CLDR 42 for the counts to 200, as its rules are printed: i is the count, and is never a fraction.
 */
static enum plural cldr_of(const char *language, size_t i)
{
	bool is_polish = strcmp(language, "pl") == 0;
	bool is_few = i % 10 >= 2 && i % 10 <= 4 && !(i % 100 >= 12 && i % 100 <= 14);
	bool is_many = (i != 1 && i % 10 <= 1) || (i % 10 >= 5 && i % 10 <= 9) ||
		       (i % 100 >= 12 && i % 100 <= 14);
	if (strcmp(language, "ja") == 0)
		return PLURAL_OTHER;
	if (i == 0 && (strcmp(language, "fr") == 0 || strcmp(language, "pt-BR") == 0))
		return PLURAL_ONE;
	if (i == 1)
		return PLURAL_ONE;
	return is_polish && is_few ? PLURAL_FEW : is_polish && is_many ? PLURAL_MANY : PLURAL_OTHER;
}

static void the_counts_to_200_have_the_plurals_of_cldr(void **state)
{
	(void)state;
	for (size_t i = 0; i < words_table_count; i++)
		for (size_t count = 0; count <= 200; count++)
			if (words_tables[i]->plural_of(count) !=
			    cldr_of(words_tables[i]->language, count))
				fail_msg("%s: %zu", words_tables[i]->language, count);
}

/* Whether there is a blank between two letters: single words may be the same in two languages. */
static bool has_several_words(const char *form)
{
	bool is_value = false;
	for (; *form; form++) {
		if (*form == '{' || *form == '}')
			is_value = *form == '{';
		if (!is_value && isalpha((unsigned char)form[0]) && form[1] == ' ' &&
		    isalpha((unsigned char)form[2]))
			return true;
	}
	return false;
}

static void no_sentence_is_left_in_english(void **state)
{
	(void)state;
	for (size_t i = 1; i < words_table_count; i++)
		for (size_t sentence = 0; sentence < SENTENCES; sentence++) {
			const char *english = words_say(words_tables[0], (enum sentence)sentence);
			const char *form = words_say(words_tables[i], (enum sentence)sentence);
			if (has_several_words(english) && strcmp(english, form) == 0)
				fail_msg("%s: sentence %zu is '%s'", words_tables[i]->language,
					 sentence, form);
		}
}

static void words_are_written_as_their_language_is(void **state)
{
	(void)state;
	for (size_t i = 0; i < words_table_count; i++)
		for (size_t sentence = 0; sentence < SENTENCES; sentence++)
			for (int plural = 0; plural < PLURALS; plural++) {
				const char *form = words_tables[i]->sentences[sentence][plural];
				if (!form)
					continue;
				assert_true(str_is_text(str_from(form)));
				assert_int_equal(str_trim(str_from(form)).len, strlen(form));
				/* French has a narrow space before a colon, which no line ends in.
				 */
				if (strcmp(words_tables[i]->language, "fr") == 0)
					for (const char *c = strchr(form, ':'); c && c > form;
					     c = strchr(c + 1, ':'))
						assert_true(c[-1] != ' ' &&
							    (c[-1] == '}' || c[-1] == '\xa0'));
			}
}

static bool counts_something(const struct words *words, size_t sentence)
{
	for (int plural = PLURAL_OTHER + 1; plural < PLURALS; plural++)
		if (words->sentences[sentence][plural])
			return true;
	return false;
}

static void a_counting_sentence_has_each_form_of_its_language(void **state)
{
	(void)state;
	for (size_t i = 0; i < words_table_count; i++) {
		const struct words *words = words_tables[i];
		bool is_form[PLURALS] = { false }, has_plurals = false;
		for (size_t count = 0; count < COUNTS_MAX; count++)
			is_form[words->plural_of(count)] = true;
		is_form[words->plural_of(MILLION)] = true;
		for (int plural = PLURAL_OTHER + 1; plural < PLURALS; plural++)
			has_plurals |= is_form[plural];
		for (size_t sentence = 0; sentence < SENTENCES; sentence++) {
			bool is_counting = counts_something(words, sentence);
			if (is_counting !=
			    (has_plurals && counts_something(words_tables[0], sentence)))
				fail_msg("%s: sentence %zu counts, or does not", words->language,
					 sentence);
			for (int plural = PLURAL_OTHER + 1; plural < PLURALS; plural++)
				if ((is_counting && is_form[plural]) !=
				    (words->sentences[sentence][plural] != NULL))
					fail_msg("%s: form %d of sentence %zu", words->language,
						 plural, sentence);
		}
	}
}

static void the_forms_of_a_sentence_have_the_same_values(void **state)
{
	(void)state;
	for (size_t i = 0; i < words_table_count; i++)
		for (size_t sentence = 0; sentence < SENTENCES; sentence++) {
			const char *wanted =
				values_of(words_tables[0]->sentences[sentence][PLURAL_OTHER]);
			for (int plural = 0; plural < PLURALS; plural++) {
				const char *form = words_tables[i]->sentences[sentence][plural];
				if (form)
					assert_string_equal(wanted, values_of(form));
			}
		}
}

static void a_sentence_takes_its_values_and_its_plural(void **state)
{
	(void)state;
	const struct words *words = words_of_service();
	assert_string_equal("1 of 5 systems is affected.",
			    words_text(words, SAY_SYSTEMS_AFFECTED, 1,
				       WORD_VALUES({ "count", "1" }, { "total", "5" }), &arena));
	assert_string_equal("2 of 5 systems are affected.",
			    words_text(words, SAY_SYSTEMS_AFFECTED, 2,
				       WORD_VALUES({ "total", "5" }, { "count", "2" }), &arena));
	/* A value is not searched for the names of others. */
	assert_string_equal("{title}: {x}",
			    words_text(words, SAY_MONITOR_AND_TITLE, 0,
				       WORD_VALUES({ "monitor", "{title}" }, { "title", "{x}" }),
				       &arena));
}

static void html_has_the_words_escaped_and_the_values_as_they_are(void **state)
{
	(void)state;
	struct buf out = BUF_INIT(1000);
	words_html(&out, words_of_service(), SAY_REQUEST_IN_LOG, 0,
		   WORD_VALUES({ "id", "<b>7</b>" }));
	assert_string_equal("The service&#39;s log has this request as <b>7</b>.", out.data);
	buf_done(&out);
}

static void say_without_a_value(void)
{
	words_text(words_of_service(), SAY_LAST_CHANGE, 0, WORD_VALUES({ "date", "x" }), &arena);
}

static void a_value_that_is_missing_is_a_defect(void **state)
{
	(void)state;
	assert_true(dies(say_without_a_value));
}

int main(void)
{
	const char *template = getenv("DAYMARK_POT");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_language_has_every_word),
		cmocka_unit_test(each_language_of_pages_has_its_words),
		cmocka_unit_test(plurals_are_those_of_the_language),
		cmocka_unit_test(the_counts_to_200_have_the_plurals_of_cldr),
		cmocka_unit_test(no_sentence_is_left_in_english),
		cmocka_unit_test(words_are_written_as_their_language_is),
		cmocka_unit_test(a_counting_sentence_has_each_form_of_its_language),
		cmocka_unit_test(the_forms_of_a_sentence_have_the_same_values),
		cmocka_unit_test(a_sentence_takes_its_values_and_its_plural),
		cmocka_unit_test(html_has_the_words_escaped_and_the_values_as_they_are),
		cmocka_unit_test(a_value_that_is_missing_is_a_defect),
	};
	if (template)
		write_template(template);
	return RUN_WITH_ARENA(tests);
}
