/* The operator's own sentences: the file of the setting words_file. */
#include "unit/lib/unit.h"

#include <stdlib.h>
#include <unistd.h>

#include "unit/view/samples.h"
#include "view/page.h"
#include "view/words/words_file.h"

static char path[] = "/tmp/daymark-words.XXXXXX";

static enum result load(const char *text, struct error *error)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(0, fclose(file));
	*error = (struct error){ 0 };
	return words_file_load(path, error);
}

static const char *down(const char *language, size_t count)
{
	return words_text(words_of_language(language), SAY_ARE_DOWN, count,
			  WORD_VALUES({ "systems", "X" }), &arena);
}

static void a_key_is_that_of_its_sentence(void **state)
{
	(void)state;
	assert_string_equal("no_systems", words_keys[0]);
	assert_string_equal("all_down", words_keys[SAY_ALL_DOWN]);
	assert_string_equal("400_text", words_keys[SAY_400_TEXT]);
	for (size_t i = 0; i < SENTENCES; i++)
		assert_non_null(words_keys[i]);
}

static void sentences_are_replaced_until_the_next_file(void **state)
{
	struct error error;
	char first[WORDS_FILE_ID_CHARS + 1];
	(void)state;
	assert_string_equal("", words_file_id());
	assert_int_equal(OK, load("# ours\n\n[en]\nall_down = Everything is = out\n"
				  "are_down.one={systems} is out\n[pl]\r\n are_down = - {systems}",
				  &error));
	assert_string_equal("Everything is = out", words_say(words_of_service(), SAY_ALL_DOWN));
	assert_string_equal("X is out", down("en", 1));
	assert_string_equal("X are down", down("en", 2));
	assert_string_equal("- X", down("pl", 1));
	assert_string_equal("- X", down("pl", 2));
	assert_string_equal("X ist ausgefallen", down("de", 1));
	assert_int_equal(WORDS_FILE_ID_CHARS, strlen(words_file_id()));
	memcpy(first, words_file_id(), sizeof(first));
	assert_int_equal(OK, load("[en]\nall_down = All out\n", &error));
	assert_string_not_equal(first, words_file_id());
	assert_string_equal("X is down", down("en", 1));
	assert_int_equal(OK, words_file_load(NULL, &error));
	assert_string_equal("All systems are down", words_say(words_of_service(), SAY_ALL_DOWN));
	assert_string_equal("", words_file_id());
}

static void a_wrong_line_is_named_and_changes_nothing(void **state)
{
	static const struct {
		const char *text, *fault;
	} rows[] = {
		{ "down = Out\n", ":1: down: stands before a language" },
		{ "[en]\ndwon = Out\n", ":2: dwon: no sentence has this key" },
		{ "[en]\n\n[xx]\n", ":3: [xx]: no page can have this language" },
		{ "[en]\ndown\n", ":2: down: not a `key = text` line" },
		{ "[en]\ndown =\n", ":2: down: needs a text" },
		{ "[en]\ndown.few = Out\n", ":2: down.few: the sentence has no such form" },
		{ "[en]\ndown.some = Out\n", ":2: down.some: the sentence has no such form" },
		{ "[en]\nare_down = Out\n", ":2: are_down: needs the values in braces" },
		{ "[en]\nare_down = {system}\n", ":2: are_down: needs the values in braces" },
		{ "[en]\nare_down = {systems} {systems}\n", ":2: are_down: needs the values" },
		{ "[en]\ndown = Out {\n", ":2: down: needs the values in braces" },
		{ "[en]\ntime_of_day_short = {hour}|{minute}\n", "cannot have $ or |" },
		{ "[en]\ntime_of_day_short = {hour}<{minute}\n", "cannot have <, >" },
		{ "[en]\ntime_of_day_short = {hour}:{minute} "
		  "ooooooooooooooooooooooooooooooooooooooooooo"
		  "oooooooooooooooooooooooooooooooooooooooooooooooooooo\n",
		  "at most 100 bytes" },
		{ "[en]\ndown = \xff\n", "is not UTF-8" },
	};
	struct error error;
	(void)state;
	assert_int_equal(OK, load("[en]\nall_down = All out\n", &error));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(E_INVALID, load(rows[i].text, &error));
		if (!strstr(error.client, rows[i].fault) || !strstr(error.client, path))
			fail_msg("row %zu: %s", i, error.client);
		assert_string_equal("All out", words_say(words_of_service(), SAY_ALL_DOWN));
	}
	assert_int_equal(E_INVALID, words_file_load("/nonexistent", &error));
	assert_non_null(strstr(error.client, "words_file: /nonexistent: No such file"));
	assert_int_equal(OK, words_file_load(NULL, &error));
}

static void a_text_has_at_most_500_bytes(void **state)
{
	struct error error;
	char text[WORDS_FILE_TEXT_MAX + 2];
	(void)state;
	memset(text, 'x', sizeof(text));
	text[WORDS_FILE_TEXT_MAX + 1] = '\0';
	assert_int_equal(E_INVALID, load(arena_printf(&arena, "[en]\ndown=%s\n", text), &error));
	text[WORDS_FILE_TEXT_MAX] = '\0';
	assert_int_equal(OK, load(arena_printf(&arena, "[en]\ndown=%s\n", text), &error));
	assert_int_equal(OK, words_file_load(NULL, &error));
}

/* Every sentence, but those about times, gets an element at its end. */
static void load_elements(void)
{
	struct error error;
	struct buf text CLEANUP(buf_done) = BUF_INIT(WORDS_FILE_MAX_BYTES);
	buf_puts(&text, "[en]\n");
	for (size_t i = 0; i < SENTENCES; i++)
		if (i < SAY_TIME || i > SAY_DURATION_SECONDS)
			buf_printf(&text, "%s = %s <x> \"&\n", words_keys[i],
				   words_say(words_tables[0], (enum sentence)i));
	assert_int_equal(OK, load(text.data, &error));
}

static void print_all(struct buf *out, const struct page_snapshot *snapshot)
{
	page_html(out, snapshot, &arena);
	page_badge(out, snapshot, &arena);
	page_feed_html(out, snapshot, &arena);
	page_error(out, snapshot, &arena);
	for (size_t i = 0; i < snapshot->month_count; i++)
		page_history(out, snapshot, i, &arena);
	for (size_t i = 0; i < snapshot->incident_count; i++)
		page_incident(out, snapshot, &snapshot->incidents[i], &arena);
	assert_true(buf_ok(out));
}

static void html_in_a_sentence_is_escaped_in_all_places(void **state)
{
	struct error error;
	(void)state;
	load_elements();
	for (size_t i = 0; i < sample_count; i++) {
		struct buf out CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
		struct page_snapshot snapshot = samples[i].make(&arena);
		print_all(&out, &snapshot);
		const char *at = strstr(out.data, "<x>");
		if (at)
			fail_msg("%s: %.200s", samples[i].name,
				 at - out.data > 120 ? at - 120 : out.data);
		assert_non_null(strstr(out.data, "&lt;x&gt; &quot;&amp;"));
		arena_reset(&arena);
	}
	assert_int_equal(OK, words_file_load(NULL, &error));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_key_is_that_of_its_sentence),
		cmocka_unit_test(sentences_are_replaced_until_the_next_file),
		cmocka_unit_test(a_wrong_line_is_named_and_changes_nothing),
		cmocka_unit_test(a_text_has_at_most_500_bytes),
		cmocka_unit_test(html_in_a_sentence_is_escaped_in_all_places),
	};
	int fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	int failed = RUN_WITH_ARENA(tests);
	unlink(path);
	return failed;
}
