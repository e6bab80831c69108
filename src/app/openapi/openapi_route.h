/* What openapi.json says about a route: its kind and its parameters. */
#ifndef APP_OPENAPI_OPENAPI_ROUTE_H
#define APP_OPENAPI_OPENAPI_ROUTE_H

#include "app/routes.h"

struct json_object;

bool openapi_has_id(const struct app_route *route);
bool openapi_is_item(const struct app_route *route);
bool openapi_is_read(const struct app_route *route);
bool openapi_is_change(const struct app_route *route);
/* Whether the request may withdraw a status page from visitors. */
bool openapi_takes_pages_away(const struct app_route *route);
/* Whether the document has the route. */
bool openapi_has(const struct app_route *route);
bool openapi_is_delete(const struct app_route *route);
bool openapi_is_create(const struct app_route *route);
bool openapi_takes_tag(const struct app_route *route);
bool openapi_has_body(const struct app_route *route);
bool openapi_is_single(const struct app_route *route);

/* Adds the parameters of the path, of the query and of the headers to the operation. */
void openapi_put_parameters(struct json_object *operation, const struct app_route *route);

#endif
