/*
 * Looks over JSON text for what json-c takes although RFC 8259 has no such thing, or
 * which it would change: single quotes, NaN and Infinity, raw control characters, halves
 * of surrogate pairs, names cut at a NUL, numbers such as 01.5 and 1. in front of an end.
 * Also counts containers and values, which tell what a tree of the text costs.
 *
 * All other violations are left to json-c. The text may come in pieces.
 */
#ifndef WIRE_JSON_SCAN_H
#define WIRE_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

enum json_number { JSON_NO_NUMBER, JSON_ZERO, JSON_DIGITS, JSON_POINT };

struct json_scan {
	enum json_number number; /* where in a number it is */
	bool is_in_string;
	bool is_escaped;   /* behind a backslash */
	int digits_left;   /* of \uXXXX */
	unsigned code;	   /* of \uXXXX, as far as it has come */
	bool is_high;	   /* the first half of a pair has come: the second must follow */
	bool has_nul;	   /* the newest string has \u0000: it is no name */
	size_t containers; /* objects and lists that have begun */
	size_t values;	   /* commas: a value more than these in each container at most */
};

/* Takes one character. What is wrong with it, for "The body is no JSON: it has %s."; else NULL. */
const char *json_scan(struct json_scan *scan, char c);
/* Whether the text has more than WIRE_JSON_MAX_CONTAINERS or WIRE_JSON_MAX_VALUES. */
bool json_scan_is_over(const struct json_scan *scan);

#endif
