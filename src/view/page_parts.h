/* Shared by the HTML of the page and of its history. Only for this folder. */
#ifndef VIEW_PAGE_PARTS_H
#define VIEW_PAGE_PARTS_H

#include "view/page.h"
#include "view/page_words.h"

/* Up to and with <body>. `part` (or NULL: the page itself) precedes the page's title. */
void page_put_head(struct buf *out, const struct page_snapshot *snapshot, const char *part,
		   struct arena *arena);
void page_put_header(struct buf *out, const struct status_page *page);
void page_put_footer(struct buf *out, const struct status_page *page);

/* The sentence in that element, and a line feed. */
void page_put_element(struct buf *out, const struct words *words, const char *element,
		      enum sentence sentence);

/* The name in that element, times, comment. */
void page_put_incident(struct buf *out, const struct page_snapshot *snapshot,
		       const struct incident *incident, const char *heading, struct arena *arena);
/* The file of the month in which the incident began. */
const char *page_incident_file(const struct incident *incident, struct arena *arena);

#endif
