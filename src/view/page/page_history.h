/* Links to days of the log and of the months of history. */
#ifndef VIEW_PAGE_PAGE_HISTORY_H
#define VIEW_PAGE_PAGE_HISTORY_H

#include "view/page/page_parts.h"

/* Returns "day-2026-11-20", the id of a day in the log and in its month. */
const char *page_day_id(const struct page_view *view, struct instant day);
/* Returns the address of the day of this time in the history; NULL: no file has the day. Months are
 * months of UTC, but days are days of the page's zone. */
const char *page_history_link(const struct page_view *view, struct instant at);

#endif
