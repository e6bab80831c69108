/*
 * Checks JSON text for violations of RFC 8259 that json-c accepts or changes: single quotes, NaN
 * and Infinity, raw control characters, unpaired surrogates, names with a NUL, and numbers such as
 * 01.5 and 1. at the end. Also counts containers and values, which determine the size of the tree.
 *
 * json-c detects all other violations. The text may come in pieces.
 */
#ifndef WIRE_JSON_SCAN_H
#define WIRE_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

enum json_number { JSON_NO_NUMBER, JSON_ZERO, JSON_DIGITS, JSON_POINT };

struct json_scan {
	enum json_number number; /* position within a number */
	bool is_in_string;
	bool is_escaped;   /* after a backslash */
	int digits_left;   /* digits of \uXXXX still to come */
	unsigned code;	   /* the code of \uXXXX so far */
	bool is_high;	   /* a high surrogate was read: a low one must follow */
	bool has_nul;	   /* the last string has \u0000, which is not allowed in a name */
	size_t containers; /* objects and lists so far */
	size_t values;	   /* commas so far: each container has at most one value more */
};

/* Checks one character. Returns the violation as a part of "The body is not valid JSON: it has
 * %s.", or NULL. */
const char *json_scan(struct json_scan *scan, char c);
/* Whether the text exceeds WIRE_JSON_MAX_CONTAINERS or WIRE_JSON_MAX_VALUES. */
bool json_scan_is_over(const struct json_scan *scan);

#endif
