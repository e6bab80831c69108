/* The screen with texts that people copy to other sites and into other programs. */
#include <string.h>

#include "domain/page/status_page.h"
#include "view/console/console_resource_html.h"
#include "view/html.h"

/* The texts as HTML. Their headings are the sentences from CONSOLE_SHARE_ADDRESS on. {url} stands
 * for the address of the page with a slash at the end. Only public pages have widgets. */
static const char *const texts[] = {
	"{url}",
	"{url}feed.atom",
	"{url}calendar.ics",
	"&lt;a href=\"{url}\"&gt;&lt;img src=\"{url}badge.svg\" alt=\"{name}\"&gt;&lt;/a&gt;",
	"&lt;script src=\"{url}widget.js\" async&gt;&lt;/script&gt;",
	("&lt;iframe src=\"{url}widget.html\" title=\"{name}\" "
	 "style=\"border:0;width:22rem;height:4.5rem;color-scheme:light\"&gt;&lt;/iframe&gt;"),
};

void console_share_html(struct buf *out, const struct console_view *view,
			const struct console_object *object, const char *qr_code)
{
	const struct status_page *page = object->row;
	struct buf name CLEANUP(buf_done) = BUF_INIT(16 << 10);
	html_attr(&name, page->name);
	console_begin(out, view, page->name);
	console_put_tabs(out, view, object->screen, object->principal, page->id);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		if (page->privacy != PRIVACY_PUBLIC && strstr(texts[i], "widget"))
			continue;
		console_element(out, view, "h2", CONSOLE_SHARE_ADDRESS + (enum console_sentence)i);
		buf_puts(out, "<pre class=\"copy\">");
		console_fill(out, texts[i],
			     WORD_VALUES({ "url", page->url },
					 { "name", buf_ok(&name) ? name.data : "" }),
			     false);
		buf_puts(out, "</pre>\n");
		buf_puts(out, i == 0 ? qr_code : "");
	}
	console_end(out);
}
