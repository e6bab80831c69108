/*
 * Header values of the form `value; name=token; name="quoted"`: Content-Type
 * (RFC 9110 8.3) and Content-Disposition (RFC 7578 4.2).
 *
 * The walk is strict about structure and says nothing of meaning.
 */
#ifndef WIRE_MEDIATYPE_H
#define WIRE_MEDIATYPE_H

#include <stdbool.h>

#include "base/str.h"
#include "wire/limits.h"

/* What a request's body is. */
enum body_type {
	BODY_NONE, /* no Content-Type */
	BODY_URLENCODED,
	BODY_MULTIPART,
	BODY_JSON,
	BODY_OTHER,
	BODY_MALFORMED, /* multipart without exactly one good boundary */
};

struct mediatype {
	enum body_type type;
	char boundary[WIRE_BOUNDARY_MAX_BYTES + 1]; /* BODY_MULTIPART only */
};

void mediatype_parse(struct str header, struct mediatype *mediatype);

/* A walk over the parameters. */
struct header_params {
	struct str rest;
	bool is_malformed;
	/* Values without quotes may be more than tokens: real clients send boundaries with
	 * '=', ':' and '/' in them. */
	bool is_lenient;
};

/* Takes the value before the first ';', blanks trimmed, and starts the walk. */
struct str header_value(struct str header, struct header_params *params);

enum { HEADER_PARAM_MAX_BYTES = WIRE_PART_HEADER_MAX_BYTES };

struct header_param {
	struct str name;
	struct str value; /* unquoted; into `storage` */
	char storage[HEADER_PARAM_MAX_BYTES];
};

/*
 * The next parameter, or false at the end; then params->is_malformed tells
 * whether the end was reached in good order. In quoted strings `\"` and `\\`
 * are unescaped and any other backslash is kept, since browsers of old sent
 * file names with them.
 */
bool header_next_param(struct header_params *params, struct header_param *param);

#endif
