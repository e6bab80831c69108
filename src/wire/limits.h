/*
 * All limits on input, with their reasons. Each limit has a test at the limit and one above it.
 */
#ifndef WIRE_LIMITS_H
#define WIRE_LIMITS_H

enum {
	/* The most bytes of a field's name. The longest name in the API has 20 bytes, but names may
	 * have brackets, and unknown fields may have longer names. */
	WIRE_NAME_MAX_BYTES = 1024,

	/* The most fields of a request, known or unknown: enough for a list of 1,000 monitors and a
	 * form. */
	WIRE_PARTS_MAX = 2000,
	/* The most values of a JSON body, including lists and objects: enough for 1,000 figures
	 * with three members each. */
	WIRE_JSON_PARTS_MAX = 5000,

	/* The most characters of a boundary, by RFC 2046 section 5.1.1. */
	WIRE_BOUNDARY_MAX_BYTES = 70,

	/* The most bytes and lines of a part's header: enough for a long file name and three short
	 * lines. */
	WIRE_PART_HEADER_MAX_BYTES = 4096,
	WIRE_PART_HEADER_MAX_LINES = 8,

	/* The most blanks between a boundary and the end of its line (RFC 2046). */
	WIRE_BOUNDARY_PADDING_MAX_BYTES = 64,

	/* The most bytes of a JSON body, which is in memory as a whole. A body with all fields is
	 * smaller, even if all characters of the two largest texts (64 KiB each) are escaped as
	 * \u00XX. */
	WIRE_JSON_MAX_BYTES = 1 << 20,
	/* The most bytes of a payload of alerts, whose list is read item by item: enough for an
	 * outage of 10,000 monitors. */
	WIRE_ALERTS_MAX_BYTES = 8 << 20,
	/* The most levels of objects and lists. A configuration has five: body, list of monitors,
	 * monitor, list of headers, header. Unknown fields may be deeper. */
	WIRE_JSON_MAX_DEPTH = 8,
	/*
	 * The most containers (objects and lists) and values: enough for 1,000 alerts, each with
	 * three objects and about 30 values. json-c needs a kilobyte for an empty object, so a body
	 * of one megabyte could otherwise need 350 megabytes.
	 */
	WIRE_JSON_MAX_CONTAINERS = 10000,
	WIRE_JSON_MAX_VALUES = 50000,
	/* The limits of an operator's file, which is read as a whole: enough for a configuration of
	 * 10,000 monitors and 1,000 status pages, some with 128 KiB of custom code. */
	WIRE_FILE_MAX_BYTES = 32 << 20,
	WIRE_FILE_MAX_CONTAINERS = 20000,
	WIRE_FILE_MAX_VALUES = 500000,
	/* The estimated bytes of memory for a container, and for a value, in a tree of json-c. */
	WIRE_JSON_CONTAINER_WEIGHT = 1024,
	WIRE_JSON_VALUE_WEIGHT = 256,

	/* The memory of a body or a response up to this many bytes is not counted in the budget of
	 * the process. */
	WIRE_SMALL_BYTES = 256 * 1024,

	/* The most bytes of one text value of a form. The limits of all fields are lower, so valid
	 * values never reach this limit. */
	WIRE_VALUE_MAX_BYTES = 256 * 1024,

	/* The most bytes of a query string. Web servers themselves reject more than 8 KiB. */
	WIRE_QUERY_MAX_BYTES = 8 * 1024,

	/* The most bytes of a path. The longest path of the service has 50 bytes and a slug. */
	WIRE_PATH_MAX_BYTES = 1024,

	/* The most bytes of a Content-Type with parameters, or of an Authorization header. */
	WIRE_HEADER_MAX_BYTES = 4096,

	/*
	 * The most memory of one request. Enough for a JSON body as a tree, which is larger than
	 * its text; for a list of 100 status pages with 128 KiB of custom code each; and for two
	 * images.
	 */
	WIRE_ARENA_MAX_BYTES = 256 << 20,
	/* The most bytes of a response: enough for a list of 100 status pages with 128 KiB of
	 * custom code each, which JSON escapes may make six times as long. */
	WIRE_RESPONSE_MAX_BYTES = 128 << 20,
};

#endif
