/* The members of a JSON object as pairs, like those of a form. */
#ifndef WIRE_JSON_PAIRS_H
#define WIRE_JSON_PAIRS_H

#include "base/arena.h"
#include "wire/pairs.h"

struct json_object;

/*
 * Parses the text as a JSON object, and sends all its members to the sink. `arena` claims the
 * memory of the tree; NULL: no memory is claimed. Returns E_MALFORMED if the text is not a JSON
 * object, has more than WIRE_JSON_PARTS_MAX values, or a name of more than WIRE_NAME_MAX_BYTES.
 * Returns E_TOO_LARGE and E_BUSY like json_read_body().
 */
enum result json_decode(struct str text, struct arena *arena, struct pair_sink *sink,
			struct error *error) MUST_USE;

/* Sends one member to the sink, without a limit on the number of its values. */
enum result json_emit(struct pair_sink *sink, const char *key, struct json_object *value,
		      struct error *error) MUST_USE;

#endif
