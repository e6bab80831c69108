#include "view/page/page_systems.h"

#include <string.h>

#include "base/str.h"
#include "view/page/page_times.h"

enum {
	/* A page with at most this number of systems has all groups unfolded. */
	OPEN_GROUPS_MAX = 12,
	COMPACT_MIN = 30,  /* with this number of systems or more, rows are compact */
	SEARCHED_MIN = 21, /* with this number of systems or more, the script offers a search */
};

/* Returns whether the system is in the group. If `group` is NULL: whether the system has no
 * group. */
static bool is_in(const struct page_monitor *monitor, const char *group)
{
	return group && monitor->group ? strcmp(monitor->group, group) == 0
				       : group == monitor->group;
}

static void put_system(const struct page_view *view, const struct page_bars *bars, size_t at)
{
	struct buf *out = view->out;
	const struct page_monitor *monitor = &view->snapshot->monitors[at];
	enum system_state state = page_monitor_state(monitor);
	buf_puts(out, "<li><div class=\"row\"><span class=\"name\"><bdi>");
	page_put_name(view, monitor->name);
	buf_puts(out, "</bdi></span> ");
	page_put_state(view, page_tone_of_state(state), SAY_NO_DATA + (enum sentence)state);
	buf_puts(out, "</div>\n");
	if (monitor->description) {
		buf_puts(out, "<p class=\"about\" dir=\"auto\">");
		page_put_name(view, monitor->description);
		buf_puts(out, "</p>\n");
	}
	page_put_bars(view, bars, at);
	page_put_times(view, at);
	buf_puts(out, "</li>\n");
}

/* Appends those systems with an index from `from` to `to` - 1 that are in the group. */
static void put_list(const struct page_view *view, const struct page_bars *bars, const char *group,
		     size_t from, size_t to)
{
	const struct page_snapshot *snapshot = view->snapshot;
	buf_puts(view->out, "<ul class=\"systems\">\n");
	for (size_t i = from; i < to; i++)
		if (is_in(&snapshot->monitors[i], group))
			put_system(view, bars, i);
	buf_puts(view->out, "</ul>\n");
}

/* How many systems a group has, how many of them are operational, and the worst state. */
struct group_count {
	size_t total, operational;
	enum system_state worst;
};

static struct group_count count_group(const struct page_snapshot *snapshot, const char *group)
{
	struct group_count count = { .worst = SYSTEM_NO_DATA };
	for (size_t i = 0; i < snapshot->monitor_count; i++) {
		if (!is_in(&snapshot->monitors[i], group))
			continue;
		enum system_state state = page_monitor_state(&snapshot->monitors[i]);
		count.total++;
		count.operational += state == SYSTEM_OPERATIONAL;
		if (state > count.worst)
			count.worst = state;
	}
	return count;
}

static const char *number(const struct page_view *view, size_t count)
{
	return arena_printf(view->arena, "%zu", count);
}

static void put_group(const struct page_view *view, const struct page_bars *bars, const char *group)
{
	struct buf *out = view->out;
	struct group_count count = count_group(view->snapshot, group);
	enum tone tone = page_tone_of_state(count.worst);
	bool is_open = count.worst > SYSTEM_OPERATIONAL ||
		       view->snapshot->monitor_count <= OPEN_GROUPS_MAX;
	buf_printf(out, "<div class=\"folder\"><details class=\"group\"%s><summary><h3><bdi>",
		   is_open ? " open" : "");
	page_put_name(view, group);
	buf_printf(out, "</bdi></h3> <span class=\"state %s\">", page_tone_class(tone));
	page_put_sign(view, tone);
	page_say_with(view, SAY_COUNT_OPERATIONAL, 0,
		      WORD_VALUES({ "count", number(view, count.operational) },
				  { "total", number(view, count.total) }));
	buf_puts(out, "</span></summary>\n");
	put_list(view, bars, group, 0, view->snapshot->monitor_count);
	buf_puts(out, "</details>\n");
	/* The style sheet shows the group's bars while its systems are folded. */
	page_put_group_bars(view, bars, page_bars_group(bars, group));
	buf_puts(out, "</div>\n");
}

/* Returns whether the system is the first of its group. */
static bool begins_group(const struct page_snapshot *snapshot, size_t at)
{
	if (!snapshot->monitors[at].group)
		return false;
	for (size_t i = 0; i < at; i++)
		if (is_in(&snapshot->monitors[i], snapshot->monitors[at].group))
			return false;
	return true;
}

/* Appends all systems in the page's order. A group with all its systems is appended where its first
 * system is in this order. */
static void put_all(const struct page_view *view, const struct page_bars *bars)
{
	const struct page_snapshot *snapshot = view->snapshot;
	for (size_t i = 0, end; i < snapshot->monitor_count; i = end) {
		end = i + 1;
		if (begins_group(snapshot, i))
			put_group(view, bars, snapshot->monitors[i].group);
		if (snapshot->monitors[i].group)
			continue;
		/* Put the systems without a group that come before the next group into one list. */
		while (end < snapshot->monitor_count && !begins_group(snapshot, end))
			end++;
		put_list(view, bars, NULL, i, end);
	}
}

/* Appends the words for the search form, which the script adds to the page. */
static void put_search_words(const struct page_view *view)
{
	page_say_in(view, " data-find=\"", SAY_FIND_SYSTEM, "\"");
	page_say_in(view, " data-problems=\"", SAY_ONLY_PROBLEMS, "\"");
	page_say_in(view, " data-none=\"", SAY_NO_SUCH_SYSTEM, "\"");
}

void page_put_systems(const struct page_view *view, const struct page_bars *bars)
{
	const struct page_snapshot *snapshot = view->snapshot;
	if (snapshot->monitor_count == 0)
		return;
	struct local_time first = locale_time(view->locale, snapshot->calendar.starts[0]);
	buf_printf(view->out, "<section class=\"all%s\" data-from=\"%04d-%02d-%02d\"",
		   snapshot->monitor_count >= COMPACT_MIN ? " compact" : "", first.year,
		   first.month, first.day);
	if (snapshot->monitor_count >= SEARCHED_MIN)
		put_search_words(view);
	page_say_in(view, " aria-labelledby=\"systems\">\n<h2 id=\"systems\">", SAY_SYSTEMS,
		    "</h2>\n<div class=\"card\">\n");
	put_all(view, bars);
	buf_puts(view->out, "</div>\n");
	page_put_bars_end(view, bars);
	page_put_times_table(view, snapshot->monitor_count >= COMPACT_MIN);
	buf_puts(view->out, "</section>\n");
}
