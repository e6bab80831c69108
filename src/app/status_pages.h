/* The status-pages resource of the API (contract section 5). */
#ifndef APP_STATUS_PAGES_H
#define APP_STATUS_PAGES_H

#include "app/exchange.h"

enum result status_pages_create(struct exchange *exchange);
enum result status_pages_update(struct exchange *exchange);
enum result status_pages_delete(struct exchange *exchange);

#endif
