/* The report of a month, and links to it. Only for this folder. */
#ifndef VIEW_PAGE_PAGE_REPORT_H
#define VIEW_PAGE_PAGE_REPORT_H

#include "view/page/page_parts.h"

/* Appends a link to the report. The sentence has the value {month}. */
void page_put_report_link(const struct page_view *view, const struct page_report_month *month,
			  enum sentence sentence);

#endif
