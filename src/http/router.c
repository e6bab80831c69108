#include "http/router.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/str.h"

static bool is_placeholder(struct str segment)
{
	return segment.len > 2 && segment.data[0] == '{';
}

/* Whether the request's path matches the pattern. Sets the ids and parameters in *match. */
static bool pattern_matches(const char *pattern, const struct request *request,
			    struct route_match *match)
{
	struct str rest = str_from(pattern + 1), segment;
	size_t at = 0, params = 0;
	if (rest.len == 0)
		return request->segment_count == 0;
	for (; str_split(&rest, '/', &segment); at++) {
		if (at == request->segment_count)
			return false;
		struct str given = str_from(request->segments[at]);
		if (str_eq(segment, STR("{id}"))) {
			if (!str_to_int64(given, &match->id) || match->id < 1)
				return false;
		} else if (str_eq(segment, STR("{update_id}")) ||
			   str_eq(segment, STR("{link_id}")) ||
			   str_eq(segment, STR("{subscriber_id}")) ||
			   str_eq(segment, STR("{session_id}"))) {
			if (!str_to_int64(given, &match->part_id) || match->part_id < 1)
				return false;
		} else if (is_placeholder(segment)) {
			if (given.len == 0)
				return false;
			if (params == ROUTE_PARAMS_MAX)
				die("router: %s has more than %d parameters", pattern,
				    ROUTE_PARAMS_MAX);
			match->params[params++] = given.data;
		} else if (!str_eq(segment, given)) {
			return false;
		}
	}
	return at == request->segment_count;
}

static void allow_add(struct route_match *match, const char *method)
{
	size_t len = strlen(match->allow);
	int added = snprintf(match->allow + len, sizeof(match->allow) - len, "%s%s",
			     len > 0 ? ", " : "", method);
	if ((size_t)added >= sizeof(match->allow) - len)
		die("router: more methods than Allow has room for");
}

bool router_try(struct route_match *match, const struct route *route, const struct request *request)
{
	struct route_match found = { 0 };
	if (!pattern_matches(route->pattern, request, &found) ||
	    (match->pattern && strcmp(match->pattern, route->pattern) != 0))
		return false;
	if (!match->pattern) {
		*match = found;
		match->pattern = route->pattern;
	}
	/* Allow does not list a POST that only stands for PUT or PATCH (_method). */
	if (!(route->flags & ROUTE_OVERRIDE)) {
		allow_add(match, route->method);
		if (strcmp(route->method, "GET") == 0)
			allow_add(match, "HEAD");
	}
	if (strcmp(route->method, request->method) != 0)
		return false;
	match->is_found = true;
	return true;
}

enum result router_result(const struct route_match *match)
{
	if (match->is_found)
		return OK;
	return match->pattern ? E_METHOD_NOT_ALLOWED : E_NOT_FOUND;
}
