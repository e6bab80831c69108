/* Reads values of JSON text one by one: json_check.c checks and measures a value, json_reader.c has
 * json-c read it. */
#ifndef WIRE_JSON_READER_H
#define WIRE_JSON_READER_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

struct json_object;
struct json_tokener;

struct json_extent {
	size_t bytes;
	size_t containers; /* objects and lists */
	size_t values;	   /* commas: each container has at most one value more than commas */
};

/*
 * Checks the first value of the text for violations of RFC 8259 that json-c accepts or changes:
 * single quotes, NaN and Infinity, raw control characters, unpaired surrogates, names with a NUL,
 * and numbers such as 01.5 and 1. at the end. json-c detects all other violations.
 *
 * Measures the value. The value ends before a comma, a colon or a bracket that does not belong to
 * it. Returns the violation after extent->bytes as the end of "The body is not valid JSON: "; NULL:
 * the value is valid.
 */
const char *json_check(struct str text, struct json_extent *extent);

struct json_limits {
	const char *noun; /* names the text with these limits: "A JSON body" */
	struct json_extent most;
	int depth;
};

/* The limits of a request: WIRE_JSON_*. */
extern const struct json_limits json_body_limits;

struct json_reader {
	struct str text; /* that is not read yet */
	const struct json_limits *limits;
	struct json_tokener *tokener;
	struct json_extent used; /* of all values that share the limits */
	struct arena *arena;	 /* claims the memory of trees; NULL: no memory is claimed */
	size_t claimed_bytes;	 /* so far */
	size_t kept_bytes;	 /* memory of the data that the caller keeps of the values so far */
	struct error *error;
	const char *violation_at; /* the place of a violation in the text; NULL: at its end */
};

/* E_BUSY: memory is short. */
enum result json_reader_init(struct json_reader *reader, struct str text,
			     const struct json_limits *limits, struct error *error) MUST_USE;
void json_reader_done(struct json_reader *reader);

/*
 * Reads the next value; NULL for null. The caller frees it with json_free(), after a failure, too.
 * E_MALFORMED: no valid JSON. E_TOO_LARGE: more than the limits. E_BUSY: memory is short.
 */
enum result json_reader_value(struct json_reader *reader, struct json_object **value) MUST_USE;
/* Claims memory for a tree, and for the kept data; small requests never wait. False: too much
 * memory is in use. */
bool json_reader_claim(struct json_reader *reader, size_t tree_bytes) MUST_USE;
/* Skips blanks, and then the character `c`. False: another character follows the blanks. */
bool json_reader_take(struct json_reader *reader, char c);
/* E_MALFORMED: more text follows. */
enum result json_reader_end(struct json_reader *reader) MUST_USE;
/* E_MALFORMED: a violation at the front of the text; `reason` is the end of a sentence. */
enum result json_reader_refuse(struct json_reader *reader, const char *reason);

#endif
