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
 * StatusPageAnswer and StatusPageList. NULL: openapi.json describes the responses.
 */
struct api_group {
	const char *tag;
	const char *name;
	const char *noun; /* in texts: "the page" */
	/* Reads lists and single objects; NULL: the group has none. */
	const struct resource *resource;
	const struct fields *
		shown; /* fields of a group without a resource; NULL: openapi.json has the schema */
	const struct fields *update; /* the fields of an update; all others are read-only */
	const char *listed_text; /* how the resource in lists differs from the single resource */
	bool is_one;		 /* the resource has no id, and no list */
};

struct app_route {
	struct route route;
	enum permission permission; /* the permission that the principal needs */
	enum result (*handle)(struct exchange *exchange);
	const struct fields *fields; /* the fields of the request; NULL: none */

	/* For openapi.json; see app/openapi/openapi.h. */
	/* NULL: a route of the pages. A route of the console has the group of its resource, and is
	 * no part of the document. */
	const struct api_group *group;
	const char *id;	  /* operationId */
	const char *text; /* summary */
	const char *body; /* the body's schema, if the group does not name it */

	const struct console_screen *screen; /* the screen of a route of the console; NULL: none */
};

/* All routes; the test of openapi.json reads them, too. */
extern const struct app_route app_routes[];
extern const size_t app_route_count;

/*
 * A number for each pattern of a path, for counts: the same in all processes of a version. 0: the
 * path is unknown (NULL), and app_route_pattern() gives "-", as in the log.
 */
enum { APP_ROUTE_NUMBERS = 288 };
size_t app_route_number(const char *pattern);
const char *app_route_pattern(size_t number);

/*
 * Gives the route of a request, or NULL, and fills in *match. Returns the results of
 * router_result(). A mirror has the routes for visitors, and the routes for its origin.
 */
enum result app_route_find(const struct request *request, bool is_mirror, struct route_match *match,
			   const struct app_route **route);

#endif
