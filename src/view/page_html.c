/* index.html */
#include "base/str.h"
#include "base/log.h"
#include "view/html.h"
#include "view/page_parts.h"

/* A sign beside each word: a tick, a cross, a dash. */
static const char sign_up[] = "<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path fill=\"none\" "
			      "stroke=\"currentColor\" "
			      "stroke-width=\"2.4\" d=\"M2 8.5l4 4 8-9\"/></svg>";
static const char sign_down[] = "<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path "
				"fill=\"none\" stroke=\"currentColor\" "
				"stroke-width=\"2.4\" d=\"M3 3l10 10M13 3L3 13\"/></svg>";
static const char sign_none[] = "<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path "
				"fill=\"none\" stroke=\"currentColor\" "
				"stroke-width=\"2.4\" d=\"M2 8h12\"/></svg>";

static void put_overall(struct buf *out, const struct page_snapshot *view, struct arena *arena)
{
	bool is_down = view->down_count > 0;
	bool is_empty = view->no_data_count == view->monitor_count;
	buf_printf(out, "<p class=\"overall%s\">%s<span>%s</span></p>\n<p class=\"asof\">As of ",
		   is_down    ? " down"
		   : is_empty ? " none"
			      : "",
		   is_down    ? sign_down
		   : is_empty ? sign_none
			      : sign_up,
		   page_snapshot_summary(view, arena));
	html_time(out, view->now);
	buf_puts(out, ".</p>\n");
}

static void put_open_incidents(struct buf *out, const struct page_snapshot *view,
			       struct arena *arena)
{
	if (view->down_count == 0)
		return;
	buf_puts(out, "<section aria-labelledby=\"open\">\n<h2 id=\"open\">Open incidents</h2>\n");
	for (size_t i = 0; i < view->incident_count; i++) {
		if (view->incidents[i]->ended_at.s > 0)
			continue;
		buf_puts(out, "<article class=\"card open\">");
		page_put_incident(out, view, view->incidents[i], "h3", arena);
		buf_puts(out, "</article>\n");
	}
	buf_puts(out, "</section>\n");
}

/*
 * The bars of all days in one state as one path: higher is worse, so that the
 * shape tells what the colour does. Days in a row are one broad dashed line;
 * the style sheet has its breadth, the bars' height, and its dashes, their
 * width of 3.4 and gap of 1.6.
 */
static void put_bars_of(struct buf *out, const struct page_monitor *monitor,
			enum uptime_state state)
{
	/* Half the way between a bar's top and the ground, at 29. */
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

/* The percentage with the start of its period: a young record says nothing of 90 days. */
static void put_percent(struct buf *out, const struct page_monitor *monitor, struct instant now)
{
	int64_t permyriad = uptime_permyriad(monitor->days, UPTIME_DAYS);
	if (permyriad < 0) {
		buf_puts(out, "no data");
		return;
	}
	buf_printf(out, "%lld.%02lld %% uptime ", (long long)permyriad / 100,
		   (long long)permyriad % 100);
	if (monitor->known_since.s <= uptime_day_start(now, 0).s) {
		buf_printf(out, "in %d days", UPTIME_DAYS);
		return;
	}
	buf_puts(out, "since ");
	html_date(out, monitor->known_since);
}

/* The names of the days, oldest first: each monitor's table has some of them. */
static const char **name_days(struct instant now, struct arena *arena)
{
	const char **names = ARENA_ARRAY(arena, UPTIME_DAYS, const char *);
	struct buf name CLEANUP(buf_done) = BUF_INIT(64);
	for (size_t i = 0; i < UPTIME_DAYS; i++) {
		html_date(&name, uptime_day_start(now, i));
		if (!buf_ok(&name))
			die("page: out of memory");
		names[i] = arena_strdup(arena, name.data);
		buf_clear(&name);
	}
	return names;
}

/* The days as rows, runs of like ones in one. */
static void put_table(struct buf *out, const struct page_monitor *monitor,
		      const char *const *day_names)
{
	buf_puts(out, "<details><summary>Day by day</summary><table><thead><tr>"
		      "<th scope=\"col\">Days (UTC)</th><th scope=\"col\">Down "
		      "for</th></tr></thead><tbody>");
	for (size_t i = 0; i < UPTIME_DAYS;) {
		enum uptime_state state = uptime_state_of(&monitor->days[i]);
		size_t end = i + 1;
		bool is_run = state == UPTIME_UP || state == UPTIME_NO_DATA;
		while (is_run && end < UPTIME_DAYS && uptime_state_of(&monitor->days[end]) == state)
			end++;
		buf_puts(out, "<tr><th scope=\"row\">");
		buf_puts(out, day_names[i]);
		if (end - i > 1) {
			buf_puts(out, " to ");
			buf_puts(out, day_names[end - 1]);
		}
		buf_puts(out, "</th><td>");
		if (state == UPTIME_NO_DATA)
			buf_puts(out, "no data");
		else if (state == UPTIME_UP)
			buf_puts(out, "nothing");
		else
			html_duration(out, monitor->days[i].down_s);
		buf_puts(out, "</td></tr>");
		i = end;
	}
	buf_puts(out, "</tbody></table></details>");
}

static void put_state(struct buf *out, enum system_state state)
{
	static const struct {
		const char *class_name, *sign, *word;
	} shown[] = {
		[SYSTEM_NO_DATA] = { " none", sign_none, "No data" },
		[SYSTEM_OPERATIONAL] = { "", sign_up, "Operational" },
		[SYSTEM_MAJOR_OUTAGE] = { " down", sign_down, "Down" },
	};
	buf_printf(out, "<span class=\"state%s\">%s%s</span>", shown[state].class_name,
		   shown[state].sign, shown[state].word);
}

static void put_monitor(struct buf *out, const struct page_monitor *monitor, struct instant now,
			const char *const *day_names)
{
	buf_puts(out, "<li class=\"card\"><div class=\"row\"><h3 dir=\"auto\">");
	html_text(out, monitor->name);
	buf_puts(out, "</h3>");
	put_state(out, page_monitor_state(monitor));
	buf_puts(out, "</div>\n<svg class=\"bars\" viewBox=\"0 0 451 30\" "
		      "preserveAspectRatio=\"none\" role=\"img\" aria-label=\"");
	put_percent(out, monitor, now);
	buf_puts(out, "\">");
	for (int state = UPTIME_NO_DATA; state <= UPTIME_DOWN; state++)
		put_bars_of(out, monitor, (enum uptime_state)state);
	buf_puts(out, "</svg><div class=\"scale\"><span>90 days ago</span><span>");
	put_percent(out, monitor, now);
	buf_puts(out, "</span><span>Today</span></div>");
	put_table(out, monitor, day_names);
	buf_puts(out, "</li>\n");
}

static void put_monitors(struct buf *out, const struct page_snapshot *view, struct arena *arena)
{
	const char **day_names = name_days(view->now, arena);
	if (view->monitor_count == 0)
		return;
	buf_puts(out, "<section aria-labelledby=\"systems\">\n<h2 id=\"systems\">Systems</h2>\n"
		      "<ul class=\"plain\">\n");
	for (size_t i = 0; i < view->monitor_count; i++)
		put_monitor(out, &view->monitors[i], view->now, day_names);
	buf_puts(out, "</ul>\n</section>\n");
}

/*
 * In the log an incident stands whole on the day it began, or on the oldest day shown. On
 * each later day that it touches, a line leads to its month, where it always stands.
 */
static void put_past_incident(struct buf *out, const struct page_snapshot *view,
			      const struct incident *incident, struct instant day,
			      struct arena *arena)
{
	bool is_open = incident->ended_at.s == 0;
	bool is_first = uptime_midnight(incident->started_at).s == day.s ||
			page_recent_start(view->now).s == day.s;
	if (is_first && !is_open) {
		page_put_incident(out, view, incident, "strong", arena);
		return;
	}
	buf_printf(out, "<a dir=\"auto\" href=\"%s#incident-%lld\">",
		   is_open ? "" : page_incident_file(incident, arena), (long long)incident->id);
	html_text(out, page_incident_name(view, incident, arena));
	buf_puts(out, "</a> ");
	buf_puts(out, is_open				      ? "is open."
		      : incident->ended_at.s <= day.s + DAY_S ? "ended on this day."
							      : "went on.");
}

/* Whether the incident touches the day; an open one touches every day since it began. */
static bool overlaps(const struct incident *incident, struct instant day)
{
	int64_t started = incident->started_at.s, ended = incident->ended_at.s;
	return started < day.s + DAY_S && (ended == 0 || ended > day.s || started >= day.s);
}

static bool is_quiet(const struct page_snapshot *view, struct instant day)
{
	for (size_t i = 0; i < view->incident_count; i++)
		if (overlaps(view->incidents[i], day))
			return false;
	return true;
}

/* The incidents of a day: the first ones, and where the rest is. */
static void put_day(struct buf *out, const struct page_snapshot *view, struct instant day,
		    struct arena *arena)
{
	size_t count = 0;
	buf_puts(out, "<ul class=\"plain\">");
	for (size_t i = 0; i < view->incident_count; i++) {
		if (!overlaps(view->incidents[i], day) || ++count > PAGE_DAY_INCIDENTS_MAX)
			continue;
		buf_puts(out, "<li>");
		put_past_incident(out, view, view->incidents[i], day, arena);
		buf_puts(out, "</li>");
	}
	if (count > PAGE_DAY_INCIDENTS_MAX) {
		char text[INSTANT_TEXT_SIZE];
		buf_printf(
			out, "<li><a href=\"%s\">%zu more</a></li>",
			page_month_file(arena, arena_strndup(arena, instant_format(day, text), 7)),
			count - PAGE_DAY_INCIDENTS_MAX);
	}
	buf_puts(out, "</ul>");
}

/* The last days, newest first; quiet ones in a row are told in one. */
static void put_past(struct buf *out, const struct page_snapshot *view, struct arena *arena)
{
	buf_printf(
		out,
		"<section aria-labelledby=\"past\">\n<h2 id=\"past\">The last %d days (UTC)</h2>\n",
		PAGE_RECENT_DAYS);
	for (size_t i = 0; i < PAGE_RECENT_DAYS;) {
		struct instant day = uptime_day_start(view->now, UPTIME_DAYS - 1 - i), last = day;
		bool was_quiet = is_quiet(view, day);
		for (i++; was_quiet && i < PAGE_RECENT_DAYS; i++) {
			struct instant before = uptime_day_start(view->now, UPTIME_DAYS - 1 - i);
			if (!is_quiet(view, before))
				break;
			last = before;
		}
		buf_puts(out, "<div class=\"day\"><h3>");
		if (last.s != day.s) {
			html_date(out, last);
			buf_puts(out, " to ");
		}
		html_date(out, day);
		buf_puts(out, "</h3>");
		if (was_quiet)
			buf_puts(out, "<p>No incidents.</p>");
		else
			put_day(out, view, day, arena);
		buf_puts(out, "</div>\n");
	}
	buf_puts(out, "</section>\n");
}

/* The newest months; each leads on to the one before it. */
static void put_months(struct buf *out, const struct page_snapshot *view, struct arena *arena)
{
	enum { SHOWN_MAX = 12 };
	if (view->month_count == 0)
		return;
	buf_puts(out, "<nav class=\"months\" aria-labelledby=\"months\">\n"
		      "<h2 id=\"months\">Month by month</h2>\n");
	for (size_t i = 0; i < view->month_count && i < SHOWN_MAX; i++) {
		buf_printf(out, "<a href=\"%s\">", page_month_file(arena, view->months[i].name));
		page_put_month_name(out, &view->months[i]);
		buf_puts(out, "</a>\n");
	}
	buf_puts(out, "</nav>\n");
}

void page_html(struct buf *out, const struct page_snapshot *view, struct arena *arena)
{
	page_put_head(out, view, NULL, arena);
	page_put_header(out, &view->page);
	buf_puts(out, "<main id=\"main\">\n");
	put_overall(out, view, arena);
	put_open_incidents(out, view, arena);
	put_monitors(out, view, arena);
	put_past(out, view, arena);
	put_months(out, view, arena);
	buf_puts(out, "</main>\n");
	page_put_footer(out);
}
