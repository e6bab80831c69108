/* The bars of systems: a bar for each of the last days. Only for this folder. */
#ifndef VIEW_PAGE_PAGE_BARS_H
#define VIEW_PAGE_PAGE_BARS_H

#include "view/page/page_parts.h"

/* The look of a day of a system, from the least to the most serious. */
enum bar_look {
	BAR_NO_DATA,
	BAR_UP,
	BAR_MAINTENANCE,
	BAR_DEGRADED,
	BAR_PARTLY_DOWN,
	BAR_EXCLUDED, /* down, but not counted */
	BAR_SOME_DOWN,
	BAR_DOWN,
	BAR_LOOKS
};

struct bar {
	uint8_t look; /* enum bar_look */
	bool has_gap; /* the system was not observed for a part of the day, or is not now */
	uint16_t incidents;
	/* The event to which the bar links: 1 + the index of an outage, or of a window after all
	 * outages; 0: no event. */
	uint32_t cause;
	uint32_t named; /* the same: the newest outage of an incident with a title */
};

/* A group of systems. Of each day it has the worst bar of its systems. */
struct page_group {
	const char *name;
	size_t count; /* its systems */
	struct bar bars[UPTIME_DAYS];
	size_t worst[UPTIME_DAYS];  /* the system with that bar */
	size_t others[UPTIME_DAYS]; /* the other systems whose bar is not quiet */
};

/* All bars of a page, oldest day first, and the facts about their days. */
struct page_bars {
	struct bar *bars; /* UPTIME_DAYS for each system */
	struct page_group *groups;
	size_t group_count, group_room;
	struct page_group all;	     /* all systems of the page; without a name */
	struct instant *since;	     /* of each system: when its present outage began; 0: none */
	uint32_t looks;		     /* a bit for each look that occurs */
	bool is_in_log[UPTIME_DAYS]; /* the log has a heading for the day */
};
void page_bars_make(struct page_bars *bars, const struct page_view *view);
/* When the incident or the window began that the bar links to; 0: the bar is no link. */
struct instant page_bar_began_at(const struct page_snapshot *snapshot, uint32_t cause);
/* Whether that day is today, and the system is not observed now, nor down. */
bool page_bar_is_in_gap(const struct page_monitor *monitor, size_t day);

/* Whether nothing happened on the day. */
bool page_bar_is_quiet(const struct bar *bar);
/* The index after the last day, from `from` on, of the same kind: adjacent quiet days are of one
 * kind. */
size_t page_bars_end_of_run(const struct bar *of, size_t from);
/* The title of the day's newest incident with a title, or of its window; NULL: none has one. */
const char *page_bar_title(const struct page_snapshot *snapshot, const struct bar *bar);
/* The group with this name; NULL: there is none. */
const struct page_group *page_bars_group(const struct page_bars *bars, const char *name);

/* The address of the day in the log, or of the day's event in the history. NULL: neither exists. */
const char *page_bars_link(const struct page_view *view, const struct page_bars *bars,
			   const struct bar *bar, size_t day);
/* The class of the elements of a look, and its sentence in the legend. */
const char *page_bar_class(const struct bar *bar);
enum sentence page_bar_legend(const struct bar *bar);
/* The id of the rows of a system, or of a group, in the table. */
const char *page_bars_id(const struct page_view *view, size_t at);
const char *page_bars_group_id(const struct page_view *view, const struct page_bars *bars,
			       const struct page_group *group);

/* Append the bars of the system with this index, or of a group, and their scale. */
void page_put_bars(const struct page_view *view, const struct page_bars *bars, size_t at);
void page_put_group_bars(const struct page_view *view, const struct page_bars *bars,
			 const struct page_group *group);
/* Appends the legend of all bars, and the table behind them. */
void page_put_bars_end(const struct page_view *view, const struct page_bars *bars);
void page_put_bars_table(const struct page_view *view, const struct page_bars *bars);

#endif
