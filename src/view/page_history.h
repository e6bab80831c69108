/* Links to days of the log and of the months of history. */
#ifndef VIEW_PAGE_HISTORY_H
#define VIEW_PAGE_HISTORY_H

#include "view/page_parts.h"

/* "day-2026-11-20", the id of a day in the log and in its month. */
const char *page_day_id(const struct page_view *view, struct instant day);
/*
 * The place in the history: what happened in a month (of UTC) is in the file of the month, below
 * the day of the page's zone. NULL: no file has it.
 */
const char *page_history_link(const struct page_view *view, struct instant at);

#endif
