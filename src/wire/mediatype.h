/*
 * Header values of the form `value; name=token; name="quoted"`: Content-Type (RFC 9110 section 8.3)
 * and Content-Disposition (RFC 7578 section 4.2).
 *
 * The functions check only the syntax, and do not interpret the parameters.
 */
#ifndef WIRE_MEDIATYPE_H
#define WIRE_MEDIATYPE_H

#include <stdbool.h>

#include "base/str.h"
#include "wire/limits.h"

/* The kind of a request's body. */
enum body_type {
	BODY_NONE, /* there is no Content-Type */
	BODY_URLENCODED,
	BODY_MULTIPART,
	BODY_JSON,
	BODY_OTHER,
	BODY_MALFORMED, /* multipart without exactly one valid boundary */
};

struct mediatype {
	enum body_type type;
	char boundary[WIRE_BOUNDARY_MAX_BYTES + 1]; /* for BODY_MULTIPART */
};

void mediatype_parse(struct str header, struct mediatype *mediatype);

/* An iteration over parameters. */
struct header_params {
	struct str rest;
	bool is_malformed;
	/* Accept a value without quotes even if it is not a token: clients send boundaries with
	 * '=', ':' and '/'. */
	bool is_lenient;
};

/* Returns the value before the first ';', without surrounding blanks. Prepares `params` for
 * header_next_param(). */
struct str header_value(struct str header, struct header_params *params);

enum { HEADER_PARAM_MAX_BYTES = WIRE_PART_HEADER_MAX_BYTES };

struct header_param {
	struct str name;
	struct str value; /* without quotes; may point to `storage` */
	char storage[HEADER_PARAM_MAX_BYTES];
};

/*
 * Reads the next parameter. Returns false at the end. Also returns false after a syntax error, and
 * then sets params->is_malformed. In quoted strings, only `\"` and `\\` are escapes. Other
 * backslashes stay, because old browsers send file names with backslashes.
 */
bool header_next_param(struct header_params *params, struct header_param *param);

#endif
