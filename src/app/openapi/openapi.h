/*
 * GET /api/v1/openapi.json: the API as OpenAPI 3.1, with this installation's address.
 *
 * The document is generated from the routes and the field tables of requests and resources.
 * src/app/openapi/openapi.json has the parts that the tables do not state, and is merged over the
 * generated document.
 */
#ifndef APP_OPENAPI_OPENAPI_H
#define APP_OPENAPI_OPENAPI_H

#include "app/exchange.h"

/* Writes the document with the placeholder address; then check buf_ok(). */
void openapi_write(struct buf *out);

enum result openapi_show(struct exchange *exchange);

#endif
