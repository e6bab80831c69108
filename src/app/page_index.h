/*
 * The root of the installation's own address, and its robots.txt. Knows of pages what is
 * published, and asks no database.
 */
#ifndef APP_PAGE_INDEX_H
#define APP_PAGE_INDEX_H

#include "app/exchange.h"

enum { PAGE_INDEX_MAX = 500 };

/* GET /: nothing, or the public pages by name, as [pages] index says. */
enum result page_index_show(struct exchange *exchange);
/* GET /robots.txt: pages may be indexed, the API may not. */
enum result page_index_robots(struct exchange *exchange);

#endif
