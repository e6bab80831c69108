/* The systems of a page, in their groups. Only for this folder. */
#ifndef VIEW_PAGE_PAGE_SYSTEMS_H
#define VIEW_PAGE_PAGE_SYSTEMS_H

#include "view/page/page_bars.h"

void page_put_systems(const struct page_view *view, const struct page_bars *bars);

#endif
