/* Limits the total length of the texts that people write on a page. Without this limit, a file of
 * the page could exceed its maximum size, and the page could not be published. */
#ifndef DOMAIN_PAGE_PAGE_TEXTS_H
#define DOMAIN_PAGE_PAGE_TEXTS_H

#include "domain/page/page_snapshot.h"

/*
 * The limit for all texts of incident updates on a page, or on the page of a month. The texts of
 * maintenance have a separate limit of this size. The limit is low, since a byte of text may become
 * six bytes of HTML, and a byte of HTML may become ten bytes of a feed.
 */
enum { PAGE_TEXTS_MAX_BYTES = 768 << 10 };

/* Removes the oldest updates until the remaining texts fit into PAGE_TEXTS_MAX_BYTES. Removes the
 * newest update of an incident last. */
void page_texts_limit_updates(struct page_incident *incidents, size_t count);

/* Limits the updates of the page's incidents, and the texts of its maintenance. */
void page_texts_limit(struct page_snapshot *snapshot);

/* Limits the texts of the month's maintenance. The rows must be sorted by window. */
void page_texts_limit_month(struct page_month *month);

#endif
