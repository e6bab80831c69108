/* Builds and prints trees. */
#include <errno.h>
#include <json-c/json.h>
#include <limits.h>
#include <string.h>

#include "wire/json.h"
#include "wire/json_read.h"
#include "wire/limits.h"

static int refuse_to_print(struct json_object *tree, struct printbuf *out, int level, int flags)
{
	(void)tree;
	(void)out;
	(void)level;
	(void)flags;
	return -1;
}

static void mark_incomplete(struct json_object *tree)
{
	if (tree)
		json_object_set_serializer(tree, refuse_to_print, NULL, NULL);
}

struct json_object *json_object_tree(void)
{
	return json_object_new_object();
}

struct json_object *json_array_tree(void)
{
	return json_object_new_array();
}

void json_free(struct json_object *tree)
{
	json_object_put(tree);
}

/* Adds a member. Adds null if the tree is NULL. Returns whether the member was added. */
static bool add_member(struct json_object *object, const char *key, struct json_object *tree)
{
	bool is_added = object && json_object_object_add(object, key, tree) == 0;
	if (!is_added)
		mark_incomplete(object);
	return is_added;
}

/* A tree that cannot be added is not freed, because the caller may still fill it. */
void json_put(struct json_object *object, const char *key, struct json_object *tree)
{
	if (tree)
		add_member(object, key, tree);
	else
		mark_incomplete(object);
}

void json_put_shared(struct json_object *object, const char *key, struct json_object *tree)
{
	json_put(object, key, json_object_get(tree));
}

/* Adds a value. Frees the value if it cannot be added, because the caller does not use it again. */
static void put_value(struct json_object *object, const char *key, struct json_object *value)
{
	if (!value)
		mark_incomplete(object);
	else if (!add_member(object, key, value))
		json_object_put(value);
}

void json_put_text(struct json_object *object, const char *key, const char *text)
{
	if (text)
		put_value(object, key, json_object_new_string(text));
	else
		json_put_null(object, key);
}

void json_put_int(struct json_object *object, const char *key, int64_t number)
{
	put_value(object, key, json_object_new_int64(number));
}

void json_put_int_or_null(struct json_object *object, const char *key, bool is_known,
			  int64_t number)
{
	if (is_known)
		json_put_int(object, key, number);
	else
		json_put_null(object, key);
}

void json_put_bool(struct json_object *object, const char *key, bool value)
{
	put_value(object, key, json_object_new_boolean(value));
}

void json_remove(struct json_object *object, const char *key)
{
	if (json_object_is_type(object, json_type_object))
		json_object_object_del(object, key);
}

void json_put_null(struct json_object *object, const char *key)
{
	add_member(object, key, NULL);
}

void json_put_time(struct json_object *object, const char *key, struct instant at)
{
	char text[INSTANT_TEXT_SIZE];
	json_put_text(object, key, at.s ? instant_format(at, text) : NULL);
}

static int print_as_it_is(struct json_object *tree, struct printbuf *out, int level, int flags)
{
	(void)level;
	(void)flags;
	return printbuf_memappend(out, json_object_get_string(tree),
				  json_object_get_string_len(tree));
}

void json_put_printed(struct json_object *object, const char *key, const struct buf *json)
{
	struct json_object *tree = NULL;
	if (buf_ok(json) && json->len <= INT_MAX)
		tree = json_object_new_string_len(json->data, (int)json->len);
	if (tree)
		json_object_set_serializer(tree, print_as_it_is, NULL, NULL);
	put_value(object, key, tree);
}

void json_put_fields(struct json_object *object, struct fields fields, const void *row)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(WIRE_RESPONSE_MAX_BYTES);
	json_print_fields(&text, fields, row);
	struct json_object *members = buf_ok(&text) ? json_read_embedded(text.data) : NULL;
	if (members)
		json_merge(object, members);
	else
		mark_incomplete(object);
	json_object_put(members);
}

struct json_object *json_row_tree(struct fields fields, const void *row)
{
	struct json_object *tree = json_object_tree();
	json_put_fields(tree, fields, row);
	return tree;
}

static void merge_member(void *into, const char *key, struct json_object *value)
{
	struct json_object *mine = json_member(into, key);
	if (json_object_is_type(mine, json_type_object) &&
	    json_object_is_type(value, json_type_object))
		json_merge(mine, value);
	else
		add_member(into, key, json_object_get(value));
}

void json_merge(struct json_object *into, struct json_object *from)
{
	json_each(from, merge_member, into);
}

void json_append(struct json_object *array, struct json_object *tree)
{
	if (!array || !tree || json_object_array_add(array, tree) != 0)
		mark_incomplete(array);
}

void json_append_text(struct json_object *array, const char *text)
{
	json_append(array, json_object_new_string(text));
}

void json_append_int(struct json_object *array, int64_t number)
{
	json_append(array, json_object_new_int64(number));
}

/* Returns the printed tree. NULL: memory was short, and json-c's printer has omitted text. */
static const char *text_of(struct json_object *tree, int flags, size_t *len)
{
	errno = 0;
	const char *text = json_object_to_json_string_length(
		tree, flags | JSON_C_TO_STRING_NOSLASHESCAPE, len);
	return tree && errno != ENOMEM ? text : NULL;
}

void json_print(struct buf *out, struct json_object *tree)
{
	size_t len;
	const char *text = text_of(tree, JSON_C_TO_STRING_PLAIN, &len);
	if (text)
		buf_add(out, text, len);
	else
		out->is_failed = true;
}

void json_print_pretty(struct buf *out, struct json_object *tree)
{
	size_t len;
	const char *text = text_of(tree, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED, &len);
	const char *end;
	out->is_failed |= !text;
	/* Remove the line breaks that json-c prints in empty lists and objects. A line break in a
	 * string is escaped, so strchr() does not find it. */
	while (text && (end = strchr(text, '\n'))) {
		const char *next = end + 1 + strspn(end + 1, " ");
		bool is_empty = (end[-1] == '[' && *next == ']') ||
				(end[-1] == '{' && *next == '}');
		buf_add(out, text, (size_t)(end - text));
		buf_puts(out, is_empty ? "" : "\n");
		text = is_empty ? next : end + 1;
	}
	buf_puts(out, text ? text : "");
	buf_putc(out, '\n');
}
