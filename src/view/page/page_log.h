/* The log of the last days. Only for this folder. */
#ifndef VIEW_PAGE_PAGE_LOG_H
#define VIEW_PAGE_PAGE_LOG_H

#include "view/page/page_parts.h"

/* Appends the days of the log, newest first. Adjacent days without entries share a line. */
void page_put_log(const struct page_view *view);
/* Returns whether the log has a heading for the day. `day`: the index of its bar. */
bool page_log_has_day(const struct page_view *view, size_t day);

#endif
