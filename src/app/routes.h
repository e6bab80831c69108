/* The table of routes: every path that the service serves. */
#ifndef APP_ROUTES_H
#define APP_ROUTES_H

#include "base/field.h"
#include "domain/account/principal.h"
#include "http/router.h"

struct console_screen;
struct exchange;
struct resource;

/*
 * The routes of one resource. The names of schemas begin with `name`: for "StatusPage" the bodies
 * are StatusPageCreate..., StatusPageUpdate... and StatusPageOverride..., and the responses
 * StatusPageAnswer and StatusPageList. If `name` is NULL, openapi.json describes the responses.
 */
struct api_group {
	const char *tag;
	const char *name;
	const char *noun; /* in texts: "the page" */
	/* The resource that the routes list and show; NULL: none. */
	const struct resource *resource;
	const struct fields *shown;  /* fields of the responses if there is no resource; NULL:
					openapi.json has the schema */
	const struct fields *update; /* the fields of an update; NULL: none */
	const char *listed_text;     /* how an object in a list differs from the object alone */
	bool is_one;		     /* the resource is a single object, with no id and no list */
};

struct app_route {
	struct route route;
	enum permission permission; /* the permission that the principal needs */
	enum result (*handle)(struct exchange *exchange);
	const struct fields *fields; /* the fields of the request; NULL: none */

	/* The members below are for openapi.json: see app/openapi/openapi.h. */
	/* NULL for a route of the pages. A route of the console has the group of its resource, but
	 * openapi.json does not have the route. */
	const struct api_group *group;
	const char *id;	  /* operationId */
	const char *text; /* summary */
	const char *body; /* name of the body's schema, if the group has no name */

	const struct console_screen *screen; /* the screen of a route of the console; NULL: none */
};

/* All routes. The test of openapi.json also reads them. */
extern const struct app_route app_routes[];
extern const size_t app_route_count;

/*
 * Convert a route's pattern to a number, for counts, and back. All processes of a version have the
 * same numbers. An unknown path (NULL) has the number 0, whose pattern is "-", as in the log.
 */
enum { APP_ROUTE_NUMBERS = 288 };
size_t app_route_number(const char *pattern);
const char *app_route_pattern(size_t number);

/*
 * Sets *route to the route of a request, or to NULL, and fills in *match. Returns the results of
 * router_result(). A mirror has only the routes for visitors, for its origin and for its operator.
 */
enum result app_route_find(const struct request *request, bool is_mirror, struct route_match *match,
			   const struct app_route **route);

#endif
