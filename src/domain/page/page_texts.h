/*
 * Limits the length of the texts that people write on a page. The files of a page have a maximum
 * size: a page with longer texts could never be published again.
 */
#ifndef DOMAIN_PAGE_PAGE_TEXTS_H
#define DOMAIN_PAGE_PAGE_TEXTS_H

#include "domain/page/page_snapshot.h"

/*
 * The limit for the updates of all incidents of a page or a month. The texts of maintenance have a
 * separate limit of the same size. A byte of text may become six bytes of HTML. A byte of HTML may
 * become ten bytes of a feed.
 */
enum { PAGE_TEXTS_MAX_BYTES = 768 << 10 };

/* Removes the oldest updates until the remaining texts fit into PAGE_TEXTS_MAX_BYTES. Removes the
 * newest update of an incident last. */
void page_texts_limit_updates(struct page_incident *incidents, size_t count);

/* Limits the updates of the page's incidents, and the texts of its maintenance. */
void page_texts_limit(struct page_snapshot *snapshot);

/* Limits the texts of the month's maintenance, whose rows are sorted by window. */
void page_texts_limit_month(struct page_month *month);

#endif
