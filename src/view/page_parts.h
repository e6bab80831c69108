/* What the page itself and its history share. Only for this folder's HTML. */
#ifndef VIEW_PAGE_PARTS_H
#define VIEW_PAGE_PARTS_H

#include "view/page.h"

/* Up to and with <body>. `title` (or NULL, the page itself) stands before the page's own. */
void page_put_head(struct buf *out, const struct page_snapshot *view, const char *title,
		   struct arena *arena);
void page_put_header(struct buf *out, const struct status_page *page);
void page_put_footer(struct buf *out);

/* The name in that element, times, comment. */
void page_put_incident(struct buf *out, const struct page_snapshot *view,
		       const struct incident *incident, const char *heading, struct arena *arena);
/* The file of the month in which the incident began. */
const char *page_incident_file(const struct incident *incident, struct arena *arena);
/* "November 2026" */
void page_put_month_name(struct buf *out, const struct page_month *month);

#endif
