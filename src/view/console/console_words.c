#include "view/console/console_words.h"

#include <stdlib.h>
#include <string.h>

#include "view/html.h"

const struct console_words console_words_english = { .language = "en" };

const struct console_words *console_words_of(const char *language)
{
	for (size_t i = 0; i < console_language_count; i++)
		if (strcmp(console_languages[i].language, language) == 0)
			return &console_languages[i];
	return &console_words_english;
}

const char *console_translation(const struct console_words *words, const char *english)
{
	const char *const *found =
		words->count > 0 ? bsearch(&english, words->translations, words->count,
					   sizeof(words->translations[0]), str_compare_texts)
				 : NULL;
	return found ? found[1] : NULL;
}

const char *console_translate(const struct console_words *words, const char *english)
{
	const char *translation = console_translation(words, english);
	return translation ? translation : english;
}

/* Returns the text in `values` for the name; NULL: `values` has no such name. */
static const char *find_value(const struct word_value *values, struct str name)
{
	for (; values && values->name; values++)
		if (str_eq(str_from(values->name), name))
			return values->text;
	return NULL;
}

void console_fill(struct buf *out, const char *sentence, const struct word_value *values,
		  bool are_html)
{
	for (const char *at = sentence; *at;) {
		const char *brace = strchr(at, '{'), *end = brace ? strchr(brace, '}') : NULL;
		if (!end) {
			buf_puts(out, at);
			return;
		}
		const struct str name = { brace + 1, (size_t)(end - brace - 1) };
		const char *value = find_value(values, name);
		buf_add(out, at, (size_t)(brace - at));
		if (are_html)
			buf_puts(out, value ? value : "");
		else
			html_text(out, value ? value : "");
		at = end + 1;
	}
}

/* Sentences are not escaped: a test checks that they have no characters that HTML escapes. */
void console_say(struct buf *out, const struct console_words *words, enum console_sentence sentence,
		 const struct word_value *values)
{
	console_fill(out, console_translate(words, console_sentences[sentence]), values, false);
}

void console_say_html(struct buf *out, const struct console_words *words,
		      enum console_sentence sentence, const struct word_value *values)
{
	console_fill(out, console_translate(words, console_sentences[sentence]), values, true);
}
