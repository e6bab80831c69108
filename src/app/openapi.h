/*
 * GET /api/v1/openapi.json: the API as OpenAPI 3.1, with this installation's address.
 *
 * The document is made of the routes, the field tables of their requests and resources, and
 * src/app/openapi.json, which has what those do not state and is laid over them.
 */
#ifndef APP_OPENAPI_H
#define APP_OPENAPI_H

#include "app/exchange.h"

/*
 * Routes of one resource, or of one kind. `name` begins the names of schemas: for "StatusPage"
 * the bodies are StatusPageCreate..., StatusPageUpdate... and StatusPageOverride..., and the
 * responses StatusPageAnswer and StatusPageList. NULL: openapi.json describes the responses.
 */
struct api_group {
	const char *tag;
	const char *name;
	const char *noun;	     /* in texts: "the page" */
	const struct fields *shown;  /* of the resource; NULL: openapi.json has its schema */
	const struct fields *listed; /* in lists; NULL: the same */
	const struct fields *update; /* what an update takes; others are read-only */
	const char *listed_text;     /* how both differ */
};

/* Writes the document, with the address of the example; ask buf_ok(). */
void openapi_write(struct buf *out);

enum result openapi_show(struct exchange *exchange);

#endif
