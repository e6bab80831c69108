/*
 * Every limit on what a client can send, with its reason. Each has a test at
 * the limit and one beyond.
 */
#ifndef WIRE_LIMITS_H
#define WIRE_LIMITS_H

enum {
	/* The longest field name of the API has 20 bytes; brackets and what other tools invent. */
	WIRE_NAME_MAX_BYTES = 1024,

	/* What one request may name, known or not: a list of 1,000 monitors and room for a form. */
	WIRE_PARTS_MAX = 2000,

	/* A boundary has 1 to 70 characters (RFC 2046 5.1.1). */
	WIRE_BOUNDARY_MAX_BYTES = 70,

	/* All header lines of one part: a long file name and three short lines. */
	WIRE_PART_HEADER_MAX_BYTES = 4096,
	WIRE_PART_HEADER_MAX_LINES = 8,

	/* Blanks between a boundary and the end of its line (RFC 2046 calls them padding). */
	WIRE_BOUNDARY_PADDING_MAX_BYTES = 64,

	/* The two largest texts are 64 KiB each; escaped as \u00XX a JSON body of both and
	 * all the rest stays below this. Larger ones would be kept in memory whole. */
	WIRE_JSON_MAX_BYTES = 1 << 20,
	/* A payload of alerts, which is read item by item: those of an outage of 10,000 monitors.
	 */
	WIRE_ALERTS_MAX_BYTES = 8 << 20,
	/* Values of the API are flat but for one list. */
	WIRE_JSON_MAX_DEPTH = 8,
	/* A payload of 1,000 alerts has three objects and some 30 values each. An empty object
	 * costs json-c a kilobyte: a megabyte of them would be 350. */
	WIRE_JSON_MAX_CONTAINERS = 10000,
	WIRE_JSON_MAX_VALUES = 50000,
	/* What each costs, as parsed. */
	WIRE_JSON_CONTAINER_WEIGHT = 1024,
	WIRE_JSON_VALUE_WEIGHT = 256,

	/* A body or an answer that needs less never waits for memory. */
	WIRE_SMALL_BYTES = 256 * 1024,

	/* One text value of a form. Above every field's own limit, so that this is met only
	 * by what would be refused anyway. */
	WIRE_VALUE_MAX_BYTES = 256 * 1024,

	/* A query string; web servers refuse longer ones themselves (8 KiB). */
	WIRE_QUERY_MAX_BYTES = 8 * 1024,

	/* A request's path; ours have 50 bytes and a slug. */
	WIRE_PATH_MAX_BYTES = 1024,

	/* A Content-Type with its parameters, and what may stand in an Authorization header. */
	WIRE_HEADER_MAX_BYTES = 4096,

	/* All variables of a request by FastCGI. Caddy and Apache hand on header lines of up to
	 * some 1 MB together, other web servers of 32 KiB. */
	WIRE_PARAMS_MAX_BYTES = 2 << 20,

	/* What one request can make us keep: a JSON body as parsed (its nodes weigh more than
	 * its text), a page of 100 status pages with 128 KiB of custom code each, two images. */
	WIRE_ARENA_MAX_BYTES = 256 << 20,
	/* The same list of 100, each byte of custom code escaped to six. */
	WIRE_RESPONSE_MAX_BYTES = 128 << 20,
};

#endif
