/* GET /api/v1/openapi.json: the API as OpenAPI 3.1, with this installation's address. */
#ifndef APP_OPENAPI_H
#define APP_OPENAPI_H

#include "app/exchange.h"

enum result openapi_show(struct exchange *exchange);

#endif
