/* The header and the footer of the HTML files. */
#include <string.h>

#include "base/str.h"
#include "view/page/page_markdown.h"
#include "view/page/page_parts.h"
#include "view/subscription_html.h"

static void put_link(const struct page_view *view, const char *url, enum sentence sentence)
{
	if (!url)
		return;
	buf_puts(view->out, "<a href=\"");
	html_url(view->out, url);
	page_say_in(view, "\" rel=\"noopener\">", sentence, "</a>\n");
}

void page_put_way(const struct page_view *view, enum sentence text, const char *before,
		  const char *file)
{
	page_say_in(view, "<p>", text, " <code class=\"address\" dir=\"ltr\">");
	buf_puts(view->out, before);
	html_text(view->out, view->snapshot->url);
	buf_printf(view->out, "<wbr>%s</code></p>\n", file);
}

static void put_form(const struct page_view *view)
{
	const struct page_snapshot *snapshot = view->snapshot;
	struct subscription_system *systems =
		ARENA_ARRAY(view->arena, snapshot->monitor_count, struct subscription_system);
	for (size_t i = 0; i < snapshot->monitor_count; i++)
		systems[i] = (struct subscription_system){ snapshot->monitors[i].id,
							   snapshot->monitors[i].name, false };
	subscription_form_html(
		view->out, view->locale->words,
		&(struct subscription_form){ .systems = systems, .count = snapshot->monitor_count },
		view->arena);
}

/* Appends a link to the calendar. Its scheme webcal opens the visitor's own calendar program. */
static void put_calendar(const struct page_view *view)
{
	const char *host = strstr(view->snapshot->url, "://");
	if (!host || !view->snapshot->has_maintenance)
		return;
	const char *url = arena_printf(view->arena, "webcal%scalendar.ics", host);
	page_put_element(view, "strong", SAY_CALENDAR);
	page_say_in(view, "<p>", SAY_CALENDAR_TEXT, " <a href=\"");
	html_attr(view->out, url);
	buf_puts(view->out, "\"><code class=\"address\" dir=\"ltr\">");
	html_text(view->out, url);
	buf_puts(view->out, "</code></a></p>\n");
}

static void put_subscribe(const struct page_view *view)
{
	page_say_in(view, "<details class=\"menu\" data-copy=\"", SAY_COPY, "\"");
	page_say_in(view, " data-copied=\"", SAY_COPIED, "\">");
	page_say_in(view, "<summary>", SAY_SUBSCRIBE, "</summary><div>\n");
	if (view->snapshot->takes_subscribers)
		put_form(view);
	page_put_element(view, "strong", SAY_FEED);
	page_put_way(view, SAY_FEED_TEXT, "", "feed.atom");
	/* Slack can read only public feeds. */
	if (view->snapshot->page.privacy == PRIVACY_PUBLIC)
		page_put_way(view, SAY_SLACK_TEXT, "/feed subscribe ", "feed.atom");
	put_calendar(view);
	buf_puts(view->out, "</div></details>\n");
}

/* Appends the width and the height of the file, so that browsers reserve space for the picture. The
 * style sheet scales the picture. */
static void put_size(const struct page_view *view, const struct image *image)
{
	if (image->width_px > 0)
		buf_printf(view->out, " width=\"%u\" height=\"%u\"", image->width_px,
			   image->height_px);
}

static void put_logo(const struct page_view *view)
{
	const struct page_snapshot *snapshot = view->snapshot;
	const struct status_page *page = &snapshot->page;
	const char *file = page->logo_file, *dark = page->logo_dark_file;
	struct buf *out = view->out;
	if (!file)
		return;
	if (!brand_has_mode(page->color_scheme, page->custom_css, BRAND_DARK))
		dark = NULL;
	bool is_always = !brand_has_mode(page->color_scheme, page->custom_css, BRAND_LIGHT);
	/* The style sheet puts the name beside a narrow picture, but below a wide one. */
	bool is_sign = snapshot->logo.width_px > 0 &&
		       snapshot->logo.width_px <= snapshot->logo.height_px * 3 / 2;
	if (dark) {
		buf_printf(out, "<picture class=\"%s\"><source srcset=\"%s%s\" media=\"%s\"",
			   is_sign ? "mark" : "wide", view->root, dark,
			   is_always ? "screen" : "screen and (prefers-color-scheme:dark)");
		put_size(view, &snapshot->logo_dark);
		buf_puts(out, ">");
	}
	buf_printf(out, "<img src=\"%s%s\" alt=\"\"", view->root, file);
	put_size(view, &snapshot->logo);
	/* The class "solid" is for a picture without transparency, "clear" for one with
	 * transparency. */
	if (dark)
		buf_puts(out, "></picture>\n");
	else
		buf_printf(out, " class=\"%s %s\">\n", is_sign ? "mark" : "wide",
			   snapshot->logo.is_clear ? "clear" : "solid");
}

static void put_header_image(const struct page_view *view)
{
	const char *file = view->snapshot->page.header_image_file;
	if (!file)
		return;
	buf_printf(view->out, "<img class=\"across\" src=\"%s%s\" alt=\"\"", view->root, file);
	put_size(view, &view->snapshot->header_image);
	buf_puts(view->out, ">\n");
}

void page_put_header(const struct page_view *view, bool is_first)
{
	const struct status_page *page = &view->snapshot->page;
	struct buf *out = view->out;
	put_header_image(view);
	buf_puts(out, "<header>\n");
	put_logo(view);
	buf_puts(out, "<h1>");
	if (!is_first)
		buf_printf(out, "<a href=\"%s\">", view->root[0] ? view->root : "./");
	buf_puts(out, "<bdi>");
	page_put_name(view, page->name);
	buf_printf(out, "</bdi>%s</h1>\n", is_first ? "" : "</a>");
	if (is_first || page->website_url || page->contact_url) {
		page_say_in(view, "<nav aria-label=\"", SAY_LINKS, "\">\n");
		put_link(view, page->website_url, SAY_WEBSITE);
		put_link(view, page->contact_url, SAY_CONTACT);
		if (is_first)
			put_subscribe(view);
		buf_puts(out, "</nav>\n");
	}
	buf_puts(out, "</header>\n");
}

/* The level of headings in the text of the footer: the lowest level in HTML. */
enum { SUPPORT_HEADING_LEVEL = 6 };

/* Texts of people cannot contain this string, because angle brackets in them are escaped. */
static const char as_of_opening[] = "<p class=\"asof\"";

static void put_as_of(const struct page_view *view)
{
	enum { REFRESH_S = 60 };
	struct buf *out = view->out;
	buf_puts(out, as_of_opening);
	buf_printf(out, " data-refresh=\"%d\"", REFRESH_S);
	if (view->is_live) {
		page_say_in(view, " data-pause=\"", SAY_PAUSE_REFRESH, "\"");
	}
	buf_puts(out, ">");
	page_say_time(view, SAY_LAST_CHANGE, view->snapshot->now);
	if (view->is_live) {
		page_say_in(view, " <a href=\"\">", SAY_REFRESH, "</a>");
	}
	buf_puts(out, "</p>\n");
}

void page_put_footer(const struct page_view *view)
{
	const char *support = view->snapshot->page.support_text;
	buf_puts(view->out, "<footer>\n");
	if (support) {
		buf_puts(view->out, "<div class=\"text support\" dir=\"auto\">");
		page_markdown(view->out, view->snapshot, support, SUPPORT_HEADING_LEVEL);
		buf_puts(view->out, "</div>\n");
	}
	put_as_of(view);
	buf_printf(view->out, "<p><a href=\"%sfeed.html", view->root);
	page_say_in(view, "\">", SAY_FEED, "</a>");
	buf_printf(view->out, " <a href=\"%ssummary.json", view->root);
	page_say_in(view, "\">", SAY_JSON, "</a></p>\n</footer>\n</body>\n</html>\n");
}

struct str page_html_as_of(struct str html)
{
	const char *from = html.len > 0 ? strstr(html.data, as_of_opening) : NULL;
	const char *end = from ? strchr(from, '\n') : NULL;
	return end ? (struct str){ from, (size_t)(end - from) } : (struct str){ "", 0 };
}
