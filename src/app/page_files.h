/*
 * GET /s/{slug}/{file}: a public page's published file, where the web server
 * does not serve it itself (plain CGI, or a base_url with a path).
 *
 * Reads the disk only. A private or password page's files are not there for
 * anyone: its 404 is that of a page that does not exist.
 */
#ifndef APP_PAGE_FILES_H
#define APP_PAGE_FILES_H

#include "app/exchange.h"

enum result page_files_show(struct exchange *exchange);

#endif
