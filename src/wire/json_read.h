/*
 * Reads JSON (RFC 8259) as a tree of json-c. Only wire/json*.c include the header of json-c.
 *
 * The caller frees the root with json_free(). All other values are borrowed from the root. If
 * memory is short, the functions return E_BUSY, and no tree.
 */
#ifndef WIRE_JSON_READ_H
#define WIRE_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

struct json_object;

/* Reads an object. Returns E_MALFORMED if the text is not a JSON object. Returns E_TOO_LARGE if it
 * exceeds one of the limits WIRE_JSON_*. */
enum result json_read(struct str text, struct json_object **root, struct error *error) MUST_USE;

/* Reads the body of a request as json_read() does. The arena claims the memory of the tree. */
enum result json_read_body(struct str text, struct arena *arena, struct json_object **root,
			   struct error *error) MUST_USE;

/* Reads an operator's file as json_read() does, but with the limits WIRE_FILE_*. If the file is
 * invalid, the error's text for the client is "line 7: REASON". */
enum result json_read_file(struct str text, struct json_object **root, struct error *error)
	MUST_USE;

/* Returns the first name that occurs twice in one object; NULL: none. Sets *line to the line of the
 * second occurrence. The text must be valid JSON. */
const char *json_repeated_name(struct str text, struct arena *arena, size_t *line);

/* Parses any JSON value, without limits: for text from the program, or from a document that was
 * already read. Returns NULL if the text is not JSON, or memory is short. */
struct json_object *json_read_embedded(const char *text);

/* Finds a member. Sets *value to NULL if the member is null. Returns false if `object` is not an
 * object, or has no such member. */
bool json_find(struct json_object *object, const char *key, struct json_object **value);
/* Returns the member. NULL: it is null, `object` has no such member, or is not an object. */
struct json_object *json_member(struct json_object *object, const char *key);
/* Returns the text of a string or an integer, owned by the arena. NULL: another kind of value,
 * invalid UTF-8, or text with a NUL. */
const char *json_text(struct json_object *value, struct arena *arena);
bool json_is_list(struct json_object *value);
bool json_is_object(struct json_object *value);
/* Sets *number to the value, rounded up. Returns false if it is no number from 0 to 2^30. */
bool json_number_up(struct json_object *value, int64_t *number);
/* Reads a boolean. Returns false if the value is not a boolean. */
bool json_truth(struct json_object *value, bool *is_true);
/* Whether two trees are equal, regardless of the order of members. */
bool json_equal(struct json_object *one, struct json_object *other);
/* The length of an array; 0 for other values. */
size_t json_length(struct json_object *array);
struct json_object *json_item(struct json_object *array, size_t at);

/* Calls `visit` for each member of the object. */
typedef void json_visit(void *context, const char *key, struct json_object *value);
void json_each(struct json_object *object, json_visit *visit, void *context);

#endif
