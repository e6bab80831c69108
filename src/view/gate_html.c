#include "view/gate_html.h"

#include <stddef.h>

#include "view/html.h"

/* Web servers' configurations have the same style (tests/lint sees to it): no quotes, no '$'. */
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
	".problem{font-weight:600;color:var(--down)}";

static void put_head(struct buf *out, const char *title, const char *more_style)
{
	buf_printf(out,
		   "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		   "<meta name=\"robots\" content=\"noindex\">\n<title>%s</title>\n"
		   "<link rel=\"icon\" "
		   "href=\"data:,\">\n<style>%s%s</style>\n</head>\n<body>\n<main>\n",
		   title, style, more_style);
}

void gate_form_html(struct buf *out, const char *problem)
{
	put_head(out, "Password", form_style);
	buf_puts(out, "<h1>This page has a password</h1>\n<form method=\"post\">\n");
	if (problem) {
		buf_puts(out, "<p class=\"problem\" role=\"alert\">");
		html_text(out, problem);
		buf_puts(out, "</p>\n");
	}
	buf_puts(out, "<label for=\"password\">Password</label>\n"
		      "<input id=\"password\" name=\"password\" type=\"password\" "
		      "autocomplete=\"current-password\" maxlength=\"128\" required autofocus>\n"
		      "<button>Show the page</button>\n</form>\n</main>\n</body>\n</html>\n");
}

void gate_missing_html(struct buf *out)
{
	put_head(out, "Not found", "");
	buf_puts(out, "<h1>There is no such page</h1>\n<p>The address may be mistyped, or the page "
		      "may have moved.</p>\n</main>\n</body>\n</html>\n");
}

static const struct words {
	int status;
	const char *heading;
	const char *text;
} words[] = {
	{ 400, "This request cannot be read", "The address may be mistyped." },
	{ 405, "This cannot be done here", "This address can be read, and not changed." },
	{ 408, "The request took too long", "Nothing was changed. Please try again." },
	{ 413, "This is too large", "Nothing was changed." },
	{ 415, "This cannot be read here", "Its type is not supported." },
	{ 422, "This cannot be used", "Please go back, and look at what was sent." },
	{ 429, "Too many requests", "Please wait a moment, and try again." },
	{ 503, "Away for a moment", "Please try again in a moment." },
	{ 500, "Something went wrong here", "Please try again later." },
};

static const struct words *words_of(int status)
{
	size_t at = 0;
	while (at < ARRAY_LEN(words) - 1 && words[at].status != status)
		at++;
	return &words[at];
}

void gate_problem_html(struct buf *out, int status, const char *detail, const char *request_id)
{
	const struct words *said = words_of(status);
	put_head(out, said->heading, "");
	buf_printf(out, "<h1>%s</h1>\n<p>", said->heading);
	html_text(out, detail ? detail : said->text);
	if (request_id) {
		buf_puts(out, "</p>\n<p>The service&#39;s log has this request as ");
		html_text(out, request_id);
		buf_puts(out, ".");
	}
	buf_puts(out, "</p>\n</main>\n</body>\n</html>\n");
}

void gate_nothing_html(struct buf *out)
{
	put_head(out, "Not found", "");
	buf_puts(out, "<h1>There is no page here</h1>\n<p>Each page has an address of its "
		      "own.</p>\n</main>\n</body>\n</html>\n");
}

void gate_list_html(struct buf *out, const struct gate_entry *entries, size_t count)
{
	put_head(out, "Status pages",
		 "ul{padding:0;list-style:none}li{margin:.5rem 0;"
		 "overflow-wrap:anywhere}a{color:inherit}");
	buf_puts(out, "<h1>Status pages</h1>\n");
	buf_puts(out, count > 0 ? "<ul>\n" : "<p>There is none yet.</p>\n");
	for (size_t i = 0; i < count; i++) {
		buf_puts(out, "<li><a href=\"");
		html_url(out, entries[i].url);
		buf_puts(out, "\">");
		html_text(out, entries[i].name);
		buf_puts(out, "</a></li>\n");
	}
	buf_puts(out,
		 count > 0 ? "</ul>\n</main>\n</body>\n</html>\n" : "</main>\n</body>\n</html>\n");
}
