/*
 * Finds the row of a table of routes for a path and a method. The table belongs to the caller,
 * whose rows embed a struct route:
 *
 *   struct route_match match = { 0 };
 *   for (size_t i = 0; i < count; i++)
 *           if (router_try(&match, &rows[i].route, request))
 *                   found = &rows[i];
 *   return router_result(&match);
 */
#ifndef HTTP_ROUTER_H
#define HTTP_ROUTER_H

#include <stdint.h>

#include "base/error.h"
#include "http/request.h"

enum route_flag {
	ROUTE_OPEN = 1 << 0,	  /* no key needed */
	ROUTE_OVERRIDE = 1 << 1,  /* a POST whose body must name PUT or PATCH in _method */
	ROUTE_HAS_QUERY = 1 << 2, /* the fields are parameters of the query, not of the body */
	ROUTE_ON_MIRROR = 1 << 3, /* available on mirrors, too, although a mirror has no database */
	ROUTE_ACCEPTS = 1 << 4,	  /* a POST that creates nothing: the status is 202 instead of
				     201 */
	ROUTE_CONSOLE = 1 << 5,	  /* a route of the console: for users with a session, or with
				     ROUTE_OPEN for everybody */
	ROUTE_FRESH = 1 << 6,	/* for users who confirmed their identity within the last minutes */
	ROUTE_OWN = 1 << 8,	/* for a user's own sign-in data: allowed even without the second
				 * factor that the account demands */
	ROUTE_PREVIEW = 1 << 7, /* shown in a frame of a console screen; changes nothing */
};

struct route {
	const char *method; /* "GET" also handles HEAD */
	/* "{id}", "{update_id}", "{link_id}", "{subscriber_id}" and "{session_id}" match a positive
	 * integer. Any other "{name}" matches any segment. */
	const char *pattern;
	unsigned flags;
};

enum { ROUTE_PARAMS_MAX = 2, ROUTE_ALLOW_SIZE = 64 };

struct route_match {
	bool is_found;	     /* a route matches the path and the method */
	const char *pattern; /* the pattern that the path matches; NULL: unknown path */
	int64_t id;	     /* the value of {id} */
	int64_t part_id;     /* the value of any other placeholder for an id, such as {update_id} */
	const char *params[ROUTE_PARAMS_MAX]; /* the values of placeholders that are not ids, in
						 order; borrowed */
	char allow[ROUTE_ALLOW_SIZE];	      /* the path's methods, for Allow */
};

/*
 * Compares the request with a route of the table. Returns true if the route handles the request.
 * Call it for all routes in the table's order, even after a match, because match->allow needs all
 * of them. *match begins as zeros.
 */
bool router_try(struct route_match *match, const struct route *route,
		const struct request *request);
/*
 * Returns the result after all routes were tried. E_NOT_FOUND: an unknown path, or an {id} out of
 * range. E_METHOD_NOT_ALLOWED: a known path without this method.
 */
enum result router_result(const struct route_match *match);

#endif
