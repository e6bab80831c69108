/*
 * A public page's published files, where the web server does not serve them
 * itself (plain CGI, or a base_url with a path).
 *
 * Reads the disk only. A private or password page's files are not there for
 * anyone: its 404 is that of a page that does not exist.
 */
#ifndef APP_PAGE_FILES_H
#define APP_PAGE_FILES_H

#include "app/exchange.h"

/* GET /s/{slug}/, and a redirect to it without its slash: the page's links are relative. */
enum result page_files_index(struct exchange *exchange);
/* GET /s/{slug}/{file}, and /s/{slug}/api/v2/{file} for those who ask there. */
enum result page_files_show(struct exchange *exchange);

#endif
