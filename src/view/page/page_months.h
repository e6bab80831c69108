/* The history below the log: the last months as calendars, and links to earlier months. Only for
 * this folder. */
#ifndef VIEW_PAGE_PAGE_MONTHS_H
#define VIEW_PAGE_PAGE_MONTHS_H

#include "view/page/page_bars.h"

void page_put_months(const struct page_view *view, const struct page_bars *bars);

#endif
