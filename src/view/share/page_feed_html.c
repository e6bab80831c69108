/* Writes feed.html, which explains the feed and lists its entries. */
#include "view/page/page_incident.h"

void page_feed_html(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	struct locale locale = locale_of_page(&snapshot->page);
	struct page_view view = { out, snapshot, &locale, arena, "", false, false };
	const bool has_entries = snapshot->newest_count > 0 || snapshot->maintenance_count > 0;
	page_put_head(&view, &(struct page_head){ .part = words_say(locale.words, SAY_FEED) });
	page_put_header(&view, false);
	page_say_in(&view, "<main id=\"main\">\n<h2>", SAY_FEED, "</h2>\n");
	page_put_way(&view, SAY_FEED_TEXT, "", "feed.atom");
	if (has_entries)
		buf_puts(out, "<ul class=\"log\">\n");
	for (size_t i = 0; i < snapshot->maintenance_count; i++)
		if (!page_maintenance_repeated(snapshot, &snapshot->maintenances[i]))
			page_put_past_maintenance(&view, &snapshot->maintenances[i], NULL, 0);
	for (size_t i = 0; i < snapshot->newest_count; i++)
		if (page_incident_stands_alone(&snapshot->newest[i]))
			page_put_past_incident(&view, &snapshot->newest[i], snapshot->newest,
					       snapshot->newest_count);
	if (has_entries)
		buf_puts(out, "</ul>\n");
	else
		page_put_element(&view, "p", SAY_NO_INCIDENTS);
	page_say_in(&view, "<p><a href=\"./\">", SAY_CURRENT_STATE, "</a></p>\n</main>\n");
	page_put_footer(&view);
}
