#include "view/words/words.h"

#include <string.h>

#include "base/log.h"
#include "base/str.h"

const char *words_say(const struct words *words, enum sentence sentence)
{
	return words->sentences[sentence][PLURAL_OTHER];
}

static const char *form_of(const struct words *words, enum sentence sentence, size_t count)
{
	const char *form = words->sentences[sentence][words->plural_of(count)];
	return form ? form : words_say(words, sentence);
}

static const char *value_of(const struct word_value *values, struct str name)
{
	for (; values && values->name; values++)
		if (str_eq(str_from(values->name), name))
			return values->text;
	die("words: no value for {%.*s}", (int)name.len, name.data);
}

typedef void put_words(struct buf *out, struct str words);

static void put_plain(struct buf *out, struct str words)
{
	buf_add(out, words.data, words.len);
}

static const char *reference_of(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

static void put_escaped(struct buf *out, struct str words)
{
	size_t from = 0;
	for (size_t i = 0; i < words.len; i++) {
		const char *reference = reference_of(words.data[i]);
		if (!reference)
			continue;
		buf_add(out, words.data + from, i - from);
		buf_puts(out, reference);
		from = i + 1;
	}
	buf_add(out, words.data + from, words.len - from);
}

static void fill_in(struct buf *out, const char *form, const struct word_value *values,
		    put_words *put)
{
	for (;;) {
		const char *open = strchr(form, '{');
		const char *close = open ? strchr(open, '}') : NULL;
		if (!close)
			break;
		put(out, (struct str){ form, (size_t)(open - form) });
		buf_puts(out,
			 value_of(values, (struct str){ open + 1, (size_t)(close - open - 1) }));
		form = close + 1;
	}
	put(out, str_from(form));
}

const char *words_text(const struct words *words, enum sentence sentence, size_t count,
		       const struct word_value *values, struct arena *arena)
{
	enum { TEXT_MAX_BYTES = 64 * 1024 };
	struct buf text CLEANUP(buf_done) = BUF_INIT(TEXT_MAX_BYTES);
	fill_in(&text, form_of(words, sentence, count), values, put_plain);
	if (!buf_ok(&text))
		die("words: out of memory");
	return arena_strndup(arena, text.data, text.len);
}

void words_html(struct buf *out, const struct words *words, enum sentence sentence, size_t count,
		const struct word_value *values)
{
	fill_in(out, form_of(words, sentence, count), values, put_escaped);
}

void words_put(struct buf *out, const struct words *words, enum sentence sentence)
{
	put_escaped(out, str_from(words_say(words, sentence)));
}

void words_put_element(struct buf *out, const struct words *words, const char *element,
		       enum sentence sentence)
{
	buf_printf(out, "<%s>", element);
	words_put(out, words, sentence);
	buf_printf(out, "</%s>\n", element);
}
