/* The members of a JSON object as pairs, like those of a form. */
#ifndef WIRE_JSON_PAIRS_H
#define WIRE_JSON_PAIRS_H

#include "base/arena.h"
#include "wire/pairs.h"

struct json_object;

/*
 * Parses the text as a JSON object, and sends all its members to the sink. The arena claims the
 * memory of the tree; NULL: none. E_MALFORMED: not a JSON object, more than WIRE_JSON_PARTS_MAX
 * values, or a name of more than WIRE_NAME_MAX_BYTES. E_TOO_LARGE, E_BUSY: as json_read_body().
 */
enum result json_decode(struct str text, struct arena *arena, struct pair_sink *sink,
			struct error *error) MUST_USE;

/* Sends one member, which may have any number of values. */
enum result json_emit(struct pair_sink *sink, const char *key, struct json_object *value,
		      struct error *error) MUST_USE;

#endif
