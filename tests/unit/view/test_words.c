/* Each language has all words, in all its plural forms, and with the same values. */
#include "unit/lib/unit.h"

#include "view/words.h"

/* Counts beyond which no language's plural rule differs in kind. */
enum { COUNTS_MAX = 1000 };

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
		for (size_t sentence = 0; sentence < SENTENCES; sentence++) {
			const char *form = words->sentences[sentence][PLURAL_OTHER];
			if (!form || form[0] == '\0')
				fail_msg("%s: no words for sentence %zu", words->language,
					 sentence);
		}
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
		bool is_form[PLURALS] = { false };
		for (size_t count = 0; count < COUNTS_MAX; count++)
			is_form[words->plural_of(count)] = true;
		for (size_t sentence = 0; sentence < SENTENCES; sentence++) {
			bool is_counting = counts_something(words, sentence);
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
	words_text(words_of_service(), SAY_AS_OF, 0, WORD_VALUES({ "date", "x" }), &arena);
}

static void a_value_that_is_missing_is_a_defect(void **state)
{
	(void)state;
	assert_true(dies(say_without_a_value));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_language_has_every_word),
		cmocka_unit_test(a_counting_sentence_has_each_form_of_its_language),
		cmocka_unit_test(the_forms_of_a_sentence_have_the_same_values),
		cmocka_unit_test(a_sentence_takes_its_values_and_its_plural),
		cmocka_unit_test(html_has_the_words_escaped_and_the_values_as_they_are),
		cmocka_unit_test(a_value_that_is_missing_is_a_defect),
	};
	return RUN_WITH_ARENA(tests);
}
