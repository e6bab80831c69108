/*
 * Reading and writing JSON (RFC 8259), by json-c, which only wire/json*.c include.
 *
 * Reading turns an object into pairs, like a form. Writing builds a tree and prints it at once.
 */
#ifndef WIRE_JSON_H
#define WIRE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/field.h"
#include "wire/json_scan.h"
#include "wire/pairs.h"

struct json_object;
struct json_tokener;

/* What a text may have at most. */
struct json_limits {
	size_t bytes;
	size_t containers;
	size_t values;
};

struct json_decoder {
	const struct json_limits *limits; /* of a request, unless the caller sets others */
	struct pair_sink *sink;
	struct json_tokener *tokener;
	struct json_object *root; /* NULL until the tokener has seen the end */
	size_t bytes;
	struct json_scan scan; /* rejects what json-c would accept */
};

void json_decoder_init(struct json_decoder *decoder, struct pair_sink *sink);
void json_decoder_done(struct json_decoder *decoder);
/* E_MALFORMED: not JSON. E_TOO_LARGE: more than the limits. */
enum result json_decoder_feed(struct json_decoder *decoder, struct str bytes, struct error *error)
	MUST_USE;
/* The memory that JSON text may take as a tree. `scan` has read the whole text. */
size_t json_weight(size_t bytes, const struct json_scan *scan);
/* The same for the text that was fed. */
size_t json_decoder_weight(const struct json_decoder *decoder);
/*
 * Sends all pairs to the sink. E_MALFORMED: the text is incomplete, is not an object, or has more
 * than WIRE_PARTS_MAX values.
 */
enum result json_decoder_finish(struct json_decoder *decoder, struct error *error) MUST_USE;

/* Sends one member of an object, as json_decoder_finish() does, with any number of values.
 * E_MALFORMED: a name of more than WIRE_NAME_MAX_BYTES. */
enum result json_emit(struct pair_sink *sink, const char *key, struct json_object *value,
		      struct error *error) MUST_USE;

/*
 * Instead of json_decoder_finish(): gives the object as a tree for wire/json_read.h. The caller
 * frees it with json_free().
 */
enum result json_decoder_take(struct json_decoder *decoder, struct json_object **root,
			      struct error *error) MUST_USE;

/*
 * Trees for writing. Each json_put_*() takes an object and a key; an added tree belongs to its
 * parent. Text must be UTF-8; NULL is written as null.
 *
 * When memory is short, a tree is incomplete, or NULL. It can be filled and freed like any other,
 * but printing it fails the buffer.
 */
struct json_object *json_object_tree(void);
struct json_object *json_array_tree(void);
void json_free(struct json_object *tree);

void json_put(struct json_object *object, const char *key, struct json_object *tree);
/* Adds a tree that another one has, too: both then share it. */
void json_put_shared(struct json_object *object, const char *key, struct json_object *tree);
void json_put_text(struct json_object *object, const char *key, const char *text);
void json_put_int(struct json_object *object, const char *key, int64_t number);
void json_put_int_or_null(struct json_object *object, const char *key, bool is_known,
			  int64_t number);
void json_put_bool(struct json_object *object, const char *key, bool value);
void json_put_null(struct json_object *object, const char *key);
/* 0 is written as null */
void json_put_time(struct json_object *object, const char *key, struct instant at);
/* Adds the members that the table describes, in its order and with its names. */
void json_put_fields(struct json_object *object, struct fields fields, const void *row);

/*
 * Adds the members of `from`, which `into` then shares. A member that both have is replaced, or
 * merged in the same way where both values are objects.
 */
void json_merge(struct json_object *into, struct json_object *from);

void json_append(struct json_object *array, struct json_object *tree);
void json_append_text(struct json_object *array, const char *text);
void json_append_int(struct json_object *array, int64_t number);

/* Adds a member whose value is JSON text; the text is copied. */
void json_put_printed(struct json_object *object, const char *key, const struct buf *json);

/*
 * Appends an object with the members that the table describes, as json_put_fields() and
 * json_print() would, without a tree: for the many rows of a list. Check buf_ok() afterwards.
 */
void json_print_fields(struct buf *out, struct fields fields, const void *row);

/* Appends the tree as JSON without blanks. Check buf_ok() afterwards. */
void json_print(struct buf *out, struct json_object *tree);
/* The same on several lines, for people. */
void json_print_pretty(struct buf *out, struct json_object *tree);

#endif
