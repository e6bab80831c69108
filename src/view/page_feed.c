/* feed.atom and badge.svg */
#include "view/html.h"
#include "view/page.h"

static void put_atom_time(struct buf *out, const char *name, struct instant at)
{
	char text[INSTANT_TEXT_SIZE];
	buf_printf(out, "<%s>%s</%s>", name, instant_format(at, text), name);
}

static void put_entry(struct buf *out, const struct page_view *view,
		      const struct incident *incident, struct arena *arena)
{
	buf_puts(out, "<entry><id>");
	html_text(out, view->url);
	buf_printf(out, "#incident-%lld</id>", (long long)incident->id);
	put_atom_time(out, "published", incident->started_at);
	put_atom_time(out, "updated", incident->updated_at);
	buf_puts(out, "<title>");
	html_text(out, page_incident_name(view, incident, arena));
	buf_printf(out, " (%s)</title><link href=\"", incident_status_word(incident_status(incident)));
	html_attr(out, view->url);
	buf_printf(out, "#incident-%lld\"/><content type=\"text\">", (long long)incident->id);
	html_text(out, incident->comment ? incident->comment
					 : page_incident_name(view, incident, arena));
	buf_puts(out, "</content></entry>\n");
}

void page_feed(struct buf *out, const struct page_view *view, struct arena *arena)
{
	/* The moment of the newest change: RFC 4287 4.2.15 wants it for what matters only. */
	struct instant updated = view->page.updated_at;
	for (size_t i = 0; i < view->incident_count; i++)
		if (view->incidents[i]->updated_at.s > updated.s)
			updated = view->incidents[i]->updated_at;
	buf_puts(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
		      "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<id>");
	html_text(out, view->url);
	buf_puts(out, "</id><title>");
	html_text(out, view->page.name);
	buf_puts(out, "</title><author><name>");
	html_text(out, view->page.name);
	buf_puts(out, "</name></author>");
	put_atom_time(out, "updated", updated);
	buf_puts(out, "<link href=\"");
	html_attr(out, view->url);
	buf_puts(out, "\"/><link rel=\"self\" href=\"");
	html_attr(out, view->url);
	buf_puts(out, "feed.atom\"/>\n");
	for (size_t i = 0; i < view->incident_count && i < PAGE_FEED_INCIDENTS_MAX; i++)
		put_entry(out, view, view->incidents[i], arena);
	buf_puts(out, "</feed>\n");
}

void page_badge(struct buf *out, const struct page_view *view, struct arena *arena)
{
	const char *words = page_view_summary(view, arena);
	const char *colour = view->down_count > 0			? "#c21d25"
			     : view->no_data_count < view->monitor_count ? "#1a7f37"
									 : "#59636e";
	int width = 24 + 7 * (int)str_chars(str_from(words));
	buf_printf(out,
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"24\" role=\"img\" "
		   "aria-label=\"%s\"><title>%s</title><rect width=\"%d\" height=\"24\" rx=\"4\" "
		   "fill=\"%s\"/><text x=\"%d\" y=\"16\" fill=\"#fff\" text-anchor=\"middle\" "
		   "font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"12\" textLength=\"%d\">"
		   "%s</text></svg>\n",
		   width, words, words, width, colour, width / 2, width - 20, words);
}

void page_robots(struct buf *out)
{
	/* Open to all, also where the page is not to be indexed: who may not read the page
	 * would not learn that either. */
	buf_puts(out, "User-agent: *\nDisallow:\n");
}
