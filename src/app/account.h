/* GET /api/v1/account: whose key this is, what it may do, and how much the account has used. */
#ifndef APP_ACCOUNT_H
#define APP_ACCOUNT_H

#include "app/exchange.h"

enum result account_show(struct exchange *exchange);
extern const struct fields account_shown_fields;

#endif
