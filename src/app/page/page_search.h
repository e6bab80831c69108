/*
 * The search in the history of a page: GET /s/{slug}/history?q=words. A visitor who may see the
 * page may search it. Reads the disk only, and is not stored by browsers or caches.
 */
#ifndef APP_PAGE_PAGE_SEARCH_H
#define APP_PAGE_PAGE_SEARCH_H

#include "app/exchange.h"

enum result page_search_show(struct exchange *exchange);

#endif
