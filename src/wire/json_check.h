/*
 * Checks JSON text for violations of RFC 8259 that json-c accepts or changes: single quotes, NaN
 * and Infinity, raw control characters, unpaired surrogates, names with a NUL, and numbers such as
 * 01.5 and 1. at the end. json-c detects all other violations.
 */
#ifndef WIRE_JSON_CHECK_H
#define WIRE_JSON_CHECK_H

#include "base/str.h"

struct json_extent {
	size_t bytes;
	size_t containers; /* objects and lists */
	size_t values;	   /* commas: each container has at most one value more */
};

/*
 * Measures the first value of the text, up to a comma, a colon or a bracket that does not belong to
 * the value. Returns a violation as the end of "The body is not valid JSON: ", found after
 * extent->bytes; or NULL.
 */
const char *json_check(struct str text, struct json_extent *extent);

#endif
