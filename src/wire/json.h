/*
 * Writes JSON (RFC 8259): structs that a table of fields describes, and trees of json-c. Only
 * wire/json*.c include the header of json-c.
 */
#ifndef WIRE_JSON_H
#define WIRE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/field.h"

struct json_object;

/*
 * Trees for writing. Each json_put_*() adds a member to an object, which then owns the added tree.
 * Text must be UTF-8; NULL is written as null.
 *
 * If memory is short, a tree is NULL or incomplete. The functions accept such a tree, but
 * json_print() marks the buffer as failed.
 */
struct json_object *json_object_tree(void);
struct json_object *json_array_tree(void);
void json_free(struct json_object *tree);

void json_put(struct json_object *object, const char *key, struct json_object *tree);
/* Adds a tree without taking it over: for a tree that is also part of another tree. */
void json_put_shared(struct json_object *object, const char *key, struct json_object *tree);
void json_put_text(struct json_object *object, const char *key, const char *text);
void json_put_int(struct json_object *object, const char *key, int64_t number);
void json_put_int_or_null(struct json_object *object, const char *key, bool is_known,
			  int64_t number);
void json_put_bool(struct json_object *object, const char *key, bool value);
void json_put_null(struct json_object *object, const char *key);
/* The time 0 is written as null. */
void json_put_time(struct json_object *object, const char *key, struct instant at);
void json_remove(struct json_object *object, const char *key);
/* Adds the members that the table describes, in its order and with its names. */
void json_put_fields(struct json_object *object, struct fields fields, const void *row);
/* Returns an object with only the members that the table describes. */
struct json_object *json_row_tree(struct fields fields, const void *row);

/* Adds the members of `from` to `into`, which then share them. A member of `from` replaces a member
 * of `into` with the same name. But if both are objects, merges them. */
void json_merge(struct json_object *into, struct json_object *from);

void json_append(struct json_object *array, struct json_object *tree);
void json_append_text(struct json_object *array, const char *text);
void json_append_int(struct json_object *array, int64_t number);

/* Adds a member whose value is the JSON text in `json`. Copies the text. */
void json_put_printed(struct json_object *object, const char *key, const struct buf *json);

/* Appends an object with the members that the table describes. Does the same as json_put_fields()
 * and json_print(), but without a tree: for lists with many rows. Check buf_ok() afterwards. */
void json_print_fields(struct buf *out, struct fields fields, const void *row);

/* Appends the tree as JSON without blanks. Check buf_ok() afterwards. */
void json_print(struct buf *out, struct json_object *tree);
/* Appends the tree as JSON with line breaks and indentation, for people. */
void json_print_pretty(struct buf *out, struct json_object *tree);

#endif
