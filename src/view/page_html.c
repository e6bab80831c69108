/* index.html */
#include <string.h>

#include "base/str.h"
#include "view/html.h"
#include "view/page_parts.h"

/* A sign beside the word for each state: a tick, a cross, a dash. */
static const char sign_up[] = "<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path fill=\"none\" "
			      "stroke=\"currentColor\" "
			      "stroke-width=\"2.4\" d=\"M2 8.5l4 4 8-9\"/></svg>";
static const char sign_down[] = "<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path "
				"fill=\"none\" stroke=\"currentColor\" "
				"stroke-width=\"2.4\" d=\"M3 3l10 10M13 3L3 13\"/></svg>";
static const char sign_none[] = "<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path "
				"fill=\"none\" stroke=\"currentColor\" "
				"stroke-width=\"2.4\" d=\"M2 8h12\"/></svg>";

/* No text of a tenant has it, since quotes and angle brackets are escaped there. */
static const char as_of_opening[] = "<p class=\"asof\">";

/* The opening of a section, and its heading. */
static void put_section(struct buf *out, const char *id)
{
	buf_printf(out, "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">", id, id);
}

static void put_overall(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	struct locale locale = locale_of_page(&snapshot->page);
	bool is_down = snapshot->down_count > 0;
	bool is_empty = snapshot->no_data_count == snapshot->monitor_count;
	buf_printf(out, "<p class=\"overall%s\">%s<span>",
		   is_down    ? " down"
		   : is_empty ? " none"
			      : "",
		   is_down    ? sign_down
		   : is_empty ? sign_none
			      : sign_up);
	html_text(out, page_summary(snapshot, arena));
	buf_puts(out, "</span></p>\n");
	buf_puts(out, as_of_opening);
	words_html(out, locale.words, SAY_AS_OF, 0,
		   WORD_VALUES({ "time", html_time(&locale, snapshot->now, arena) }));
	buf_puts(out, "</p>\n");
}

static void put_open_incidents(struct buf *out, const struct page_snapshot *snapshot,
			       struct arena *arena)
{
	if (snapshot->down_count == 0)
		return;
	put_section(out, "open");
	words_put(out, locale_of_page(&snapshot->page).words, SAY_OPEN_INCIDENTS);
	buf_puts(out, "</h2>\n");
	for (size_t i = 0; i < snapshot->incident_count; i++) {
		if (snapshot->incidents[i].ended_at.s > 0)
			continue;
		buf_puts(out, "<article class=\"card open\">");
		page_put_incident(out, snapshot, &snapshot->incidents[i], "h3", arena);
		buf_puts(out, "</article>\n");
	}
	buf_puts(out, "</section>\n");
}

/*
 * The bars of all days in one state, as one path. A worse state has higher bars, so that the
 * shape shows what the colour shows. Consecutive days are one broad dashed line; the style sheet
 * sets its breadth, which is the height of the bars, and its dashes: 3.4 wide, 1.6 apart.
 */
static void put_bars_of(struct buf *out, const struct page_monitor *monitor,
			enum uptime_state state)
{
	/* Vertical middle of the bars of each state; they stand on 29. */
	static const char *const middles[] = { "25.5", "20.5", "17.5", "15" };
	bool is_begun = false;
	for (size_t i = 0; i < UPTIME_DAYS; i++) {
		size_t from = i;
		while (i < UPTIME_DAYS && uptime_state_of(&monitor->days[i]) == state)
			i++;
		if (i == from)
			continue;
		if (!is_begun)
			buf_printf(out, "<path class=\"b%d\" d=\"", (int)state);
		is_begun = true;
		size_t left = 13 + 50 * from, len = 50 * (i - from) - 16;
		buf_printf(out, "M%zu.%zu %sh%zu.%zu", left / 10, left % 10, middles[state],
			   len / 10, len % 10);
	}
	if (is_begun)
		buf_puts(out, "\"/>");
}

/* A monitor, and what its part of the page needs besides. */
struct monitor_view {
	const struct page_monitor *monitor;
	const struct locale *locale;
	struct instant now;
	const struct uptime_calendar *calendar;
	const char *const *day_names; /* oldest first */
	struct arena *arena;
};

/* Names the start of the period: a short record is no percentage of 90 days. */
static void put_percent(struct buf *out, const struct monitor_view *view)
{
	const struct page_monitor *monitor = view->monitor;
	struct arena *arena = view->arena;
	int64_t permyriad = uptime_permyriad(monitor->days, UPTIME_DAYS);
	bool is_whole = monitor->known_since.s <= view->calendar->starts[0].s;
	if (permyriad < 0) {
		words_put(out, view->locale->words, SAY_DAY_NO_DATA);
		return;
	}
	const char *percent = arena_printf(arena, "%lld.%02lld", (long long)permyriad / 100,
					   (long long)permyriad % 100);
	if (is_whole)
		words_html(out, view->locale->words, SAY_UPTIME_IN_DAYS, UPTIME_DAYS,
			   WORD_VALUES({ "percent", percent },
				       { "days", arena_printf(arena, "%d", UPTIME_DAYS) }));
	else
		words_html(out, view->locale->words, SAY_UPTIME_SINCE, 0,
			   WORD_VALUES({ "percent", percent },
				       { "date",
					 html_date(view->locale, monitor->known_since, arena) }));
}

static const char **name_days(const struct locale *locale, const struct uptime_calendar *calendar,
			      struct arena *arena)
{
	const char **names = ARENA_ARRAY(arena, UPTIME_DAYS, const char *);
	for (size_t i = 0; i < UPTIME_DAYS; i++)
		names[i] = html_date(locale, calendar->starts[i], arena);
	return names;
}

static void put_down_time(struct buf *out, const struct monitor_view *view,
			  const struct uptime_day *day)
{
	switch (uptime_state_of(day)) {
	case UPTIME_NO_DATA:
		words_put(out, view->locale->words, SAY_DAY_NO_DATA);
		break;
	case UPTIME_UP:
		words_put(out, view->locale->words, SAY_DAY_UP);
		break;
	default:
		buf_puts(out, html_duration(view->locale, day->down_s, view->arena));
	}
}

/* A range of dates, or the date if both are the same. */
static void put_dates(struct buf *out, const struct words *words, const char *from, const char *to)
{
	if (strcmp(from, to) == 0)
		buf_puts(out, from);
	else
		words_html(out, words, SAY_FROM_TO, 0, WORD_VALUES({ "from", from }, { "to", to }));
}

/* The days as rows; consecutive days without an outage share a row. */
static void put_table(struct buf *out, const struct monitor_view *view)
{
	const struct uptime_day *days = view->monitor->days;
	buf_puts(out, "<details><summary>");
	words_put(out, view->locale->words, SAY_DOWNTIME_TABLE);
	buf_puts(out, "</summary><table><thead><tr><th scope=\"col\">");
	words_html(out, view->locale->words, SAY_DAYS_HEADING, 0,
		   WORD_VALUES({ "zone", locale_zone_name(view->locale, view->now) }));
	buf_puts(out, "</th><th scope=\"col\">");
	words_put(out, view->locale->words, SAY_DOWNTIME);
	buf_puts(out, "</th></tr></thead><tbody>");
	for (size_t i = 0; i < UPTIME_DAYS;) {
		enum uptime_state state = uptime_state_of(&days[i]);
		size_t end = i + 1;
		bool is_run = state == UPTIME_UP || state == UPTIME_NO_DATA;
		while (is_run && end < UPTIME_DAYS && uptime_state_of(&days[end]) == state)
			end++;
		buf_puts(out, "<tr><th scope=\"row\">");
		put_dates(out, view->locale->words, view->day_names[i], view->day_names[end - 1]);
		buf_puts(out, "</th><td>");
		put_down_time(out, view, &days[i]);
		buf_puts(out, "</td></tr>");
		i = end;
	}
	buf_puts(out, "</tbody></table></details>");
}

static void put_state(struct buf *out, const struct words *words, enum system_state state)
{
	static const struct {
		const char *class_name, *sign;
		enum sentence word;
	} shown[] = {
		[SYSTEM_NO_DATA] = { " none", sign_none, SAY_NO_DATA },
		[SYSTEM_OPERATIONAL] = { "", sign_up, SAY_OPERATIONAL },
		[SYSTEM_MAJOR_OUTAGE] = { " down", sign_down, SAY_DOWN },
	};
	buf_printf(out, "<span class=\"state%s\">%s", shown[state].class_name, shown[state].sign);
	words_put(out, words, shown[state].word);
	buf_puts(out, "</span>");
}

static void put_bars(struct buf *out, const struct monitor_view *view)
{
	buf_puts(out, "<svg class=\"bars\" viewBox=\"0 0 451 30\" "
		      "preserveAspectRatio=\"none\" role=\"img\" aria-label=\"");
	size_t from = out->len;
	put_percent(out, view);
	const char *percent =
		buf_ok(out) ? arena_strndup(view->arena, out->data + from, out->len - from) : "";
	buf_puts(out, "\">");
	for (int state = UPTIME_NO_DATA; state <= UPTIME_DOWN; state++)
		put_bars_of(out, view->monitor, (enum uptime_state)state);
	buf_puts(out, "</svg><div class=\"scale\"><span>");
	words_html(out, view->locale->words, SAY_DAYS_AGO, UPTIME_DAYS,
		   WORD_VALUES({ "days", arena_printf(view->arena, "%d", UPTIME_DAYS) }));
	buf_puts(out, "</span><span>");
	buf_puts(out, percent);
	buf_puts(out, "</span><span>");
	words_put(out, view->locale->words, SAY_TODAY);
	buf_puts(out, "</span></div>");
}

static void put_monitor(struct buf *out, const struct monitor_view *view)
{
	buf_puts(out, "<li class=\"card\"><div class=\"row\"><h3 dir=\"auto\">");
	html_text(out, view->monitor->name);
	buf_puts(out, "</h3>");
	put_state(out, view->locale->words, page_monitor_state(view->monitor));
	buf_puts(out, "</div>\n");
	if (view->monitor->description) {
		buf_puts(out, "<p class=\"about\" dir=\"auto\">");
		html_text(out, view->monitor->description);
		buf_puts(out, "</p>\n");
	}
	put_bars(out, view);
	put_table(out, view);
	buf_puts(out, "</li>\n");
}

static void put_monitors(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	struct locale locale = locale_of_page(&snapshot->page);
	const char **day_names = name_days(&locale, &snapshot->calendar, arena);
	if (snapshot->monitor_count == 0)
		return;
	put_section(out, "systems");
	words_put(out, locale.words, SAY_SYSTEMS);
	buf_puts(out, "</h2>\n<ul class=\"plain\">\n");
	for (size_t i = 0; i < snapshot->monitor_count; i++)
		put_monitor(out,
			    &(struct monitor_view){ &snapshot->monitors[i], &locale, snapshot->now,
						    &snapshot->calendar, day_names, arena });
	buf_puts(out, "</ul>\n</section>\n");
}

/*
 * The log has an incident in full on the day it began, or on the oldest day shown. On each later
 * day that it touches, the log has a link to it: to its month, or for an open one up the page.
 */
static void put_past_incident(struct buf *out, const struct page_snapshot *snapshot,
			      const struct incident *incident, size_t day, struct arena *arena)
{
	bool is_open = incident->ended_at.s == 0;
	bool is_first = uptime_day_of(&snapshot->calendar, incident->started_at) == day ||
			day == UPTIME_DAYS - PAGE_RECENT_DAYS;
	struct instant next = snapshot->calendar.starts[day + 1];
	if (is_first && !is_open) {
		page_put_incident(out, snapshot, incident, "strong", arena);
		return;
	}
	buf_printf(out, "<a dir=\"auto\" href=\"%s#incident-%lld\">",
		   is_open ? "" : page_incident_file(incident, arena), (long long)incident->id);
	html_text(out, page_incident_name(snapshot, incident, arena));
	buf_puts(out, "</a> ");
	words_put(out, locale_of_page(&snapshot->page).words,
		  is_open			   ? SAY_IS_OPEN
		  : incident->ended_at.s <= next.s ? SAY_ENDED_THIS_DAY
						   : SAY_WENT_ON);
}

/* Whether the incident touches the day. An open one touches every day since it began. */
static bool overlaps(const struct page_snapshot *snapshot, const struct incident *incident,
		     size_t day)
{
	int64_t from = snapshot->calendar.starts[day].s, to = snapshot->calendar.starts[day + 1].s;
	int64_t started = incident->started_at.s, ended = incident->ended_at.s;
	return started < to && (ended == 0 || ended > from || started >= from);
}

static bool is_quiet(const struct page_snapshot *snapshot, size_t day)
{
	for (size_t i = 0; i < snapshot->incident_count; i++)
		if (overlaps(snapshot, &snapshot->incidents[i], day))
			return false;
	return true;
}

/* The first incidents of a day, and a link to the month that has the others. */
static void put_day(struct buf *out, const struct page_snapshot *snapshot, size_t day,
		    struct arena *arena)
{
	const struct incident *next = NULL;
	size_t count = 0;
	buf_puts(out, "<ul class=\"plain\">");
	for (size_t i = 0; i < snapshot->incident_count; i++) {
		if (!overlaps(snapshot, &snapshot->incidents[i], day))
			continue;
		if (++count > PAGE_DAY_INCIDENTS_MAX) {
			next = next ? next : &snapshot->incidents[i];
			continue;
		}
		buf_puts(out, "<li>");
		put_past_incident(out, snapshot, &snapshot->incidents[i], day, arena);
		buf_puts(out, "</li>");
	}
	if (next) {
		size_t more = count - PAGE_DAY_INCIDENTS_MAX;
		buf_printf(out, "<li><a href=\"%s\">", page_incident_file(next, arena));
		words_html(out, locale_of_page(&snapshot->page).words, SAY_MORE, more,
			   WORD_VALUES({ "count", arena_printf(arena, "%zu", more) }));
		buf_puts(out, "</a></li>");
	}
	buf_puts(out, "</ul>");
}

/* The last days, newest first; consecutive days without an incident share an entry. */
static void put_past(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	struct locale locale = locale_of_page(&snapshot->page);
	const struct instant *starts = snapshot->calendar.starts;
	put_section(out, "past");
	words_html(out, locale.words, SAY_LAST_DAYS, PAGE_RECENT_DAYS,
		   WORD_VALUES({ "days", arena_printf(arena, "%d", PAGE_RECENT_DAYS) },
			       { "zone", locale_zone_name(&locale, snapshot->now) }));
	buf_puts(out, "</h2>\n");
	for (size_t i = 0; i < PAGE_RECENT_DAYS;) {
		size_t day = UPTIME_DAYS - 1 - i, last = day;
		bool was_quiet = is_quiet(snapshot, day);
		for (i++; was_quiet && i < PAGE_RECENT_DAYS; i++) {
			if (!is_quiet(snapshot, last - 1))
				break;
			last--;
		}
		buf_puts(out, "<div class=\"day\"><h3>");
		put_dates(out, locale.words, html_date(&locale, starts[last], arena),
			  html_date(&locale, starts[day], arena));
		buf_puts(out, "</h3>");
		if (was_quiet) {
			buf_puts(out, "<p>");
			words_put(out, locale.words, SAY_NO_INCIDENTS);
			buf_puts(out, "</p>");
		} else {
			put_day(out, snapshot, day, arena);
		}
		buf_puts(out, "</div>\n");
	}
	buf_puts(out, "</section>\n");
}

/* Links to the newest months; each of them links to the one before it. */
static void put_months(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	enum { SHOWN_MAX = 12 };
	if (snapshot->month_count == 0)
		return;
	buf_puts(out, "<nav class=\"months\" aria-labelledby=\"months\">\n<h2 id=\"months\">");
	words_put(out, locale_of_page(&snapshot->page).words, SAY_MONTH_BY_MONTH);
	buf_puts(out, "</h2>\n");
	for (size_t i = 0; i < snapshot->month_count && i < SHOWN_MAX; i++) {
		const struct page_month *month = &snapshot->months[i];
		buf_printf(out, "<a href=\"%s\">", page_month_file(arena, month->name));
		html_text(out, page_month_name(snapshot, month, arena));
		buf_puts(out, "</a>\n");
	}
	buf_puts(out, "</nav>\n");
}

struct str page_html_as_of(struct str html)
{
	const char *from = html.len > 0 ? strstr(html.data, as_of_opening) : NULL;
	const char *end = from ? strchr(from, '\n') : NULL;
	return end ? (struct str){ from, (size_t)(end - from) } : (struct str){ "", 0 };
}

void page_html(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	page_put_head(out, snapshot, NULL, arena);
	page_put_header(out, &snapshot->page);
	buf_puts(out, "<main id=\"main\">\n");
	put_overall(out, snapshot, arena);
	put_open_incidents(out, snapshot, arena);
	put_monitors(out, snapshot, arena);
	put_past(out, snapshot, arena);
	put_months(out, snapshot, arena);
	buf_puts(out, "</main>\n");
	page_put_footer(out, &snapshot->page);
}
