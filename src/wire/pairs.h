/*
 * What every decoder of input says: a sequence of named values, each as
 * open, any number of data, close.
 *
 * The urlencoded, multipart and JSON decoders drive a sink; http/form is one.
 * Decoders are push parsers: they take any split of the input and say the
 * same of it, except for where one data event ends and the next begins.
 */
#ifndef WIRE_PAIRS_H
#define WIRE_PAIRS_H

#include "base/error.h"
#include "base/str.h"

enum pair_shape {
	PAIR_TEXT,	 /* text of a form, or a JSON string */
	PAIR_NUMBER,	 /* a JSON number, as it was written */
	PAIR_BOOLEAN,	 /* a JSON true or false */
	PAIR_NULL,	 /* a JSON null */
	PAIR_EMPTY_LIST, /* a JSON [] */
	PAIR_NESTED,	 /* a JSON object or list where a value belongs, as JSON text */
	PAIR_FILE,	 /* a multipart part with a file name */
};

struct pair {
	struct str name; /* decoded; borrowed until open() returns. JSON lists: "name[]" */
	enum pair_shape shape;
	struct str filename; /* PAIR_FILE: a label of the client's, never a path */
};

/*
 * A failure of any of the three ends the decoding and is passed up. Embed it
 * and find the outer struct by CONTAINER_OF.
 */
struct pair_sink {
	enum result (*open)(struct pair_sink *sink, const struct pair *pair, struct error *error);
	enum result (*data)(struct pair_sink *sink, struct str bytes, struct error *error);
	enum result (*close)(struct pair_sink *sink, struct error *error);
};

/* open, data, close of one whole value. */
static inline enum result pair_emit(struct pair_sink *sink, const struct pair *pair,
				    struct str value, struct error *error)
{
	enum result result = sink->open(sink, pair, error);
	if (result == OK && value.len > 0)
		result = sink->data(sink, value, error);
	if (result == OK)
		result = sink->close(sink, error);
	return result;
}

#endif
