/* Reads values of JSON text one by one. json_check.c checks and measures a value. json_reader.c
 * then passes it to json-c. */
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
	size_t values;	   /* the number of commas; each container has at most one value more */
};

/*
 * Checks the first value of the text for violations of RFC 8259 that json-c accepts or changes:
 * single quotes, NaN and Infinity, raw control characters, unpaired surrogates, names with a NUL,
 * and numbers such as 01.5 or "1.". json-c detects all other violations.
 *
 * Sets *extent to the size of the value. The value ends before the first comma, colon or closing
 * bracket outside of it. Returns NULL if the value is valid. Otherwise returns the end of the
 * sentence "The body is not valid JSON: "; the violation is at the offset extent->bytes.
 */
const char *json_check(struct str text, struct json_extent *extent);

struct json_limits {
	const char *noun; /* the subject of the error message: "A JSON body" */
	struct json_extent most;
	int depth;
};

/* The limits of a request: WIRE_JSON_*. */
extern const struct json_limits json_body_limits;

struct json_reader {
	struct str text; /* the text that is not read yet */
	const struct json_limits *limits;
	struct json_tokener *tokener;
	struct json_extent used; /* the size so far of all values that share the limits */
	struct arena *arena;	 /* claims the memory of trees; NULL: no memory is claimed */
	size_t claimed_bytes;	 /* the bytes that were claimed so far */
	size_t kept_bytes;	 /* the bytes of the data that the caller keeps */
	struct error *error;
	const char *violation_at; /* points to a violation in the text; NULL: none, or the text is
				     incomplete */
};

/* Returns E_BUSY if memory is short. */
enum result json_reader_init(struct json_reader *reader, struct str text,
			     const struct json_limits *limits, struct error *error) MUST_USE;
void json_reader_done(struct json_reader *reader);

/*
 * Reads the next value; *value is NULL for null. The caller must free it with json_free(), even
 * after a failure. Returns E_MALFORMED if there is no valid JSON, E_TOO_LARGE above the limits,
 * E_BUSY if memory is short.
 */
enum result json_reader_value(struct json_reader *reader, struct json_object **value) MUST_USE;
/* Claims memory for tree_bytes + kept_bytes if this sum exceeds WIRE_SMALL_BYTES. Returns false if
 * the process uses too much memory. */
bool json_reader_claim(struct json_reader *reader, size_t tree_bytes) MUST_USE;
/* Skips blanks and then the character `c`. Returns false, and skips only the blanks, if the next
 * character is not `c`. */
bool json_reader_take(struct json_reader *reader, char c);
/* Returns E_MALFORMED if text other than blanks follows. */
enum result json_reader_end(struct json_reader *reader) MUST_USE;
/* Returns E_MALFORMED for a violation at the start of the unread text. `reason` is the end of the
 * error message. */
enum result json_reader_refuse(struct json_reader *reader, const char *reason);

#endif
