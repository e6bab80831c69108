#include "view/page/page_search.h"

#include "base/bidi.h"
#include "view/html.h"
#include "view/page.h"
#include "view/page/page_error.h"

/* Returns whether the title has the word. Makes no copy: a history may have many titles. */
static bool has_word(struct str title, struct str word)
{
	for (size_t i = 0; i + word.len <= title.len; i++)
		if (str_eq_nocase((struct str){ title.data + i, word.len }, word))
			return true;
	return false;
}

static bool has_words(struct str title, struct str words)
{
	struct str word;
	while (str_split(&words, ' ', &word))
		if (!has_word(title, word))
			return false;
	return true;
}

static void put_found(struct buf *out, struct str path, struct str date, struct str title,
		      struct arena *arena)
{
	const char *name = arena_strndup(arena, title.data, title.len);
	buf_puts(out, "<li><a dir=\"auto\" href=\"./");
	html_attr(out, arena_strndup(arena, path.data, path.len));
	buf_puts(out, "\">");
	html_text(out, bidi_closed(name, arena));
	buf_puts(out, "</a> <span class=\"meta\">");
	html_text(out, arena_strndup(arena, date.data, date.len));
	buf_puts(out, "</span></li>\n");
}

/* Appends the titles that contain all wanted words. Returns their number. */
static size_t put_titles(struct buf *out, const struct page_search *search, struct arena *arena)
{
	struct str rest = search->titles, line, path, date;
	struct str words = str_trim(str_from(search->wanted));
	size_t count = 0;
	while (count < PAGE_SEARCH_SHOWN_MAX && str_split(&rest, '\n', &line)) {
		if (!str_split(&line, '\t', &path) || !str_split(&line, '\t', &date) ||
		    !line.data || !has_words(line, words))
			continue;
		buf_puts(out, count++ == 0 ? "<ul class=\"card later\">\n" : "");
		put_found(out, path, date, line, arena);
	}
	buf_puts(out, count > 0 ? "</ul>\n" : "");
	return count;
}

static void put_form(struct buf *out, const struct page_search *search)
{
	buf_puts(out, "<form class=\"find\" role=\"search\"><input type=\"search\" name=\"q\" "
		      "aria-label=\"");
	words_put(out, search->words, SAY_WORDS_OF_TITLE);
	buf_printf(out, "\" maxlength=\"%d\" required value=\"", PAGE_SEARCH_MAX_CHARS);
	html_attr(out, search->wanted ? search->wanted : "");
	buf_puts(out, "\"><button>");
	words_put(out, search->words, SAY_SEARCH);
	buf_puts(out, "</button></form>\n");
}

static void put_results(struct buf *out, const struct page_search *search, struct arena *arena)
{
	size_t count = put_titles(out, search, arena);
	if (count > 0 && count < PAGE_SEARCH_SHOWN_MAX)
		return;
	buf_puts(out, "<p>");
	words_html(out, search->words, count > 0 ? SAY_NEWEST_FOUND : SAY_NOTHING_FOUND, 0,
		   WORD_VALUES({ "count", arena_printf(arena, "%zu", count) }));
	buf_puts(out, "</p>\n");
}

void page_search(struct buf *html, const struct page_search *search, struct arena *arena)
{
	struct buf content CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	put_form(&content, search);
	if (search->wanted)
		put_results(&content, search, arena);
	html->is_failed |= !buf_ok(&content);
	page_error_replace(html,
			   &(struct page_error_content){
				   .root = search->root,
				   .words = search->words,
				   .heading = words_say(search->words, SAY_SEARCH_HISTORY),
				   .html = { content.data ? content.data : "", content.len } });
}
