#include "view/markdown.h"

#include <cmark.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "view/html.h"

/* DEPTH_MAX is the maximum depth of nested blocks. Without it, HTML could be ten times as long as
 * its text: a nested block has two bytes in the text, but twenty in the HTML. */
enum { DEPTH_MAX = 16, HEADING_LEVELS = 6 };

/*
 * The HTML of a text may be GROWTH_MAX times as long as the text, plus GROWTH_FREE_BYTES. The HTML
 * of quotation marks (&quot;) is six times as long. Without the limit, the HTML of a text with many
 * references to one long link could be a hundred times as long.
 */
enum { GROWTH_MAX = 6, GROWTH_FREE_BYTES = 2048 };

/* Parses the text. If memory runs out, cmark ends the process, as an arena does. */
static cmark_node *parse(const char *text)
{
	return cmark_parse_document(text, strlen(text), CMARK_OPT_DEFAULT);
}

/* Returns whether cmark reports no EXIT event for the node. */
static bool is_leaf(cmark_node *node)
{
	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_HTML_BLOCK:
	case CMARK_NODE_THEMATIC_BREAK:
	case CMARK_NODE_CODE_BLOCK:
	case CMARK_NODE_TEXT:
	case CMARK_NODE_SOFTBREAK:
	case CMARK_NODE_LINEBREAK:
	case CMARK_NODE_CODE:
	case CMARK_NODE_HTML_INLINE:
		return true;
	default:
		return false;
	}
}

static bool is_too_deep(cmark_node *document)
{
	cmark_iter *at = cmark_iter_new(document);
	size_t depth = 0, deepest = 0;
	for (cmark_event_type event; (event = cmark_iter_next(at)) != CMARK_EVENT_DONE;) {
		if (event == CMARK_EVENT_EXIT)
			depth--;
		else if (!is_leaf(cmark_iter_get_node(at)) && ++depth > deepest)
			deepest = depth;
	}
	cmark_iter_free(at);
	return deepest > DEPTH_MAX;
}

static bool is_inside_link(cmark_node *node)
{
	for (node = cmark_node_parent(node); node; node = cmark_node_parent(node))
		if (cmark_node_get_type(node) == CMARK_NODE_LINK)
			return true;
	return false;
}

static cmark_node *new_text(const char *words)
{
	cmark_node *text = cmark_node_new(CMARK_NODE_TEXT);
	cmark_node_set_literal(text, words);
	return text;
}

/* Replaces a link by its words if its scheme is not allowed, and an image by a link. */
static void settle_link(cmark_node *node)
{
	bool is_image = cmark_node_get_type(node) == CMARK_NODE_IMAGE;
	const char *url = cmark_node_get_url(node);
	bool is_kept = url && html_is_safe_url(url);
	if (is_kept && !is_image)
		return;
	cmark_node *link = NULL;
	if (is_kept && !is_inside_link(node)) {
		link = cmark_node_new(CMARK_NODE_LINK);
		cmark_node_set_url(link, url);
		cmark_node_insert_before(node, link);
		if (!cmark_node_first_child(node))
			cmark_node_append_child(link, new_text(url));
	}
	for (cmark_node *word; (word = cmark_node_first_child(node));)
		if (link)
			cmark_node_append_child(link, word);
		else
			cmark_node_insert_before(node, word);
	cmark_node_unlink(node);
	cmark_node_free(node);
}

static void show_raw_html(cmark_node *node)
{
	cmark_node *text = new_text(cmark_node_get_literal(node));
	if (cmark_node_get_type(node) == CMARK_NODE_HTML_BLOCK) {
		cmark_node *paragraph = cmark_node_new(CMARK_NODE_PARAGRAPH);
		cmark_node_append_child(paragraph, text);
		text = paragraph;
	}
	cmark_node_replace(node, text);
	cmark_node_free(node);
}

/* The levels of the last heading and of the headings that contain it, outermost first. */
struct headings {
	int levels[HEADING_LEVELS];
	int count;
};

/* Changes the heading's level so that no level is skipped. */
static void settle_heading(cmark_node *node, struct headings *open, int first_level)
{
	int level = cmark_node_get_heading_level(node);
	while (open->count > 0 && open->levels[open->count - 1] >= level)
		open->count--;
	open->levels[open->count++] = level;
	level = first_level + open->count - 1;
	cmark_node_set_heading_level(node, level < HEADING_LEVELS ? level : HEADING_LEVELS);
}

static void settle(cmark_node *document, int heading_level)
{
	struct headings headings = { .count = 0 };
	cmark_iter *at = cmark_iter_new(document);
	for (cmark_event_type event; (event = cmark_iter_next(at)) != CMARK_EVENT_DONE;) {
		cmark_node *node = cmark_iter_get_node(at);
		/* cmark allows changes of a node only at its EXIT event, or at the only event of a
		 * leaf. */
		if (event != CMARK_EVENT_EXIT && !is_leaf(node))
			continue;
		switch (cmark_node_get_type(node)) {
		case CMARK_NODE_LINK:
		case CMARK_NODE_IMAGE:
			settle_link(node);
			break;
		case CMARK_NODE_HTML_BLOCK:
		case CMARK_NODE_HTML_INLINE:
			show_raw_html(node);
			break;
		case CMARK_NODE_HEADING:
			settle_heading(node, &headings, heading_level);
			break;
		default:
			break;
		}
	}
	cmark_iter_free(at);
}

/* Renders the document as HTML, which the caller frees. NULL: the HTML is too long. */
static char *render(cmark_node *document, size_t text_len, int heading_level)
{
	settle(document, heading_level);
	char *html = cmark_render_html(document, CMARK_OPT_DEFAULT);
	if (strlen(html) <= GROWTH_MAX * text_len + GROWTH_FREE_BYTES)
		return html;
	free(html);
	return NULL;
}

void markdown_html(struct buf *out, const char *text, int heading_level)
{
	cmark_node *document = parse(text);
	char *html = is_too_deep(document) ? NULL : render(document, strlen(text), heading_level);
	if (html) {
		html_clean(out, html);
	} else {
		buf_puts(out, "<p>");
		html_text(out, text);
		buf_puts(out, "</p>\n");
	}
	free(html);
	cmark_node_free(document);
}

/* Returns the text of the node, or " " for a node that separates words. */
static const char *words_of(cmark_node *node)
{
	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_TEXT:
	case CMARK_NODE_CODE:
	case CMARK_NODE_CODE_BLOCK:
	case CMARK_NODE_HTML_BLOCK:
	case CMARK_NODE_HTML_INLINE:
		return cmark_node_get_literal(node);
	case CMARK_NODE_EMPH:
	case CMARK_NODE_STRONG:
	case CMARK_NODE_LINK:
	case CMARK_NODE_IMAGE:
		return "";
	default:
		return " ";
	}
}

/* Appends the words, with one space between words. */
static void add_words(struct buf *line, const char *words)
{
	for (; *words; words++) {
		bool is_blank = (unsigned char)*words <= ' ';
		if (!is_blank)
			buf_putc(line, *words);
		else if (line->len > 0 && line->data[line->len - 1] != ' ')
			buf_putc(line, ' ');
	}
}

/* Returns the offset in bytes of the end of the first `max` characters. */
static size_t end_of_chars(struct str text, size_t max)
{
	size_t at = 0;
	for (size_t count = 0; at < text.len && count < max; count++)
		at += str_char_len(text.data + at);
	return at;
}

const char *markdown_plain(const char *text, size_t max_chars, struct arena *arena)
{
	enum { LINE_MAX_BYTES = 1 << 20 };
	struct buf line CLEANUP(buf_done) = BUF_INIT(LINE_MAX_BYTES);
	cmark_node *document = parse(text);
	cmark_iter *at = cmark_iter_new(document);
	/* Stop when `line` has at least max_chars characters: each has at most four bytes. */
	while (line.len <= 4 * max_chars && cmark_iter_next(at) != CMARK_EVENT_DONE)
		add_words(&line, words_of(cmark_iter_get_node(at)));
	cmark_iter_free(at);
	cmark_node_free(document);
	struct buf clean CLEANUP(buf_done) = BUF_INIT(3 * LINE_MAX_BYTES);
	html_clean(&clean, line.data ? line.data : "");
	while (clean.len > 0 && clean.data[clean.len - 1] == ' ')
		clean.len--;
	struct str words = { clean.data ? clean.data : "", clean.len };
	size_t end = end_of_chars(words, max_chars);
	bool is_cut = end < words.len;
	while (end > 0 && words.data[end - 1] == ' ')
		end--;
	const char *shown = arena_strndup(arena, words.data, end);
	return is_cut ? arena_printf(arena, "%s…", shown) : shown;
}
