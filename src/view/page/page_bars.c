#include "view/page/page_bars.h"

#include <string.h>

/*
 * In the picture a day is 5 units wide and 30 units high. Adjacent quiet days are one horizontal
 * line, which the style sheet divides into dashes, one for each day. Any other day is a vertical
 * stroke. Looks differ in the colour of the stroke and in its gaps.
 */
static const struct {
	const char *class_name;
	const char *stroke; /* NULL: a quiet day */
	enum sentence legend;
} looks[] = {
	[BAR_NO_DATA] = { "n", NULL, SAY_NO_DATA },
	[BAR_UP] = { "u", NULL, SAY_BAR_UP },
	[BAR_MAINTENANCE] = { "m", "v9m0 3v6m0 3v9", SAY_BAR_MAINTENANCE },
	[BAR_DEGRADED] = { "g", "v6m0 4v20", SAY_BAR_DEGRADED },
	[BAR_PARTLY_DOWN] = { "g", "v6m0 4v20", SAY_BAR_DEGRADED },
	[BAR_EXCLUDED] = { "x", "v3m0 3.75v3m0 3.75v3m0 3.75v3m0 3.75v3", SAY_BAR_EXCLUDED },
	[BAR_SOME_DOWN] = { "s", "v13m0 4v13", SAY_BAR_SOME_DOWN },
	[BAR_DOWN] = { "d", "v20m0 4v6", SAY_BAR_DOWN },
};

const char *page_bar_class(const struct bar *bar)
{
	return looks[bar->look].class_name;
}

enum sentence page_bar_legend(const struct bar *bar)
{
	return looks[bar->look].legend;
}

/* Appends the uptime in percent. Adds the first known date if it is less than 90 days ago. */
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

/* Returns the group's system with the lowest uptime. Sets *differs to whether the uptimes of the
 * group's systems differ. */
static const struct page_monitor *lowest_of(const struct page_snapshot *snapshot,
					    const struct page_group *group, bool *differs)
{
	const struct page_monitor *lowest = NULL;
	int64_t least = -1;
	*differs = false;
	for (size_t i = 0; i < snapshot->monitor_count; i++) {
		const struct page_monitor *monitor = &snapshot->monitors[i];
		if (!monitor->group || strcmp(monitor->group, group->name) != 0)
			continue;
		int64_t its = uptime_permyriad(monitor->days, UPTIME_DAYS);
		*differs |= its >= 0 && least >= 0 && its != least;
		if (lowest && (its < 0 || (least >= 0 && its >= least)))
			continue;
		lowest = monitor;
		least = its;
	}
	return lowest;
}

/* The bars of a system or of a group, as one picture. */
struct strip {
	const struct page_monitor *monitor; /* of a group: the system with the lowest uptime */
	const struct bar *bars;
	const char *id; /* the id of the strip's rows in the table */
	bool is_lowest;
};

const char *page_bars_id(const struct page_view *view, size_t at)
{
	return arena_printf(view->arena, "%lld", (long long)view->snapshot->monitors[at].id);
}

const char *page_bars_group_id(const struct page_view *view, const struct page_bars *bars,
			       const struct page_group *group)
{
	return arena_printf(view->arena, "g%zu", (size_t)(group - bars->groups));
}

static struct strip strip_of(const struct page_view *view, const struct page_bars *bars, size_t at)
{
	const struct page_monitor *monitor = &view->snapshot->monitors[at];
	return (struct strip){ monitor, &bars->bars[at * UPTIME_DAYS], page_bars_id(view, at),
			       false };
}

static struct strip strip_of_group(const struct page_view *view, const struct page_bars *bars,
				   const struct page_group *group)
{
	struct strip strip = { .bars = group->bars };
	strip.monitor = lowest_of(view->snapshot, group, &strip.is_lowest);
	strip.id = page_bars_group_id(view, bars, group);
	return strip;
}

/* Appends the quiet days from `from` to before `end` as one line. */
static void put_quiet(const struct page_view *view, const struct bar *of, size_t from, size_t end)
{
	size_t left = 50 * from + 7, width = 50 * (end - from) - 14;
	buf_printf(view->out, "<path class=\"q %s\" d=\"M%zu.%zu 15h%zu.%zu\"/>",
		   looks[of[from].look].class_name, left / 10, left % 10, width / 10, width % 10);
}

/* Appends one path with the strokes of all days that have this look and are not quiet. */
static void put_strokes(const struct page_view *view, const struct bar *of, enum bar_look look)
{
	bool is_begun = false;
	for (size_t i = 0; i < UPTIME_DAYS; i++) {
		if (of[i].look != look || page_bar_is_quiet(&of[i]))
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

/* Appends the picture of a strip. The script finds the strip's rows in the table by strip->id. */
static void put_picture(const struct page_view *view, const struct strip *strip)
{
	struct buf *out = view->out;
	const struct bar *of = strip->bars;
	buf_printf(out,
		   "<div class=\"bars\" data-of=\"%s\"><svg viewBox=\"0 0 450 30\" "
		   "preserveAspectRatio=\"none\" role=\"img\" aria-label=\"",
		   strip->id);
	put_percent(view, strip->monitor, strip->is_lowest ? SAY_LOWEST_UPTIME : SAY_UPTIME_IN_DAYS,
		    strip->is_lowest ? SAY_LOWEST_SINCE : SAY_UPTIME_SINCE);
	buf_puts(out, "\">");
	for (size_t i = 0, end; i < UPTIME_DAYS; i = end) {
		end = page_bars_end_of_run(of, i);
		if (page_bar_is_quiet(&of[i]))
			put_quiet(view, of, i, end);
	}
	for (enum bar_look look = 0; look < BAR_LOOKS; look++)
		put_strokes(view, of, look);
	buf_puts(out, "</svg></div>\n");
}

static void put_strip(const struct page_view *view, const struct strip *strip)
{
	put_picture(view, strip);
	buf_puts(view->out, "<p class=\"scale\"><span>");
	page_say_with(view, SAY_DAYS_AGO, UPTIME_DAYS,
		      WORD_VALUES({ "days", arena_printf(view->arena, "%d", UPTIME_DAYS) }));
	buf_puts(view->out, "</span> <span class=\"rate\">");
	put_percent(view, strip->monitor, strip->is_lowest ? SAY_LOWEST_UPTIME : SAY_PERCENT_UPTIME,
		    strip->is_lowest ? SAY_LOWEST_SINCE : SAY_UPTIME_SINCE);
	page_say_in(view, "</span> <span>", SAY_TODAY, "</span></p>\n");
}

void page_put_bars(const struct page_view *view, const struct page_bars *bars, size_t at)
{
	const struct strip strip = strip_of(view, bars, at);
	put_strip(view, &strip);
}

void page_put_group_bars(const struct page_view *view, const struct page_bars *bars,
			 const struct page_group *group)
{
	const struct strip strip = strip_of_group(view, bars, group);
	put_strip(view, &strip);
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
	/* BAR_PARTLY_DOWN is drawn like BAR_DEGRADED, so the legend has only one key for both. */
	uint32_t shown = bars->looks;
	if (shown & 1U << BAR_PARTLY_DOWN)
		shown = (shown & ~(1U << BAR_PARTLY_DOWN)) | 1U << BAR_DEGRADED;
	buf_puts(out, "<ul class=\"legend\">\n<li>");
	page_say_with(view, SAY_BARS_MEAN, 0,
		      WORD_VALUES({ "zone", locale_zone_name(view->locale, view->snapshot->now) }));
	page_say_in(view, " ", SAY_ONLY_OUTAGES_COUNT, "</li>\n");
	for (enum bar_look look = 0; look < BAR_LOOKS; look++)
		if (shown & 1U << look)
			put_key(view, look);
	buf_puts(out, "</ul>\n");
	page_put_bars_table(view, bars);
}
