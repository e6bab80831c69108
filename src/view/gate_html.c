#include "view/gate_html.h"

#include "view/html.h"

static const char style[] =
	":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:24rem;"
	"margin:18vh auto 0;padding:0 1.25rem}input,button{font:inherit;padding:.5rem .75rem;"
	"width:100%;box-sizing:border-box;margin-top:.5rem}.problem{font-weight:600}";

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
