/*
 * The root of the installation and its robots.txt. Reads published files, not the database.
 */
#ifndef APP_PAGE_PAGE_INDEX_H
#define APP_PAGE_PAGE_INDEX_H

#include "app/exchange.h"

enum { PAGE_INDEX_MAX = 500 };

/* GET /: a 404, or the list of public pages, depending on [pages] index. */
enum result page_index_show(struct exchange *exchange);
/*
 * GET /s/{slug}/alive.svg: an empty picture, even if there is no such page; at the domain of a
 * private page only for admitted visitors. The picture tells the script of a page that the service
 * responds: a sandboxed page has no other way to ask.
 */
enum result page_index_sign(struct exchange *exchange);

/* GET /robots.txt: allows pages, disallows the API, hooks and internal paths. */
enum result page_index_robots(struct exchange *exchange);

#endif
