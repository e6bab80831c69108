/* The response times of systems: a line chart for each system, and a table of all systems. Only for
 * this folder. */
#ifndef VIEW_PAGE_PAGE_TIMES_H
#define VIEW_PAGE_PAGE_TIMES_H

#include "view/page/page_parts.h"

/* Appends the line chart and the average of the system with index `at`, or nothing if the system
 * has no response times. */
void page_put_times(const struct page_view *view, size_t at);
/* Appends the table, or nothing if no system has response times. is_short: the table has a row for
 * each system; false: a row for each hour of each system. */
void page_put_times_table(const struct page_view *view, bool is_short);

#endif
