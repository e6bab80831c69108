/* Signed links of a status page (contract section 11). */
#ifndef APP_PAGE_LINKS_H
#define APP_PAGE_LINKS_H

#include "app/exchange.h"

enum result page_links_create(struct exchange *exchange);
enum result page_links_withdraw(struct exchange *exchange);

#endif
