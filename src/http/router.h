/*
 * Finds the handler of a path and a method in a table of routes, which is searched in order.
 */
#ifndef HTTP_ROUTER_H
#define HTTP_ROUTER_H

#include <stdint.h>

#include "base/error.h"
#include "base/field.h"
#include "http/request.h"

struct exchange;
struct api_group;

enum route_flag {
	ROUTE_OPEN = 1 << 0,	  /* no key needed */
	ROUTE_OVERRIDE = 1 << 1,  /* a POST whose body must name PUT or PATCH in _method */
	ROUTE_HAS_QUERY = 1 << 2, /* `fields` are parameters of the query, not of the body */
};

struct route {
	const char *method; /* "GET" also handles HEAD */
	/* "{id}" stands for a positive integer, any other "{name}" for any segment. */
	const char *pattern;
	enum result (*handle)(struct exchange *exchange);
	unsigned flags;
	const struct fields *fields; /* what a request may carry; NULL for nothing */

	/* For openapi.json; see app/openapi.h. */
	const struct api_group *group; /* NULL: of the pages, and no part of the API */
	const char *id;		       /* operationId */
	const char *text;	       /* summary */
	const char *body;	       /* the body's schema, where the group does not name it */
};

enum { ROUTE_PARAMS_MAX = 2, ROUTE_ALLOW_SIZE = 64 };

struct route_match {
	const struct route *route;	      /* NULL unless router_find() returned OK */
	const char *pattern;		      /* that the path matches; NULL for an unknown path */
	int64_t id;			      /* of {id} */
	const char *params[ROUTE_PARAMS_MAX]; /* of the other placeholders, in order; borrowed */
	char allow[ROUTE_ALLOW_SIZE];	      /* the path's methods, for Allow */
};

/*
 * Fills in *match. E_NOT_FOUND: an unknown path, or an {id} out of range;
 * E_METHOD_NOT_ALLOWED: a known path without this method.
 */
enum result router_find(const struct route *routes, size_t count, const struct request *request,
			struct route_match *match);

#endif
