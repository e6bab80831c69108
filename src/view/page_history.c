/* The incidents of a month, day by day. */
#include "view/html.h"
#include "view/page_parts.h"

static void put_neighbour(struct buf *out, const struct page_month *month, const char *words,
			  struct arena *arena)
{
	buf_printf(out, "<a href=\"%s\">%s: ", page_month_file(arena, month->name), words);
	page_put_month_name(out, month);
	buf_puts(out, "</a>\n");
}

static void put_neighbours(struct buf *out, const struct page_snapshot *view, size_t at,
			   struct arena *arena)
{
	buf_puts(out, "<nav class=\"months\" aria-label=\"Other months\">\n"
		      "<a href=\"./\">Current state</a>\n");
	if (at > 0)
		put_neighbour(out, &view->months[at - 1], "Later", arena);
	if (at + 1 < view->month_count)
		put_neighbour(out, &view->months[at + 1], "Earlier", arena);
	buf_puts(out, "</nav>\n");
}

static void put_days(struct buf *out, const struct page_snapshot *view,
		     const struct page_month *month, struct arena *arena)
{
	struct instant day = { 0 };
	for (size_t i = 0; i < month->incident_count; i++) {
		const struct incident *incident = month->incidents[i];
		struct instant its_day = uptime_midnight(incident->started_at);
		if (its_day.s != day.s) {
			buf_puts(out, i == 0 ? "" : "</ul></div>\n");
			buf_puts(out, "<div class=\"day\"><h3>");
			html_date(out, its_day);
			buf_puts(out, "</h3><ul class=\"plain\">");
		}
		day = its_day;
		buf_puts(out, "<li>");
		page_put_incident(out, view, incident, "strong", arena);
		buf_puts(out, "</li>");
	}
	buf_puts(out, month->incident_count > 0 ? "</ul></div>\n" : "<p>No incidents.</p>\n");
	if (month->total > month->incident_count)
		buf_printf(out, "<p>And %zu before these.</p>\n",
			   month->total - month->incident_count);
}

void page_history(struct buf *out, const struct page_snapshot *view, size_t at, struct arena *arena)
{
	const struct page_month *month = &view->months[at];
	struct buf title CLEANUP(buf_done) = BUF_INIT(64);
	page_put_month_name(&title, month);
	page_put_head(out, view, title.data, arena);
	page_put_header(out, &view->page);
	buf_printf(out, "<main id=\"main\">\n<h2>%s</h2>\n", title.data);
	put_days(out, view, month, arena);
	put_neighbours(out, view, at, arena);
	buf_puts(out, "</main>\n");
	page_put_footer(out);
}
