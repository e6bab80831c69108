/* What has changed in the account (contract section 14). */
#ifndef APP_EVENTS_H
#define APP_EVENTS_H

#include "app/exchange.h"

extern const struct fields events_query_fields;

enum result events_list(struct exchange *exchange);

#endif
