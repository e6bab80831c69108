#include "view/page/page_error.h"

#include <string.h>

#include "view/html.h"
#include "view/page.h"
#include "view/page/page_parts.h"
#include "view/page/page_text.h"
#include "view/service_html.h"

/* Texts of people cannot contain these strings, because angle brackets in them are escaped. */
static const char title_opening[] = "<title>";
static const char main_opening[] = "<main id=\"main\">\n<h2>", main_end[] = "<p class=\"back\">";

/* Appends a link to the feed, which the web server sends even while the program does not run. */
static void put_feed(const struct page_view *view, const char *root)
{
	buf_puts(view->out, "<p>");
	page_say(view, SAY_SUBSCRIBE_LATER);
	buf_printf(view->out, " <a href=\"%sfeed.html\">", root);
	page_say(view, SAY_FEED);
	buf_puts(view->out, "</a></p>\n");
}

/* Appends the error page. Its links begin with `root`. */
static void put_error(struct page_view *view, const char *root, enum sentence heading,
		      enum sentence text)
{
	const struct status_page *page = &view->snapshot->page;
	struct locale locale = locale_of_page(page);
	view->locale = &locale;
	view->root = root;
	page_put_head(view, &(struct page_head){ .part = words_say(locale.words, heading),
						 .is_error = true });
	page_put_header(view, false);
	buf_puts(view->out, main_opening);
	page_say(view, heading);
	page_say_in(view, "</h2>\n<p>", text, "</p>\n");
	if (text == SAY_503_TEXT && view->snapshot->takes_subscribers)
		put_feed(view, root);
	buf_printf(view->out, "%s<a href=\"%s\">", main_end, root);
	page_say(view, SAY_CURRENT_STATE);
	buf_puts(view->out, "</a></p>\n</main>\n</body>\n</html>\n");
}

void page_error(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	struct page_view view = { .out = out, .snapshot = snapshot, .arena = arena };
	put_error(&view, "./", SAY_NO_SUCH_PAGE, SAY_PAGE_MAY_HAVE_MOVED);
}

/* Returns the address of the page for links that work at any depth: the absolute path. For a page
 * with its own domain, returns the whole URL, because the installation's domain also serves the
 * file. */
static const char *address_of(const struct page_snapshot *snapshot, struct arena *arena)
{
	struct buf escaped CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	const char *host = strstr(snapshot->url, "://");
	const char *path = host ? strchr(host + strlen("://"), '/') : NULL;
	html_attr(&escaped, path && path[1] != '\0' ? path : snapshot->url);
	return arena_strndup(arena, escaped.data ? escaped.data : "", escaped.len);
}

void page_error_away(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	struct page_view view = { .out = out, .snapshot = snapshot, .arena = arena };
	put_error(&view, address_of(snapshot, arena), SAY_503, SAY_503_TEXT);
}

void page_error_refused(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	struct page_view view = { .out = out, .snapshot = snapshot, .arena = arena };
	put_error(&view, address_of(snapshot, arena), SAY_405, SAY_413_TEXT);
}

bool page_is_error_file(const char *name)
{
	return strcmp(name, PAGE_ERROR_FILE) == 0 || strcmp(name, PAGE_AWAY_FILE) == 0 ||
	       strcmp(name, PAGE_REFUSED_FILE) == 0;
}

/* Moves the beginning of *text, up to and including `mark`, to `out`. Returns false, and moves
 * nothing, if *text does not contain `mark`. */
static bool put_until(struct buf *out, struct str *text, const char *mark)
{
	const char *found = strstr(text->data, mark);
	size_t len = found ? (size_t)(found - text->data) + strlen(mark) : 0;
	buf_add(out, text->data, len);
	*text = str_skip(*text, len);
	return found;
}

static void put_content(struct buf *html, const struct page_error_content *content)
{
	struct buf old CLEANUP(buf_done) = page_text_take(html);
	struct buf sentence CLEANUP(buf_done) = BUF_INIT(1024);
	struct str text = { old.data ? old.data : "", old.len };
	words_put(&sentence, content->words, SAY_NO_SUCH_PAGE);
	if (put_until(html, &text, title_opening) &&
	    str_starts(text, (struct str){ sentence.data, sentence.len })) {
		html_text(html, content->heading);
		text = str_skip(text, sentence.len);
	}
	if (put_until(html, &text, main_opening)) {
		html_text(html, content->heading);
		buf_puts(html, "</h2>\n");
		buf_add(html, content->html.data, content->html.len);
		const char *end = strstr(text.data, main_end);
		text = str_skip(text, end ? (size_t)(end - text.data) : 0);
	}
	buf_add(html, text.data, text.len);
}

static void set_root(struct buf *html, const char *root)
{
	static const char here[] = "=\"./";
	struct buf old CLEANUP(buf_done) = page_text_take(html);
	struct str text = { old.data ? old.data : "", old.len };
	while (put_until(html, &text, here)) {
		html->len -= strlen("./");
		html_attr(html, root);
	}
	buf_add(html, text.data, text.len);
}

void page_error_replace(struct buf *html, const struct page_error_content *content)
{
	put_content(html, content);
	set_root(html, content->root);
}

void page_error_adapt(struct buf *html, const struct page_error *error)
{
	struct buf failure CLEANUP(buf_done) = BUF_INIT(64 << 10);
	if (error->status != 404) {
		service_failure_text(&failure, error->words, error->status, error->detail,
				     error->request_id);
		put_content(html,
			    &(struct page_error_content){
				    .words = error->words,
				    .heading = words_say(error->words,
							 service_failure_heading(error->status)),
				    .html = { failure.data ? failure.data : "", failure.len } });
	}
	set_root(html, error->root);
}
