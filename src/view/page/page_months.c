#include "view/page/page_months.h"

#include <string.h>

#include "view/page/page_report.h"

enum { CALENDARS = 3, LINKED_MAX = 12, WEEK_DAYS = 7 };

/* A month of the page's zone. */
struct month {
	int year, month;
	struct instant start; /* the start of its first day in UTC; only for calculations */
	int days;
	const char *name; /* "2026-11" */
};

static struct instant utc_of(int year, int month)
{
	return instant_of(&(struct instant_parts){ .year = year, .month = month, .day = 1 });
}

/* Returns the month that is `before` months before the present month. */
static struct month month_of(const struct page_view *view, int before)
{
	struct local_time now = locale_time(view->locale, view->snapshot->now);
	int months = 12 * now.year + now.month - 1 - before;
	struct month month = { .year = months / 12, .month = months % 12 + 1 };
	struct instant next = utc_of((months + 1) / 12, (months + 1) % 12 + 1);
	month.start = utc_of(month.year, month.month);
	month.days = (int)((next.s - month.start.s) / DAY_S);
	month.name = arena_printf(view->arena, "%04d-%02d", month.year, month.month);
	return month;
}

/* Returns whether the page has a file for the month. */
static bool has_file(const struct page_snapshot *snapshot, const char *name)
{
	for (size_t i = 0; i < snapshot->month_count; i++)
		if (strcmp(snapshot->months[i].name, name) == 0)
			return true;
	return false;
}

/* Returns the index of the day's bar; UPTIME_DAYS: no bar is for this day. */
static size_t index_of(const struct page_view *view, const struct month *month, int day)
{
	struct local_time now = locale_time(view->locale, view->snapshot->now);
	int64_t today = utc_of(now.year, now.month).s / DAY_S + now.day;
	int64_t days_ago = today - (month->start.s / DAY_S + day);
	return days_ago >= 0 && days_ago < UPTIME_DAYS ? (size_t)(UPTIME_DAYS - 1 - days_ago)
						       : (size_t)UPTIME_DAYS;
}

static void put_legend(const struct page_view *view, const void *bar)
{
	page_say(view, page_bar_legend(bar));
}

/* Appends the number of a day, as a link if the day has an event. */
static void put_number(const struct page_view *view, const struct page_bars *bars, size_t at,
		       int day)
{
	const struct bar *bar = &bars->all.bars[at];
	bool has_event = !page_bar_is_quiet(bar) || bars->is_in_log[at];
	const char *link = has_event ? page_bars_link(view, bars, bar, at) : NULL;
	struct instant start = view->snapshot->calendar.starts[at];
	if (!link) {
		buf_printf(view->out, "%d", day);
		return;
	}
	buf_printf(view->out, "<a href=\"%s\" aria-label=\"", link);
	page_say_with(view, SAY_DAY_IS, 0,
		      WORD_VALUES({ "date", html_date(view->locale, start, view->arena) },
				  { "what", page_value(view, put_legend, bar) }));
	buf_printf(view->out, "\">%d</a>", day);
}

static void put_day(const struct page_view *view, const struct page_bars *bars,
		    const struct month *month, int day)
{
	size_t at = index_of(view, month, day);
	if (at == UPTIME_DAYS) {
		buf_printf(view->out, "<td>%d</td>", day);
		return;
	}
	buf_printf(view->out, "<td class=\"%s\"%s>", page_bar_class(&bars->all.bars[at]),
		   at == UPTIME_DAYS - 1 ? " aria-current=\"date\"" : "");
	put_number(view, bars, at, day);
	buf_puts(view->out, "</td>");
}

/* Returns the column of the month's first day; 0: Monday. 1 January 1970 was a Thursday. */
static int first_column(const struct month *month)
{
	enum { THURSDAY = 3 };
	return (int)((month->start.s / DAY_S + THURSDAY) % WEEK_DAYS);
}

static void put_caption(const struct page_view *view, const struct month *month)
{
	const bool is_linked = has_file(view->snapshot, month->name);
	buf_puts(view->out, "<table class=\"cal\"><caption>");
	if (is_linked)
		buf_printf(view->out, "<a href=\"%s\">", page_month_file(view->arena, month->name));
	html_text(view->out, page_month_name(view->locale, month->start, view->arena));
	buf_puts(view->out, is_linked ? "</a></caption>\n<thead><tr>" : "</caption>\n<thead><tr>");
	for (int i = 0; i < WEEK_DAYS; i++)
		buf_printf(view->out, "<th scope=\"col\">%s</th>",
			   view->locale->words->weekdays[i]);
	buf_puts(view->out, "</tr></thead>\n<tbody>\n");
}

static void put_calendar(const struct page_view *view, const struct page_bars *bars,
			 const struct month *month)
{
	struct buf *out = view->out;
	int column = first_column(month);
	put_caption(view, month);
	buf_puts(out, "<tr>");
	if (column > 0)
		buf_printf(out, "<td colspan=\"%d\"></td>", column);
	for (int day = 1; day <= month->days; day++) {
		put_day(view, bars, month, day);
		if (++column % WEEK_DAYS == 0 && day < month->days)
			buf_puts(out, "</tr>\n<tr>");
	}
	buf_puts(out, "</tr>\n</tbody></table>\n");
}

/*
 * Appends links to at most LINKED_MAX months before those of the calendars. (A month's page links
 * to the month before it.) Also appends links to the search and to the report of the last whole
 * month.
 */
static void put_earlier(const struct page_view *view, const char *first)
{
	const struct page_snapshot *snapshot = view->snapshot;
	size_t count = 0;
	page_say_in(view, "<nav class=\"months\" aria-label=\"", SAY_OTHER_MONTHS, "\">\n");
	for (size_t i = 0; i < snapshot->month_count && count < LINKED_MAX; i++) {
		const struct page_month *month = &snapshot->months[i];
		if (strcmp(month->name, first) >= 0)
			continue;
		count++;
		buf_printf(view->out, "<a href=\"%s\">", page_month_file(view->arena, month->name));
		html_text(view->out, page_month_name(view->locale, month->start, view->arena));
		buf_puts(view->out, "</a>\n");
	}
	if (snapshot->month_count > 0)
		page_say_in(view, "<a href=\"history\">", SAY_SEARCH_HISTORY, "</a>\n");
	if (snapshot->report_count > 1)
		page_put_report_link(view, &snapshot->reports[1], SAY_REPORT_OF);
	buf_puts(view->out, "</nav>\n");
}

void page_put_months(const struct page_view *view, const struct page_bars *bars)
{
	const struct page_snapshot *snapshot = view->snapshot;
	struct month month = { 0 };
	if (snapshot->month_count == 0 && snapshot->monitor_count == 0)
		return;
	page_put_section(view, "months", SAY_MONTH_BY_MONTH);
	buf_puts(view->out, "<div class=\"card cals\">\n");
	for (int i = 0; i < CALENDARS; i++) {
		month = month_of(view, CALENDARS - 1 - i);
		put_calendar(view, bars, &month);
	}
	buf_puts(view->out, "</div>\n");
	if (snapshot->month_count > 0 || snapshot->report_count > 1)
		put_earlier(view, month_of(view, CALENDARS - 1).name);
	buf_puts(view->out, "</section>\n");
}
