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
	PAIR_NESTED,	 /* a nested JSON object or array, as JSON text */
	PAIR_OBJECT,	 /* a JSON object, whose members follow: see has_members() */
	PAIR_FILE,	 /* a multipart part with a file name */
};

struct pair {
	/* The name, decoded and borrowed, like `value`. An item of a JSON array has the name
	 * "name[]", or "name[7]" if has_members() is true for "name[7]". */
	struct str name;
	enum pair_shape shape;
	struct str value;
	struct str filename; /* for PAIR_FILE: the name that the client gave; not a path */
};

/* Receives the pairs of a decoder. If take() fails, the decoder returns this failure. The sink is a
 * member of a struct of the caller: take() finds the struct with CONTAINER_OF. */
struct pair_sink {
	enum result (*take)(struct pair_sink *sink, const struct pair *pair, struct error *error);
	/*
	 * Returns whether the decoder turns the object with this name into several pairs: one of
	 * PAIR_OBJECT, and one "name[member]" for each member. If it returns false, or has_members
	 * is NULL, the object is sent as text.
	 */
	bool (*has_members)(struct pair_sink *sink, struct str name);
};

#endif
