/*
 * GET /api/v1/openapi.json: the API as OpenAPI 3.1, with this installation's address.
 *
 * The document is made of the routes, the field tables of their requests and resources, and
 * src/app/openapi/openapi.json, which has what those do not state and is laid over them.
 */
#ifndef APP_OPENAPI_OPENAPI_H
#define APP_OPENAPI_OPENAPI_H

#include "app/exchange.h"

/* Writes the document, with the address of the example; ask buf_ok(). */
void openapi_write(struct buf *out);

enum result openapi_show(struct exchange *exchange);

#endif
