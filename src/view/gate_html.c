#include "view/gate_html.h"

#include "view/html.h"

static const char style[] =
	":root{color-scheme:light dark;--bg:#fff;--text:#1c2430;--line:#8a949e;--accent:#0a58ca;"
	"--on:#fff;--down:#c21d25}"
	"@media(prefers-color-scheme:dark){:root{--bg:#0f141a;--text:#e6edf3;--line:#6b7682;"
	"--accent:#79b8ff;--on:#0f141a;--down:#ff6a62}}"
	"body{background:var(--bg);color:var(--text);font:16px/1.5 system-ui,-apple-system,"
	"\"Segoe UI\",Roboto,sans-serif;max-width:24rem;margin:16vh auto 0;padding:0 1.25rem}"
	"h1{font-size:1.375rem;line-height:1.3;margin:0 0 1.25rem}"
	"input,button{font:inherit;width:100%;box-sizing:border-box;margin-top:.5rem;"
	"padding:.6rem .8rem;border:1px solid var(--line);border-radius:.4rem;"
	"background:var(--bg);color:var(--text)}"
	"button{margin-top:.9rem;background:var(--accent);border-color:var(--accent);"
	"color:var(--on);font-weight:600;cursor:pointer}"
	":focus-visible{outline:3px solid var(--accent);outline-offset:2px}"
	".problem{font-weight:600;color:var(--down)}";

static void put_head(struct buf *out, const char *title)
{
	buf_printf(out,
		   "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		   "<meta name=\"robots\" content=\"noindex\">\n<title>%s</title>\n"
		   "<link rel=\"icon\" href=\"data:,\">\n<style>%s</style>\n</head>\n<body>\n<main>\n",
		   title, style);
}

void gate_form_html(struct buf *out, const char *problem)
{
	put_head(out, "Password");
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
	put_head(out, "Not found");
	buf_puts(out, "<h1>There is no such page</h1>\n<p>The address may be mistyped, or the page "
		      "may have moved.</p>\n</main>\n</body>\n</html>\n");
}
