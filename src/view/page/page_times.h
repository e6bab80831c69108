/* The response times of systems: a line for each system, and the table of all lines. Only for this
 * folder. */
#ifndef VIEW_PAGE_PAGE_TIMES_H
#define VIEW_PAGE_PAGE_TIMES_H

#include "view/page/page_parts.h"

/* Appends the line of the system with this index, and its average. Appends nothing if the system
 * has no response times. */
void page_put_times(const struct page_view *view, size_t at);
/* Appends the table of the lines, or nothing if no system has response times. is_short: a row for
 * each system, not for each hour. */
void page_put_times_table(const struct page_view *view, bool is_short);

#endif
