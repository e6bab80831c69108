/* Signed links of a status page (contract section 11). */
#ifndef APP_PAGE_LINKS_H
#define APP_PAGE_LINKS_H

#include "app/exchange.h"

extern const struct fields page_links_create_fields;

enum result page_links_create(struct exchange *exchange);

#endif
