/* The table with the days of all bars. The script makes the tooltips of the bars from it. */
#include "view/page/page_bars.h"
#include "view/page/page_history.h"

const char *page_bars_link(const struct page_view *view, const struct page_bars *bars,
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

/* The kinds of impact during a day, from the most to the least serious. */
enum part { PART_DOWN, PART_EXCLUDED, PART_PARTLY_DOWN, PART_DEGRADED, PARTS };

static const struct {
	enum sentence ended, goes_on;
} parts[] = {
	[PART_DOWN] = { SAY_DAY_DOWN, SAY_DAY_DOWN_NOW },
	[PART_EXCLUDED] = { SAY_DAY_EXCLUDED, SAY_DAY_EXCLUDED_NOW },
	[PART_PARTLY_DOWN] = { SAY_DAY_PARTLY_DOWN, SAY_DAY_PARTLY_DOWN_NOW },
	[PART_DEGRADED] = { SAY_DAY_DEGRADED, SAY_DAY_DEGRADED_NOW },
};

/* Returns the kind of impact that the bar shows. */
static enum part part_of_look(int look)
{
	return look >= BAR_SOME_DOWN	 ? PART_DOWN
	       : look == BAR_EXCLUDED	 ? PART_EXCLUDED
	       : look == BAR_PARTLY_DOWN ? PART_PARTLY_DOWN
					 : PART_DEGRADED;
}

/* Returns the present impact if the day is today; PARTS: no present impact, or another day. */
static enum part part_now(const struct page_monitor *monitor, size_t day)
{
	if (day < UPTIME_DAYS - 1 || !monitor->open)
		return PARTS;
	if (monitor->impact == INCIDENT_MAJOR_OUTAGE)
		return monitor->is_down ? PART_DOWN : PART_EXCLUDED;
	return monitor->impact == INCIDENT_PARTIAL_OUTAGE ? PART_PARTLY_DOWN : PART_DEGRADED;
}

/* Appends the start of the present impact, and its duration so far. */
static void put_now(const struct page_view *view, enum sentence sentence, struct instant since)
{
	page_say_time(view, sentence, since);
	page_put_so_far(view, since);
}

/* Appends how long each impact lasted. */
static void put_downtime(const struct page_view *view, const struct page_bars *bars,
			 const struct bar *bar, size_t at, size_t day)
{
	const struct page_monitor *monitor = &view->snapshot->monitors[at];
	const struct uptime_day *its = &monitor->days[day];
	const int64_t seconds[PARTS] = {
		[PART_DOWN] = its->down_s,
		[PART_EXCLUDED] = its->excluded_s,
		[PART_PARTLY_DOWN] = its->partly_s,
		[PART_DEGRADED] = its->degraded_s - its->excluded_s - its->partly_s,
	};
	enum part worst = part_of_look(bar->look), now = part_now(monitor, day);
	const char *comma = "";
	for (enum part part = 0; part < PARTS; part++) {
		if (part != now && part != worst && seconds[part] == 0)
			continue;
		buf_puts(view->out, comma);
		comma = ", ";
		if (part == now)
			put_now(view, parts[part].goes_on,
				bars->since[at].s > 0 ? bars->since[at]
						      : monitor->open->started_at);
		else
			page_say_duration(view, parts[part].ended, seconds[part]);
	}
}

/* Appends how long the system was not observed on the day. If the day is today, and the system is
 * still not observed, appends since when. */
static void put_gap(const struct page_view *view, const struct page_monitor *monitor, size_t at)
{
	if (page_bar_is_in_gap(monitor, at))
		page_say_time(view, SAY_DAY_GAP_NOW, monitor->unobserved_since);
	else
		page_say_duration(view, SAY_DAY_GAP, monitor->days[at].unobserved_s);
}

static enum sentence quiet_word(int look)
{
	return look == BAR_MAINTENANCE ? SAY_DAY_MAINTENANCE
	       : look == BAR_UP	       ? SAY_DAY_UP
				       : SAY_DAY_NO_DATA;
}

/* Appends the title of the bar and the number of further incidents. If there is no title, appends
 * the number of incidents. */
static void put_incidents(const struct page_view *view, const struct bar *bar)
{
	const char *title = page_bar_title(view->snapshot, bar);
	if (!title && bar->incidents == 0)
		return;
	buf_puts(view->out, title ? " (" : ", ");
	if (!title)
		page_say_count(view, SAY_DAY_INCIDENTS, bar->incidents);
	else if (bar->incidents > 1)
		page_say_with(view, SAY_AND_MORE, 0,
			      WORD_VALUES({ "first", page_name_value(view, title) },
					  { "count",
					    arena_printf(view->arena, "%d", bar->incidents - 1) }));
	else
		buf_puts(view->out, page_name_value(view, title));
	buf_puts(view->out, title ? ")" : "");
}

/* Appends what happened on the day: "down for 1 h 5 min, no data for 2 h (Slow log-ins and 1
 * more)". */
static void put_what(const struct page_view *view, const struct page_bars *bars,
		     const struct bar *bar, size_t at, size_t day)
{
	const struct page_monitor *monitor = &view->snapshot->monitors[at];
	/* Today's bar shows no data if the system is not observed now, even if it was observed
	 * earlier. */
	bool is_today = bar->look == BAR_NO_DATA && bar->has_gap;
	bool is_gap_alone = is_today && monitor->days[day].known_s == 0;
	if (bar->look >= BAR_DEGRADED)
		put_downtime(view, bars, bar, at, day);
	else if (!is_gap_alone)
		page_say(view, is_today ? SAY_DAY_UP : quiet_word(bar->look));
	if (bar->has_gap && !is_gap_alone)
		buf_puts(view->out, ", ");
	if (bar->has_gap)
		put_gap(view, monitor, day);
	put_incidents(view, bar);
}

/* Appends the first cell of a row, for the days from `from` to before `end`. */
static void put_dates(const struct page_view *view, const struct page_bars *bars,
		      const struct bar *of, size_t from, size_t end)
{
	struct buf *out = view->out;
	const struct instant *starts = view->snapshot->calendar.starts;
	const char *link =
		page_bar_is_quiet(&of[from]) ? NULL : page_bars_link(view, bars, &of[from], from);
	if (end - from > 1)
		buf_printf(out, "<tr data-days=\"%zu\"><th scope=\"row\">", end - from);
	else
		buf_puts(out, "<tr><th scope=\"row\">");
	if (link)
		buf_printf(out, "<a href=\"%s\">", link);
	buf_puts(out, html_dates(view->locale, starts[from], starts[end - 1], view->arena));
	buf_puts(out, link ? "</a></th><td>" : "</th><td>");
}

/* A day of a group. Its cell shows the system with the worst bar, and the number of the other
 * systems that are not quiet. */
struct group_day {
	const struct page_bars *bars;
	const struct page_group *group;
	size_t day;
};

static void put_worst(const struct page_view *view, const void *of)
{
	const struct group_day *its = of;
	const struct bar *bar = &its->group->bars[its->day];
	put_what(view, its->bars, bar, its->group->worst[its->day], its->day);
}

static void put_systems(const struct page_view *view, const void *of)
{
	const struct group_day *its = of;
	size_t worst = its->group->worst[its->day], others = its->group->others[its->day];
	const char *name = page_name_value(view, view->snapshot->monitors[worst].name);
	const char *count = arena_printf(view->arena, "%zu", others);
	if (others > 0)
		page_say_with(view, SAY_SYSTEM_AND_MORE, others,
			      WORD_VALUES({ "first", name }, { "count", count }));
	else
		buf_puts(view->out, name);
}

static void put_group_day(const struct page_view *view, const struct group_day *its)
{
	if (page_bar_is_quiet(&its->group->bars[its->day]))
		put_worst(view, its);
	else
		page_say_with(view, SAY_MONITOR_AND_TITLE, 0,
			      WORD_VALUES({ "monitor", page_value(view, put_systems, its) },
					  { "title", page_value(view, put_worst, its) }));
}

static void begin_rows(const struct page_view *view, const char *id, const char *name)
{
	buf_printf(view->out, "<tbody id=\"days-%s\">", id);
	buf_puts(view->out, "<tr><th colspan=\"2\" scope=\"rowgroup\" dir=\"auto\">");
	page_put_name(view, name);
	buf_puts(view->out, "</th></tr>\n");
}

/* Appends the days of a system as rows; adjacent quiet days share a row. */
static void put_rows(const struct page_view *view, const struct page_bars *bars, size_t at)
{
	const struct page_monitor *monitor = &view->snapshot->monitors[at];
	const struct bar *of = &bars->bars[at * UPTIME_DAYS];
	begin_rows(view, page_bars_id(view, at), monitor->name);
	for (size_t i = 0, end; i < UPTIME_DAYS; i = end) {
		end = page_bars_end_of_run(of, i);
		put_dates(view, bars, of, i, end);
		put_what(view, bars, &of[i], at, i);
		buf_puts(view->out, "</td></tr>\n");
	}
	buf_puts(view->out, "</tbody>\n");
}

static void put_group_rows(const struct page_view *view, const struct page_bars *bars,
			   const struct page_group *group)
{
	begin_rows(view, page_bars_group_id(view, bars, group), group->name);
	for (size_t i = 0, end; i < UPTIME_DAYS; i = end) {
		end = page_bars_end_of_run(group->bars, i);
		put_dates(view, bars, group->bars, i, end);
		put_group_day(view, &(struct group_day){ bars, group, i });
		buf_puts(view->out, "</td></tr>\n");
	}
	buf_puts(view->out, "</tbody>\n");
}

void page_put_bars_table(const struct page_view *view, const struct page_bars *bars)
{
	struct buf *out = view->out;
	page_say_in(view, "<details class=\"table\"><summary>", SAY_DOWNTIME_TABLE,
		    "</summary>\n<table><thead><tr><th scope=\"col\">");
	page_say_with(view, SAY_DAYS_HEADING, 0,
		      WORD_VALUES({ "zone", locale_zone_name(view->locale, view->snapshot->now) }));
	page_say_in(view, "</th><th scope=\"col\">", SAY_DOWNTIME, "</th></tr></thead>\n");
	for (size_t i = 0; i < view->snapshot->monitor_count; i++)
		put_rows(view, bars, i);
	for (size_t i = 0; i < bars->group_count; i++)
		put_group_rows(view, bars, &bars->groups[i]);
	buf_puts(out, "</table></details>\n");
}
