/* The page of a month of history: its incidents by days. */
#include <string.h>

#include "view/html.h"
#include "view/page_parts.h"

static void put_neighbour(struct buf *out, const struct page_snapshot *snapshot,
			  const struct page_month *month, enum sentence sentence,
			  struct arena *arena)
{
	buf_printf(out, "<a href=\"%s\">", page_month_file(arena, month->name));
	words_html(out, locale_of_page(&snapshot->page).words, sentence, 0,
		   WORD_VALUES({ "month", page_month_name(snapshot, month, arena) }));
	buf_puts(out, "</a>\n");
}

static void put_neighbours(struct buf *out, const struct page_snapshot *snapshot, size_t at,
			   struct arena *arena)
{
	struct locale locale = locale_of_page(&snapshot->page);
	buf_puts(out, "<nav class=\"months\" aria-label=\"");
	words_put(out, locale.words, SAY_OTHER_MONTHS);
	buf_puts(out, "\">\n<a href=\"./\">");
	words_put(out, locale.words, SAY_CURRENT_STATE);
	buf_puts(out, "</a>\n");
	if (at > 0)
		put_neighbour(out, snapshot, &snapshot->months[at - 1], SAY_LATER_MONTH, arena);
	if (at + 1 < snapshot->month_count)
		put_neighbour(out, snapshot, &snapshot->months[at + 1], SAY_EARLIER_MONTH, arena);
	buf_puts(out, "</nav>\n");
}

static void put_days(struct buf *out, const struct page_snapshot *snapshot,
		     const struct page_month *month, struct arena *arena)
{
	struct locale locale = locale_of_page(&snapshot->page);
	struct instant day = { 0 };
	for (size_t i = 0; i < month->incident_count; i++) {
		const struct incident *incident = &month->incidents[i];
		struct instant its_day = locale_day_start(&locale, incident->started_at, 0);
		if (its_day.s != day.s)
			buf_printf(out, "%s<div class=\"day\"><h3>%s</h3><ul class=\"plain\">",
				   i == 0 ? "" : "</ul></div>\n",
				   html_date(&locale, its_day, arena));
		day = its_day;
		buf_puts(out, "<li>");
		page_put_incident(out, snapshot, incident, "strong", arena);
		buf_puts(out, "</li>");
	}
	if (month->incident_count > 0)
		buf_puts(out, "</ul></div>\n");
	else
		page_put_element(out, locale.words, "p", SAY_NO_INCIDENTS);
	if (month->total > month->incident_count) {
		size_t older = month->total - month->incident_count;
		buf_puts(out, "<p>");
		words_html(out, locale.words, SAY_OLDER_INCIDENTS, older,
			   WORD_VALUES({ "count", arena_printf(arena, "%zu", older) }));
		buf_puts(out, "</p>\n");
	}
	if (strcmp(locale_zone_name(&locale, month->start), "UTC") != 0)
		page_put_element(out, locale.words, "p", SAY_MONTH_IS_UTC);
}

void page_history(struct buf *out, const struct page_snapshot *snapshot, size_t at,
		  struct arena *arena)
{
	const struct page_month *month = &snapshot->months[at];
	const char *name = page_month_name(snapshot, month, arena);
	page_put_head(out, snapshot, name, arena);
	page_put_header(out, &snapshot->page);
	buf_puts(out, "<main id=\"main\">\n<h2>");
	html_text(out, name);
	buf_puts(out, "</h2>\n");
	put_days(out, snapshot, month, arena);
	put_neighbours(out, snapshot, at, arena);
	buf_puts(out, "</main>\n");
	page_put_footer(out, &snapshot->page);
}

void page_history_frame(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	struct page_snapshot frame = *snapshot;
	struct incident samples[] = {
		{ .id = 2, .monitor_name = "", .cause = "", .started_at = { 2 * DAY_S } },
		{ .id = 1,
		  .monitor_name = "",
		  .cause = "",
		  .comment = "",
		  .started_at = { DAY_S },
		  .acknowledged_at = { DAY_S },
		  .ended_at = { 2 * DAY_S } },
	};
	struct page_month month = { .name = "",
				    .incidents = samples,
				    .incident_count = ARRAY_LEN(samples),
				    .total = ARRAY_LEN(samples) + 1 };
	frame.months = &month;
	frame.month_count = 1;
	frame.now = (struct instant){ 0 };
	page_history(out, &frame, 0, arena);
}
