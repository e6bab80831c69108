/* Links to days in the log and in the pages of months. */
#ifndef VIEW_PAGE_PAGE_HISTORY_H
#define VIEW_PAGE_PAGE_HISTORY_H

#include "view/page/page_parts.h"

/* Returns "day-2026-11-20", the HTML id of a day in the log and on the page of its month. */
const char *page_day_id(const struct page_view *view, struct instant day);
/* Returns a link to the local day of the time `at` on the page of its month. NULL: the month has no
 * page. Months are in UTC, days are in the page's time zone. */
const char *page_history_link(const struct page_view *view, struct instant at);

#endif
