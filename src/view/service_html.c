#include "view/service_html.h"

#include "base/bidi.h"
#include "view/html.h"
#include "view/words/words.h"

/* The configurations of web servers have copies of this style, so it must have no quotes and no
 * '$'. The lint compares the copies with it. */
static const char style[] =
	":root{color-scheme:light dark;--bg:#fff;--text:#1c2430}"
	"@media(prefers-color-scheme:dark){:root{--bg:#0f141a;--text:#e6edf3}}"
	"body{background:var(--bg);color:var(--text);font:16px/1.5 system-ui,-apple-system,"
	"Segoe UI,Roboto,sans-serif;max-width:24rem;margin:16vh auto 0;padding:0 1.25rem}"
	"h1{font-size:1.375rem;line-height:1.3;margin:0 0 1.25rem}";

static const char form_style[] =
	":root{--line:#8a949e;--accent:#0a58ca;--on:#fff;--down:#c21d25}"
	"@media(prefers-color-scheme:dark){:root{--line:#6b7682;--accent:#79b8ff;--on:#0f141a;"
	"--down:#ff6a62}}"
	"input,button{font:inherit;width:100%;box-sizing:border-box;margin-top:.5rem;"
	"padding:.6rem .8rem;border:1px solid var(--line);border-radius:.4rem;"
	"background:var(--bg);color:var(--text)}"
	"button{margin-top:.9rem;background:var(--accent);border-color:var(--accent);"
	"color:var(--on);font-weight:600;cursor:pointer}"
	":focus-visible{outline:3px solid var(--accent);outline-offset:2px}"
	".problem{font-weight:600;color:var(--down)}a{color:var(--accent)}"
	".name{margin:0 0 .25rem;overflow-wrap:anywhere}";

/* `title` is text, not HTML. */
static void put_head_titled(struct buf *out, const struct words *words, const char *title,
			    const char *more_style)
{
	buf_printf(
		out,
		"<!DOCTYPE html>\n<html lang=\"%s\" dir=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"robots\" content=\"noindex\">\n<title>",
		words->language, words->direction);
	html_text(out, title);
	buf_printf(out,
		   "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>%s%s</style>\n"
		   "</head>\n<body>\n<main>\n",
		   style, more_style);
}

static void put_head(struct buf *out, const struct words *words, enum sentence title,
		     const char *more_style)
{
	put_head_titled(out, words, words_say(words, title), more_style);
}

static void put_end(struct buf *out)
{
	buf_puts(out, "</main>\n</body>\n</html>\n");
}

static const char *title_of_form(const struct words *words, const char *name, struct arena *arena)
{
	const char *title = words_say(words, SAY_PASSWORD);
	return name[0] ? words_text(words, SAY_PART_OF_TITLE, 0,
				    WORD_VALUES({ "part", title },
						{ "page", bidi_isolated(name, arena) }),
				    arena)
		       : title;
}

static void put_contact(struct buf *out, const struct words *words, const char *url)
{
	if (!url[0])
		return;
	buf_puts(out, "<p><a href=\"");
	html_url(out, url);
	buf_puts(out, "\" rel=\"noopener\">");
	words_put(out, words, SAY_CONTACT);
	buf_puts(out, "</a></p>\n");
}

void service_password_html(struct buf *out, const struct words *words,
			   const struct service_password_form *form, struct arena *arena)
{
	put_head_titled(out, words, title_of_form(words, form->name, arena), form_style);
	if (form->name[0]) {
		buf_puts(out, "<p class=\"name\"><bdi>");
		html_text(out, bidi_closed(form->name, arena));
		buf_puts(out, "</bdi></p>\n");
	}
	words_put_element(out, words, "h1", SAY_HAS_PASSWORD);
	buf_puts(out, "<form method=\"post\">\n");
	if (form->problem) {
		buf_puts(out, "<p class=\"problem\" id=\"problem\" role=\"alert\">");
		html_text(out, form->problem);
		buf_puts(out, "</p>\n");
	}
	buf_puts(out, "<label for=\"password\">");
	words_put(out, words, SAY_PASSWORD);
	buf_printf(out,
		   "</label>\n"
		   "<input id=\"password\" name=\"password\" type=\"password\" "
		   "autocomplete=\"current-password\" maxlength=\"128\" required autofocus%s>\n",
		   form->problem ? " aria-describedby=\"problem\"" : "");
	words_put_element(out, words, "button", SAY_SHOW_PAGE);
	buf_puts(out, "</form>\n");
	put_contact(out, words, form->contact_url);
	put_end(out);
}

void service_not_found_html(struct buf *out, const struct words *words)
{
	put_head(out, words, SAY_NOT_FOUND, "");
	words_put_element(out, words, "h1", SAY_NO_SUCH_PAGE);
	words_put_element(out, words, "p", SAY_PAGE_MAY_HAVE_MOVED);
	put_end(out);
}

/* The failures by HTTP status. The last row is for all other statuses. */
static const struct failure {
	int status;
	enum sentence heading;
	enum sentence text;
} failures[] = {
	{ 400, SAY_400, SAY_400_TEXT }, { 405, SAY_405, SAY_405_TEXT },
	{ 408, SAY_408, SAY_408_TEXT }, { 413, SAY_413, SAY_413_TEXT },
	{ 415, SAY_415, SAY_415_TEXT }, { 422, SAY_422, SAY_422_TEXT },
	{ 429, SAY_429, SAY_429_TEXT }, { 503, SAY_503, SAY_503_TEXT },
	{ 500, SAY_500, SAY_500_TEXT },
};

static const struct failure *failure_of(int status)
{
	size_t at = 0;
	while (at < ARRAY_LEN(failures) - 1 && failures[at].status != status)
		at++;
	return &failures[at];
}

static void put_request_id(struct buf *out, const struct words *words, const char *request_id)
{
	struct buf id CLEANUP(buf_done) = BUF_INIT(1024);
	html_text(&id, request_id);
	buf_puts(out, "</p>\n<p>");
	words_html(out, words, SAY_REQUEST_IN_LOG, 0,
		   WORD_VALUES({ "id", id.data ? id.data : "" }));
}

enum sentence service_failure_heading(int status)
{
	return failure_of(status)->heading;
}

void service_failure_text(struct buf *out, const struct words *words, int status,
			  const char *detail, const char *request_id)
{
	buf_puts(out, "<p>");
	html_text(out, detail ? detail : words_say(words, failure_of(status)->text));
	if (request_id)
		put_request_id(out, words, request_id);
	buf_puts(out, "</p>\n");
}

void service_failure_html(struct buf *out, const struct words *words, int status,
			  const char *detail, const char *request_id)
{
	put_head(out, words, service_failure_heading(status), "");
	words_put_element(out, words, "h1", service_failure_heading(status));
	service_failure_text(out, words, status, detail, request_id);
	put_end(out);
}

void service_content_html(struct buf *out, const struct words *words, const char *heading,
			  struct str html)
{
	put_head_titled(out, words, heading, form_style);
	buf_puts(out, "<h1>");
	html_text(out, heading);
	buf_puts(out, "</h1>\n");
	buf_add(out, html.data, html.len);
	put_end(out);
}

void service_root_html(struct buf *out)
{
	const struct words *words = words_of_service();
	put_head(out, words, SAY_NOT_FOUND, "");
	words_put_element(out, words, "h1", SAY_NO_PAGE_HERE);
	words_put_element(out, words, "p", SAY_OWN_ADDRESSES);
	put_end(out);
}

void service_list_html(struct buf *out, const struct service_list_entry *entries, size_t count)
{
	const struct words *words = words_of_service();
	put_head(out, words, SAY_STATUS_PAGES,
		 "ul{padding:0;list-style:none}li{margin:.5rem 0;"
		 "overflow-wrap:anywhere}a{color:inherit}");
	words_put_element(out, words, "h1", SAY_STATUS_PAGES);
	if (count == 0)
		words_put_element(out, words, "p", SAY_NO_PAGES_YET);
	else
		buf_puts(out, "<ul>\n");
	for (size_t i = 0; i < count; i++) {
		buf_puts(out, "<li><a href=\"");
		html_url(out, entries[i].url);
		buf_puts(out, "\">");
		html_text(out, entries[i].name);
		buf_puts(out, "</a></li>\n");
	}
	buf_puts(out, count > 0 ? "</ul>\n" : "");
	put_end(out);
}
