/* The bars of systems: a bar for each of the last days. Only for this folder. */
#ifndef VIEW_PAGE_PAGE_BARS_H
#define VIEW_PAGE_PAGE_BARS_H

#include "view/page/page_parts.h"

/* The looks of a bar, from the least to the most serious. */
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
	/* the system was not observed for some time of the day, or the day is today and the system
	 * is not observed now */
	bool has_gap;
	uint16_t incidents;
	/* The event to which the bar links; 0: none. N is snapshot->outages[N - 1]. Numbers above
	 * outage_count are the snapshot's maintenance windows. */
	uint32_t cause;
	/* the day's newest outage with a title, numbered as in `cause`; 0: none */
	uint32_t named;
};

/* A group of systems. Its bar for a day is the worst bar of its systems. */
struct page_group {
	const char *name;
	size_t count; /* the number of its systems */
	struct bar bars[UPTIME_DAYS];
	size_t worst[UPTIME_DAYS];  /* the index of the system with this bar */
	size_t others[UPTIME_DAYS]; /* the number of other systems whose bar is not quiet */
};

/* All bars of a page, oldest day first, and data that the bars share. */
struct page_bars {
	struct bar *bars; /* UPTIME_DAYS for each system */
	struct page_group *groups;
	size_t group_count, group_room;
	struct page_group all;	     /* all systems of the page; without a name */
	struct instant *since;	     /* for each system: when its present impact began; 0: none */
	uint32_t looks;		     /* a bit for each look that occurs */
	bool is_in_log[UPTIME_DAYS]; /* the log has a heading for the day */
};
void page_bars_make(struct page_bars *bars, const struct page_view *view);
/* Returns when the incident or window with the number `cause` began. Returns 0 for `cause` 0. */
struct instant page_bar_began_at(const struct page_snapshot *snapshot, uint32_t cause);
/* Returns whether the day is today, and the system is not observed now and has no open incident. */
bool page_bar_is_in_gap(const struct page_monitor *monitor, size_t day);

/* Returns whether nothing happened on the day. */
bool page_bar_is_quiet(const struct bar *bar);
/* Returns the index after the run of days that begins at `from`. Adjacent quiet days with the same
 * look are one run. Any other day is a run by itself. */
size_t page_bars_end_of_run(const struct bar *of, size_t from);
/* Returns the title of the day's newest incident with a title. Without such an incident, returns
 * the title of the maintenance window that the bar shows. NULL: neither. */
const char *page_bar_title(const struct page_snapshot *snapshot, const struct bar *bar);
/* Returns the group with this name; NULL: there is none. */
const struct page_group *page_bars_group(const struct page_bars *bars, const char *name);

/* Returns a link to the day in the log, or else to the bar's event in the history. NULL: neither
 * exists. */
const char *page_bars_link(const struct page_view *view, const struct page_bars *bars,
			   const struct bar *bar, size_t day);
/* Return the CSS class of the bar's look, and the sentence about this look in the legend. */
const char *page_bar_class(const struct bar *bar);
enum sentence page_bar_legend(const struct bar *bar);
/* Return the id of the rows of a system, or of a group, in the table. */
const char *page_bars_id(const struct page_view *view, size_t at);
const char *page_bars_group_id(const struct page_view *view, const struct page_bars *bars,
			       const struct page_group *group);

/* Append the bars of the system with index `at`, or of a group, with the scale below them. */
void page_put_bars(const struct page_view *view, const struct page_bars *bars, size_t at);
void page_put_group_bars(const struct page_view *view, const struct page_bars *bars,
			 const struct page_group *group);
/* page_put_bars_end() appends the legend and the table of all bars, page_put_bars_table() only the
 * table. */
void page_put_bars_end(const struct page_view *view, const struct page_bars *bars);
void page_put_bars_table(const struct page_view *view, const struct page_bars *bars);

#endif
