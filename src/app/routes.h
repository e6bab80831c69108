/* The table of routes: every path that the service serves. */
#ifndef APP_ROUTES_H
#define APP_ROUTES_H

#include "base/field.h"
#include "domain/principal.h"
#include "http/router.h"

struct exchange;
struct resource;

/*
 * Routes of one resource, or of one kind. `name` begins the names of schemas: for "StatusPage"
 * the bodies are StatusPageCreate..., StatusPageUpdate... and StatusPageOverride..., and the
 * responses StatusPageAnswer and StatusPageList. NULL: openapi.json describes the responses.
 */
struct api_group {
	const char *tag;
	const char *name;
	const char *noun; /* in texts: "the page" */
	/* What lists and single objects are read by; NULL: there are none. */
	const struct resource *resource;
	const struct fields *shown;  /* without a resource; NULL: openapi.json has the schema */
	const struct fields *update; /* what an update takes; others are read-only */
	const char *listed_text;     /* how both differ */
	bool is_one;		     /* the resource has no id, and no list */
};

struct app_route {
	struct route route;
	enum permission permission; /* that the principal needs */
	enum result (*handle)(struct exchange *exchange);
	const struct fields *fields; /* what a request may carry; NULL for nothing */

	/* For openapi.json; see app/openapi/openapi.h. */
	const struct api_group *group; /* NULL: of the pages, and no part of the API */
	const char *id;		       /* operationId */
	const char *text;	       /* summary */
	const char *body;	       /* the body's schema, where the group does not name it */
};

/* All routes; the test of openapi.json reads them, too. */
extern const struct app_route app_routes[];
extern const size_t app_route_count;

/* The route of a request, else NULL; fills in *match. The results of router_result(). A mirror has
 * the routes for visitors, and its own. */
enum result app_route_find(const struct request *request, bool is_mirror, struct route_match *match,
			   const struct app_route **route);

#endif
