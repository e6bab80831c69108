/*
 * A page's published files, where the web server does not serve them itself:
 * those of pages that are not public, through app/page_admission, and all of them under
 * plain CGI. Reads the disk only.
 */
#ifndef APP_PAGE_FILES_H
#define APP_PAGE_FILES_H

#include "app/exchange.h"

/* GET /s/{slug}/, and a redirect to it without its slash: the page's links are relative. */
enum result page_files_index(struct exchange *exchange);
/* GET /s/{slug}/{file}, and /s/{slug}/api/v2/{file} for those who ask there. */
enum result page_files_show(struct exchange *exchange);

#endif
