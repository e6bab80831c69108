/* The bars of systems: a bar for each of the last days. Only for this folder. */
#ifndef VIEW_PAGE_BARS_H
#define VIEW_PAGE_BARS_H

#include "view/page_parts.h"

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
};

/* All bars of a page, oldest day first, and the facts about their days. */
struct page_bars {
	struct bar *bars;	     /* UPTIME_DAYS for each system */
	uint32_t looks;		     /* a bit for each look that occurs */
	bool is_in_log[UPTIME_DAYS]; /* the log has a heading for the day */
};
void page_bars_make(struct page_bars *bars, const struct page_view *view);
/* When the incident or the window began that the bar links to; 0: the bar is no link. */
struct instant page_bar_began_at(const struct page_snapshot *snapshot, uint32_t cause);
/* Whether that day is today, and the system is not observed now, nor down. */
bool page_bar_is_in_gap(const struct page_monitor *monitor, size_t day);

/* Appends the bars of the system with this index. */
void page_put_bars(const struct page_view *view, const struct page_bars *bars, size_t at);
/* Appends the scale and the legend of all bars, and the table behind them. */
void page_put_bars_end(const struct page_view *view, const struct page_bars *bars);
/*
 * Appends "99.95 %", with the start of the record if it is later than the first day; or "no data".
 */
void page_put_percent(const struct page_view *view, const struct page_monitor *monitor);
/* Appends the percentage in a sentence: "99.95 % uptime in 90 days". */
void page_put_uptime(const struct page_view *view, const struct page_monitor *monitor);

#endif
