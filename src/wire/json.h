/*
 * JSON (RFC 8259) both ways, by json-c, which no other file includes.
 *
 * Reading turns an object into pairs, as a form does. Writing builds a tree
 * and prints it in one piece.
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

struct json_decoder {
	struct pair_sink *sink;
	struct json_tokener *tokener;
	struct json_object *root; /* complete once the tokener has seen its end */
	size_t bytes;
	struct json_scan scan; /* for what json-c lets pass */
};

void json_decoder_init(struct json_decoder *decoder, struct pair_sink *sink);
void json_decoder_done(struct json_decoder *decoder);
/* E_MALFORMED: no JSON; E_TOO_LARGE: over WIRE_JSON_MAX_BYTES, or too many values. */
enum result json_decoder_feed(struct json_decoder *decoder, struct str bytes, struct error *error)
	MUST_USE;
/* How much memory JSON text may take, as parsed; `scan` has looked over it. */
size_t json_weight(size_t bytes, const struct json_scan *scan);
/* The same of what was fed. */
size_t json_decoder_weight(const struct json_decoder *decoder);
/*
 * The pairs are said here, all at once. E_MALFORMED when the text is cut
 * short, is no object, or has more than WIRE_PARTS_MAX values.
 */
enum result json_decoder_finish(struct json_decoder *decoder, struct error *error) MUST_USE;

/*
 * Instead of finishing: the whole object as a tree, for wire/json_read.h; the
 * caller frees it with json_free().
 */
enum result json_decoder_take(struct json_decoder *decoder, struct json_object **root,
			      struct error *error) MUST_USE;

/*
 * A tree to be written. Every `json_put_*` takes an object and a key; an added
 * tree belongs to its parent. Text must be UTF-8; NULL is written as null.
 *
 * Where memory is short a tree lacks something, and is NULL if it is itself what is
 * lacking. It may be built and freed like any other; printing it fails the buffer.
 */
struct json_object *json_object_tree(void);
struct json_object *json_array_tree(void);
void json_free(struct json_object *tree);

void json_put(struct json_object *object, const char *key, struct json_object *tree);
void json_put_text(struct json_object *object, const char *key, const char *text);
void json_put_int(struct json_object *object, const char *key, int64_t number);
void json_put_bool(struct json_object *object, const char *key, bool value);
void json_put_null(struct json_object *object, const char *key);
/* null for no time */
void json_put_time(struct json_object *object, const char *key, struct instant at);
/* The members that the table describes, in its order, under their names. */
void json_put_fields(struct json_object *object, struct fields fields, const void *row);

/*
 * Adds the members of `from`, which `into` then shares. A member that both have is replaced, or
 * merged in the same way where both values are objects.
 */
void json_merge(struct json_object *into, struct json_object *from);

void json_append(struct json_object *array, struct json_object *tree);
void json_append_text(struct json_object *array, const char *text);
void json_append_int(struct json_object *array, int64_t number);

/* A member whose value is JSON text already; the text is copied. */
void json_put_printed(struct json_object *object, const char *key, const struct buf *json);

/* The text of the tree, without blanks. Ask buf_ok() behind it. */
void json_print(struct buf *out, struct json_object *tree);
/* The same over several lines, for people. */
void json_print_pretty(struct buf *out, struct json_object *tree);

#endif
