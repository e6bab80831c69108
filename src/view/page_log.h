/* The log of the last days. Only for this folder. */
#ifndef VIEW_PAGE_LOG_H
#define VIEW_PAGE_LOG_H

#include "view/page_parts.h"

/* Newest first; quiet days next to each other share a line. */
void page_put_log(const struct page_view *view);
/* Whether the log has the day, which is that of the bars, under a heading of its own. */
bool page_log_has_day(const struct page_view *view, size_t day);

#endif
