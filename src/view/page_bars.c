#include "view/page_bars.h"

#include "view/page_history.h"

/*
 * A bar is 5 units wide with its gap, and 30 high. Adjacent quiet days are one broad dashed line,
 * whose dashes the style sheet sets. A day with an event is a separate stroke. The stroke has a
 * gap whose height depends on the look, so that shape and colour tell the same.
 */
static const struct {
	const char *class_name;
	const char *stroke; /* NULL: a quiet day */
	enum sentence word; /* the state of the day, if the system was not down */
	enum sentence legend;
} looks[] = {
	[BAR_NO_DATA] = { "n", NULL, SAY_DAY_NO_DATA, SAY_NO_DATA },
	[BAR_UP] = { "u", NULL, SAY_DAY_UP, SAY_BAR_UP },
	[BAR_MAINTENANCE] = { "m", "v9m0 3v6m0 3v9", SAY_DAY_MAINTENANCE, SAY_BAR_MAINTENANCE },
	[BAR_DEGRADED] = { "g", "v6m0 4v20", SAY_DAY_DEGRADED, SAY_BAR_DEGRADED },
	[BAR_PARTLY_DOWN] = { "g", "v6m0 4v20", SAY_DAY_PARTLY_DOWN, SAY_BAR_DEGRADED },
	[BAR_EXCLUDED] = { "x", "v3m0 3.75v3m0 3.75v3m0 3.75v3m0 3.75v3", SAY_DAY_EXCLUDED,
			   SAY_BAR_EXCLUDED },
	[BAR_SOME_DOWN] = { "s", "v13m0 4v13", SAY_DAY_DOWN, SAY_BAR_SOME_DOWN },
	[BAR_DOWN] = { "d", "v20m0 4v6", SAY_DAY_DOWN, SAY_BAR_DOWN },
};

/* The address of the day in the log, or of the day's event in the history. NULL: neither exists. */
static const char *link_of(const struct page_view *view, const struct page_bars *bars,
			   const struct bar *bar, size_t day)
{
	const struct page_snapshot *snapshot = view->snapshot;
	if (bars->is_in_log[day])
		return arena_printf(view->arena, "#%s",
				    page_day_id(view, snapshot->calendar.starts[day]));
	if (bar->cause == 0)
		return NULL;
	struct instant at = page_bar_began_at(snapshot, bar->cause);
	/* The history lists an incident on each of its days, and a window on its first day. */
	bool is_incident = bar->cause <= snapshot->outage_count;
	if (is_incident && at.s < snapshot->calendar.starts[day].s)
		at = snapshot->calendar.starts[day];
	return page_history_link(view, at);
}

static void say_for(const struct page_view *view, enum sentence sentence, int64_t seconds)
{
	page_say_with(
		view, sentence, 0,
		WORD_VALUES({ "duration", html_duration(view->locale, seconds, view->arena) }));
}

/* Appends how long the system was down. Omits this while an outage goes on, since the static file
 * would become wrong. */
static void put_downtime(const struct page_view *view, const struct page_monitor *monitor,
			 size_t at)
{
	const struct uptime_day *day = &monitor->days[at];
	const struct incident *open = at == UPTIME_DAYS - 1 && page_monitor_state(monitor) ==
								       SYSTEM_MAJOR_OUTAGE
					      ? monitor->open
					      : NULL;
	bool is_excluded = open ? open->exclude_from_uptime
				: day->excluded_s > 0 || day->is_excluded;
	if (open && !is_excluded) {
		page_say(view, SAY_DAY_DOWN_NOW);
		return;
	}
	if (day->down_s > 0 || !is_excluded)
		say_for(view, SAY_DAY_DOWN, day->down_s);
	if (day->down_s > 0 && is_excluded)
		buf_puts(view->out, ", ");
	if (is_excluded)
		say_for(view, open ? SAY_DAY_EXCLUDED_NOW : SAY_DAY_EXCLUDED, day->excluded_s);
}

/* Appends for how long the system was not observed; of a gap that goes on its start. */
static void put_gap(const struct page_view *view, const struct page_monitor *monitor, size_t at)
{
	if (!page_bar_is_in_gap(monitor, at)) {
		say_for(view, SAY_DAY_GAP, monitor->days[at].unobserved_s);
		return;
	}
	page_say_with(view, SAY_DAY_GAP_NOW, 0,
		      WORD_VALUES({ "time", html_time(view->locale, monitor->unobserved_since,
						      view->arena) }));
}

/* Appends what happened on the day: "down for 1 h 5 min, no data for 2 h, 2 incidents". */
static void put_what(const struct page_view *view, const struct bar *bar,
		     const struct page_monitor *monitor, size_t at)
{
	/* Of today, while a gap goes on, some hours may be known. */
	bool is_today = bar->look == BAR_NO_DATA && bar->has_gap;
	bool is_gap_alone = is_today && monitor->days[at].known_s == 0;
	if (bar->look >= BAR_EXCLUDED)
		put_downtime(view, monitor, at);
	else if (!is_gap_alone)
		page_say(view, is_today ? SAY_DAY_UP : looks[bar->look].word);
	if (bar->has_gap && !is_gap_alone)
		buf_puts(view->out, ", ");
	if (bar->has_gap)
		put_gap(view, monitor, at);
	if (bar->incidents == 0)
		return;
	buf_puts(view->out, ", ");
	page_say_with(view, SAY_DAY_INCIDENTS, bar->incidents,
		      WORD_VALUES({ "count", arena_printf(view->arena, "%u", bar->incidents) }));
}

/* Appends the percentage, with the start of the period if the record is shorter than 90 days. */
static void put_percent(const struct page_view *view, const struct page_monitor *monitor,
			enum sentence of_all_days, enum sentence since)
{
	int64_t permyriad = uptime_permyriad(monitor->days, UPTIME_DAYS);
	if (permyriad < 0) {
		page_say(view, SAY_DAY_NO_DATA);
		return;
	}
	bool is_whole = monitor->known_since.s <= view->snapshot->calendar.starts[0].s;
	page_say_with(
		view, is_whole ? of_all_days : since, UPTIME_DAYS,
		WORD_VALUES(
			{ "percent", page_percent(view->locale->words, permyriad, view->arena) },
			{ "days", arena_printf(view->arena, "%d", UPTIME_DAYS) },
			{ "date", html_date(view->locale, monitor->known_since, view->arena) }));
}

void page_put_percent(const struct page_view *view, const struct page_monitor *monitor)
{
	put_percent(view, monitor, SAY_PERCENT_UPTIME, SAY_UPTIME_SINCE);
}

void page_put_uptime(const struct page_view *view, const struct page_monitor *monitor)
{
	put_percent(view, monitor, SAY_UPTIME_IN_DAYS, SAY_UPTIME_SINCE);
}

static bool is_quiet(const struct bar *bar)
{
	return !looks[bar->look].stroke && bar->incidents == 0 && !bar->has_gap;
}

/* The index after the last day, from `from` on, of the same kind. */
static size_t end_of_run(const struct bar *of, size_t from)
{
	size_t end = from + 1;
	while (is_quiet(&of[from]) && end < UPTIME_DAYS && is_quiet(&of[end]) &&
	       of[end].look == of[from].look)
		end++;
	return end;
}

/* Appends quiet days as one line. */
static void put_quiet(const struct page_view *view, const struct bar *of, size_t from, size_t end)
{
	size_t left = 50 * from + 7, width = 50 * (end - from) - 14;
	buf_printf(view->out, "<path class=\"q %s\" d=\"M%zu.%zu 15h%zu.%zu\"/>",
		   looks[of[from].look].class_name, left / 10, left % 10, width / 10, width % 10);
}

/* Appends the strokes of all days with the same look as one path. */
static void put_strokes(const struct page_view *view, const struct bar *of, enum bar_look look)
{
	bool is_begun = false;
	for (size_t i = 0; i < UPTIME_DAYS; i++) {
		if (of[i].look != look || is_quiet(&of[i]))
			continue;
		if (!is_begun)
			buf_printf(view->out, "<path class=\"%s\" d=\"", looks[look].class_name);
		is_begun = true;
		buf_printf(view->out, "M%zu.5 0%s", 5 * i + 2,
			   looks[look].stroke ? looks[look].stroke : "v30");
	}
	if (is_begun)
		buf_puts(view->out, "\"/>");
}

void page_put_bars(const struct page_view *view, const struct page_bars *bars, size_t at)
{
	struct buf *out = view->out;
	const struct page_monitor *monitor = &view->snapshot->monitors[at];
	const struct bar *of = &bars->bars[at * UPTIME_DAYS];
	/* The script uses the id of the system to find its days in the table. */
	buf_printf(out,
		   "<div class=\"bars\" data-of=\"%lld\"><svg viewBox=\"0 0 450 30\" "
		   "preserveAspectRatio=\"none\" role=\"img\" aria-label=\"",
		   (long long)monitor->id);
	page_put_uptime(view, monitor);
	buf_puts(out, "\">");
	for (size_t i = 0, end; i < UPTIME_DAYS; i = end) {
		end = end_of_run(of, i);
		if (is_quiet(&of[i]))
			put_quiet(view, of, i, end);
	}
	for (enum bar_look look = 0; look < BAR_LOOKS; look++)
		put_strokes(view, of, look);
	buf_puts(out, "</svg></div>");
}

/* Appends the days of a system as rows; adjacent quiet days share a row. */
static void put_rows(const struct page_view *view, const struct page_bars *bars, size_t at)
{
	struct buf *out = view->out;
	const struct page_monitor *monitor = &view->snapshot->monitors[at];
	const struct bar *of = &bars->bars[at * UPTIME_DAYS];
	buf_printf(out, "<tbody id=\"days-%lld\">", (long long)monitor->id);
	buf_puts(out, "<tr><th colspan=\"2\" scope=\"rowgroup\" dir=\"auto\">");
	page_put_name(view, monitor->name);
	buf_puts(out, "</th></tr>\n");
	for (size_t i = 0, end; i < UPTIME_DAYS; i = end) {
		end = end_of_run(of, i);
		const char *link = is_quiet(&of[i]) ? NULL : link_of(view, bars, &of[i], i);
		if (end - i > 1)
			buf_printf(out, "<tr data-days=\"%zu\"><th scope=\"row\">", end - i);
		else
			buf_puts(out, "<tr><th scope=\"row\">");
		if (link)
			buf_printf(out, "<a href=\"%s\">", link);
		buf_puts(out, html_dates(view->locale, view->snapshot->calendar.starts[i],
					 view->snapshot->calendar.starts[end - 1], view->arena));
		buf_puts(out, link ? "</a></th><td>" : "</th><td>");
		put_what(view, &of[i], monitor, i);
		buf_puts(out, "</td></tr>\n");
	}
	buf_puts(out, "</tbody>\n");
}

static void put_table(const struct page_view *view, const struct page_bars *bars)
{
	struct buf *out = view->out;
	buf_puts(out, "<details class=\"table\"><summary>");
	page_say(view, SAY_DOWNTIME_TABLE);
	buf_puts(out, "</summary>\n<table><thead><tr><th scope=\"col\">");
	page_say_with(view, SAY_DAYS_HEADING, 0,
		      WORD_VALUES({ "zone", locale_zone_name(view->locale, view->snapshot->now) }));
	buf_puts(out, "</th><th scope=\"col\">");
	page_say(view, SAY_DOWNTIME);
	buf_puts(out, "</th></tr></thead>\n");
	for (size_t i = 0; i < view->snapshot->monitor_count; i++)
		put_rows(view, bars, i);
	buf_puts(out, "</table></details>\n");
}

static void put_key(const struct page_view *view, enum bar_look look)
{
	const char *stroke = looks[look].stroke ? looks[look].stroke : "v30";
	buf_printf(view->out,
		   "<li><svg viewBox=\"0 0 5 30\" aria-hidden=\"true\"><path class=\"%s k\" "
		   "d=\"M2.5 0%s\"/></svg>",
		   looks[look].class_name, stroke);
	page_say(view, looks[look].legend);
	buf_puts(view->out, "</li>\n");
}

void page_put_bars_end(const struct page_view *view, const struct page_bars *bars)
{
	struct buf *out = view->out;
	/* Two looks are drawn with the same bars. */
	uint32_t shown = bars->looks;
	if (shown & 1U << BAR_PARTLY_DOWN)
		shown = (shown & ~(1U << BAR_PARTLY_DOWN)) | 1U << BAR_DEGRADED;
	buf_puts(out, "<div class=\"scale\"><span>");
	page_say_with(view, SAY_DAYS_AGO, UPTIME_DAYS,
		      WORD_VALUES({ "days", arena_printf(view->arena, "%d", UPTIME_DAYS) }));
	buf_puts(out, "</span>\n<ul class=\"legend\">\n<li>");
	page_say_with(view, SAY_BARS_MEAN, 0,
		      WORD_VALUES({ "zone", locale_zone_name(view->locale, view->snapshot->now) }));
	buf_puts(out, "</li>\n");
	for (enum bar_look look = 0; look < BAR_LOOKS; look++)
		if (shown & 1U << look)
			put_key(view, look);
	buf_puts(out, "</ul>\n<span>");
	page_say(view, SAY_TODAY);
	buf_puts(out, "</span></div>\n");
	put_table(view, bars);
}
