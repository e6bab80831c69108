#include "view/page_bars.h"

#include <stdlib.h>

#include "view/page_history.h"
#include "view/page_log.h"

/*
 * A bar is 5 units wide with its gap, and 30 high. Adjacent quiet days are one broad dashed line,
 * whose dashes the style sheet sets. A day with an event is a stroke of its own, which has a gap
 * at another height for each look, so that the shape tells what the colour tells.
 */
static const struct {
	const char *class_name;
	const char *stroke; /* NULL: a quiet day */
	enum sentence word; /* what the day was, if the system was not down */
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

/* The systems of the page, for look-ups by id. */
struct index_row {
	int64_t id;
	size_t at;
};

struct bars_maker {
	struct page_bars *bars;
	const struct page_view *view;
	struct index_row *index;
	size_t count;
};

static int by_id(const void *a, const void *b)
{
	const struct index_row *left = a, *right = b;
	return (left->id > right->id) - (left->id < right->id);
}

static struct bar *bars_of(const struct bars_maker *maker, int64_t monitor_id)
{
	const struct index_row key = { .id = monitor_id };
	const struct index_row *found =
		maker->count > 0 ? bsearch(&key, maker->index, maker->count, sizeof(key), by_id)
				 : NULL;
	return found ? &maker->bars->bars[found->at * UPTIME_DAYS] : NULL;
}

enum mark { MARK_INCIDENT, MARK_REST_OF_INCIDENT, MARK_MAINTENANCE };

/* When the incident or the window began that the bar links to; 0: the bar is no link. */
static struct instant began_at(const struct page_snapshot *snapshot, uint32_t cause)
{
	if (cause == 0)
		return (struct instant){ 0 };
	if (cause > snapshot->outage_count)
		return snapshot->maintenances[cause - 1 - snapshot->outage_count].starts_at;
	const struct page_outage *outage = &snapshot->outages[cause - 1];
	return outage->began_at.s > 0 ? outage->began_at : outage->interval.from;
}

/* The newest cause of a day counts, and an incident before a window. */
static void set_cause(const struct page_snapshot *snapshot, struct bar *bar, uint32_t cause,
		      enum mark kind)
{
	bool has_incident = bar->cause > 0 && bar->cause <= snapshot->outage_count;
	if (kind == MARK_MAINTENANCE && has_incident)
		return;
	if (began_at(snapshot, bar->cause).s <= began_at(snapshot, cause).s)
		bar->cause = cause;
}

/* Marks the days that the interval touches, beginning with the newest. */
static void mark(const struct bars_maker *maker, int64_t monitor_id,
		 const struct uptime_interval *interval, uint32_t cause, enum mark kind)
{
	const struct page_snapshot *snapshot = maker->view->snapshot;
	struct bar *of = bars_of(maker, monitor_id);
	size_t first, last;
	if (!of ||
	    !uptime_days_touched(&snapshot->calendar, interval, snapshot->now, &first, &last))
		return;
	for (size_t i = first; i <= last; i++)
		set_cause(snapshot, &of[i], cause, kind);
	/* The day already has its incident, if an earlier part of the incident lies in the day. */
	if (kind == MARK_REST_OF_INCIDENT && interval->from.s > snapshot->calendar.starts[first].s)
		first++;
	for (size_t i = first; i <= last; i++) {
		if (kind == MARK_MAINTENANCE && of[i].look < BAR_MAINTENANCE)
			of[i].look = BAR_MAINTENANCE;
		if (kind != MARK_MAINTENANCE && of[i].incidents < UINT16_MAX)
			of[i].incidents++;
	}
}

static void mark_all(const struct bars_maker *maker)
{
	const struct page_snapshot *snapshot = maker->view->snapshot;
	uint32_t cause = 0;
	for (size_t i = 0; i < snapshot->outage_count; i++) {
		const struct page_outage *outage = &snapshot->outages[i];
		mark(maker, outage->monitor_id, &outage->interval, ++cause,
		     outage->is_rest ? MARK_REST_OF_INCIDENT : MARK_INCIDENT);
	}
	for (size_t i = 0; i < snapshot->maintenance_count; i++) {
		const struct page_maintenance *one = &snapshot->maintenances[i];
		cause++;
		if (one->status == PHASE_SCHEDULED || one->status == PHASE_CANCELLED)
			continue;
		const struct uptime_interval its = { .from = one->starts_at, .to = one->ends_at };
		for (size_t j = 0; j < one->monitor_count; j++)
			mark(maker, one->monitors[j].id, &its, cause, MARK_MAINTENANCE);
	}
}

static enum bar_look look_of(const struct uptime_day *day)
{
	static const enum bar_look of_impact[] = {
		[INCIDENT_IMPACT_NONE] = BAR_UP,
		[INCIDENT_DEGRADED_PERFORMANCE] = BAR_DEGRADED,
		[INCIDENT_PARTIAL_OUTAGE] = BAR_PARTLY_DOWN,
		[INCIDENT_MAJOR_OUTAGE] = BAR_SOME_DOWN,
	};
	switch (uptime_state_of(day)) {
	case UPTIME_NO_DATA:
		return BAR_NO_DATA;
	case UPTIME_UP:
		return BAR_UP;
	case UPTIME_DOWN:
		return BAR_DOWN;
	default:
		return day->is_excluded ? BAR_EXCLUDED : of_impact[day->worst];
	}
}

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
	struct instant at = began_at(snapshot, bar->cause);
	/* The history lists an incident on each of its days, and a window on its first day. */
	bool is_incident = bar->cause <= snapshot->outage_count;
	if (is_incident && at.s < snapshot->calendar.starts[day].s)
		at = snapshot->calendar.starts[day];
	return page_history_link(view, at);
}

void page_bars_make(struct page_bars *bars, const struct page_view *view)
{
	const struct page_snapshot *snapshot = view->snapshot;
	size_t count = snapshot->monitor_count;
	struct bars_maker maker = { .bars = bars, .view = view, .count = count };
	maker.index = ARENA_ARRAY(view->arena, count, struct index_row);
	*bars = (struct page_bars){ .bars = ARENA_ARRAY(view->arena, count * UPTIME_DAYS,
							struct bar) };
	for (size_t day = 0; day < UPTIME_DAYS; day++)
		bars->is_in_log[day] = page_log_has_day(view, day);
	for (size_t i = 0; i < count; i++) {
		maker.index[i] = (struct index_row){ snapshot->monitors[i].id, i };
		for (size_t day = 0; day < UPTIME_DAYS; day++)
			bars->bars[i * UPTIME_DAYS + day].look =
				(uint8_t)look_of(&snapshot->monitors[i].days[day]);
	}
	if (count > 0)
		qsort(maker.index, count, sizeof(*maker.index), by_id);
	mark_all(&maker);
	for (size_t i = 0; i < count * UPTIME_DAYS; i++)
		bars->looks |= 1U << bars->bars[i].look;
}

static void say_for(const struct page_view *view, enum sentence sentence, int64_t seconds)
{
	page_say_with(
		view, sentence, 0,
		WORD_VALUES({ "duration", html_duration(view->locale, seconds, view->arena) }));
}

/*
 * Appends how long the system was down, unless an outage goes on: the static file would become
 * wrong.
 */
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

/* Appends what happened on the day: "down for 1 h 5 min, 2 incidents". */
static void put_what(const struct page_view *view, const struct bar *bar,
		     const struct page_monitor *monitor, size_t at)
{
	if (bar->look >= BAR_EXCLUDED)
		put_downtime(view, monitor, at);
	else
		page_say(view, looks[bar->look].word);
	if (bar->incidents == 0)
		return;
	buf_puts(view->out, ", ");
	page_say_with(view, SAY_DAY_INCIDENTS, bar->incidents,
		      WORD_VALUES({ "count", arena_printf(view->arena, "%u", bar->incidents) }));
}

/*
 * Appends the percentage with the start of the period, since a short record does not cover 90
 * days.
 */
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
	return !looks[bar->look].stroke && bar->incidents == 0;
}

/* The index after the last day from `from` on that is of the same kind. */
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

/* Appends the strokes of all days of a look as one path. */
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
	/* The script finds the days in the table by the id of the system. */
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
	/* Two looks have the same bars. */
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
