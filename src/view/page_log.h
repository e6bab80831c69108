/* The log of the last days. Only for this folder. */
#ifndef VIEW_PAGE_LOG_H
#define VIEW_PAGE_LOG_H

#include "view/page_parts.h"

/* Newest first; quiet days next to each other share a line. */
void page_put_log(const struct page_view *view);

#endif
