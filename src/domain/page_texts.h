/* How much text of people a page shows: its files have a limit, and a page above it is never
 * published again. */
#ifndef DOMAIN_PAGE_TEXTS_H
#define DOMAIN_PAGE_TEXTS_H

#include "domain/page_snapshot.h"

/*
 * Of the updates of the incidents of a page or of a month, and of the texts of maintenance. A byte
 * of text is up to six of HTML, which is up to ten in a feed.
 */
enum { PAGE_TEXTS_MAX_BYTES = 768 << 10 };

/* Takes the oldest updates away until all have PAGE_TEXTS_MAX_BYTES; the newest of each incident go
 * last. */
void page_texts_limit_updates(struct page_incident *incidents, size_t count);

/* Limits the updates of the page's incidents, and the texts of its maintenance. */
void page_texts_limit(struct page_snapshot *snapshot);

/* Limits the texts of the month's maintenance, whose rows are by window. */
void page_texts_limit_month(struct page_month *month);

#endif
