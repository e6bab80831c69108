/*
 * The output of the urlencoded, multipart and JSON decoders: named values, which they send to a
 * sink, such as http/form.
 */
#ifndef WIRE_PAIRS_H
#define WIRE_PAIRS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"

enum pair_shape {
	PAIR_TEXT,	 /* text of a form, or a JSON string */
	PAIR_NUMBER,	 /* a JSON number, as it was written */
	PAIR_BOOLEAN,	 /* a JSON true or false */
	PAIR_NULL,	 /* a JSON null */
	PAIR_EMPTY_LIST, /* an empty JSON array */
	PAIR_NESTED,	 /* a nested JSON object or array; `value` is its JSON text */
	PAIR_OBJECT,	 /* a JSON object; its members follow as pairs: see has_members() */
	PAIR_FILE,	 /* a multipart part with a file name */
};

struct pair {
	/* `name` and `value` are decoded, and borrowed. An item of a JSON array has the name
	 * "name[]", or "name[7]" if has_members() is true for "name[7]". */
	struct str name;
	enum pair_shape shape;
	struct str value;
	struct str filename; /* of PAIR_FILE: the file name from the client, without folders */
};

/* Receives the pairs of a decoder. If take() fails, the decoder returns this failure. The sink is a
 * member of a struct of the caller: take() finds the struct with CONTAINER_OF. */
struct pair_sink {
	enum result (*take)(struct pair_sink *sink, const struct pair *pair, struct error *error);
	/*
	 * Returns whether the decoder sends the object with this name as several pairs: a
	 * PAIR_OBJECT, and a pair "name[member]" for each member. If it returns false, or
	 * has_members is NULL, the decoder sends the object as PAIR_NESTED.
	 */
	bool (*has_members)(struct pair_sink *sink, struct str name);
};

#endif
