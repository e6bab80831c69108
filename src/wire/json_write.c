/*
 * Builds and prints trees. Printing does not use json-c, which does not report a lack of memory.
 */
#include <inttypes.h>
#include <json-c/json.h>
#include <limits.h>
#include <string.h>

#include "base/log.h"
#include "wire/json.h"
#include "wire/json_read.h"

/* Marks for trees, which need no memory: the tree is incomplete; the string is JSON text. */
static char lacking, printed;

static void mark_incomplete(struct json_object *tree)
{
	if (tree)
		json_object_set_userdata(tree, &lacking, NULL);
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

/* NULL adds null. */
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

/* Adds a value that the caller does not use again; frees it if it cannot be added. */
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

void json_put_bool(struct json_object *object, const char *key, bool value)
{
	put_value(object, key, json_object_new_boolean(value));
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

void json_put_printed(struct json_object *object, const char *key, const struct buf *json)
{
	struct json_object *tree = NULL;
	if (buf_ok(json) && json->len <= INT_MAX)
		tree = json_object_new_string_len(json->data, (int)json->len);
	if (tree)
		json_object_set_userdata(tree, &printed, NULL);
	put_value(object, key, tree);
}

static struct json_object *ids_tree(const struct id_list *list)
{
	struct json_object *array = json_array_tree();
	for (size_t i = 0; i < list->count; i++)
		json_append_int(array, list->ids[i]);
	return array;
}

static void put_object(struct json_object *object, const struct field *field, const void *row)
{
	struct json_object *tree = json_object_tree();
	json_put_fields(tree, *field->members, row);
	json_put(object, field->name, tree);
}

static void json_put_field(struct json_object *object, const struct field *field, const void *row)
{
	switch (field->kind) {
	case FIELD_INT:
		json_put_int(object, field->name, *FIELD_AT_CONST(row, field, int64_t));
		break;
	case FIELD_BOOL:
		json_put_bool(object, field->name, *FIELD_AT_CONST(row, field, bool));
		break;
	case FIELD_CHOICE:
		json_put_int(object, field->name, *FIELD_AT_CONST(row, field, int));
		break;
	case FIELD_TEXT:
		json_put_text(object, field->name, *FIELD_AT_CONST(row, field, const char *));
		break;
	case FIELD_IDS:
		json_put(object, field->name, ids_tree(FIELD_AT_CONST(row, field, struct id_list)));
		break;
	case FIELD_TIME:
		json_put_time(object, field->name, *FIELD_AT_CONST(row, field, struct instant));
		break;
	case FIELD_OBJECT:
		put_object(object, field, row);
		break;
	case FIELD_FILE:
		die("json: the file %s cannot be written", field->name);
	}
}

void json_put_fields(struct json_object *object, struct fields fields, const void *row)
{
	for (size_t i = 0; i < fields.count; i++)
		json_put_field(object, &fields.rows[i], row);
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

struct printer {
	struct buf *out;
	bool is_pretty;
	int depth;
};

static void print_value(struct printer *printer, struct json_object *tree);

/* The letter of JSON's two-character escape for a character; 0: there is none. */
static char short_escape(char c)
{
	static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
	const char *at = c ? strchr(from, c) : NULL;
	return at ? to[at - from] : '\0';
}

static void print_text(struct buf *out, const char *text, size_t len)
{
	size_t from = 0; /* start of the text that is not printed yet */
	buf_putc(out, '"');
	for (size_t i = 0; i < len; i++) {
		char escape = short_escape(text[i]);
		if (!escape && (unsigned char)text[i] >= ' ')
			continue;
		buf_add(out, text + from, i - from);
		from = i + 1;
		if (escape)
			buf_add(out, (const char[]){ '\\', escape }, 2);
		else
			buf_printf(out, "\\u%04x", (unsigned)text[i]);
	}
	buf_add(out, text + from, len - from);
	buf_putc(out, '"');
}

static void print_text_or_null(struct buf *out, const char *text)
{
	if (text)
		print_text(out, text, strlen(text));
	else
		buf_puts(out, "null");
}

static void print_ids(struct buf *out, const struct id_list *list)
{
	buf_putc(out, '[');
	for (size_t i = 0; i < list->count; i++)
		buf_printf(out, "%s%" PRId64, i > 0 ? "," : "", list->ids[i]);
	buf_putc(out, ']');
}

static void print_field(struct buf *out, const struct field *field, const void *row)
{
	char text[INSTANT_TEXT_SIZE];
	struct instant at;
	switch (field->kind) {
	case FIELD_INT:
		buf_printf(out, "%" PRId64, *FIELD_AT_CONST(row, field, int64_t));
		break;
	case FIELD_BOOL:
		buf_puts(out, *FIELD_AT_CONST(row, field, bool) ? "true" : "false");
		break;
	case FIELD_CHOICE:
		buf_printf(out, "%d", *FIELD_AT_CONST(row, field, int));
		break;
	case FIELD_TEXT:
		print_text_or_null(out, *FIELD_AT_CONST(row, field, const char *));
		break;
	case FIELD_IDS:
		print_ids(out, FIELD_AT_CONST(row, field, struct id_list));
		break;
	case FIELD_TIME:
		at = *FIELD_AT_CONST(row, field, struct instant);
		print_text_or_null(out, at.s ? instant_format(at, text) : NULL);
		break;
	case FIELD_OBJECT:
		json_print_fields(out, *field->members, row);
		break;
	case FIELD_FILE:
		die("json: the file %s cannot be written", field->name);
	}
}

void json_print_fields(struct buf *out, struct fields fields, const void *row)
{
	for (size_t i = 0; i < fields.count; i++) {
		buf_putc(out, i == 0 ? '{' : ',');
		print_text(out, fields.rows[i].name, strlen(fields.rows[i].name));
		buf_putc(out, ':');
		print_field(out, &fields.rows[i], row);
	}
	buf_puts(out, fields.count == 0 ? "{}" : "}");
}

static void print_line(struct printer *printer)
{
	if (!printer->is_pretty)
		return;
	buf_putc(printer->out, '\n');
	for (int i = 0; i < printer->depth; i++)
		buf_puts(printer->out, "  ");
}

static void print_object(struct printer *printer, struct json_object *object)
{
	bool is_empty = true;
	buf_putc(printer->out, '{');
	printer->depth++;
	json_object_object_foreach(object, key, value)
	{
		if (!is_empty)
			buf_putc(printer->out, ',');
		is_empty = false;
		print_line(printer);
		print_text(printer->out, key, strlen(key));
		buf_puts(printer->out, printer->is_pretty ? ": " : ":");
		print_value(printer, value);
	}
	printer->depth--;
	if (!is_empty)
		print_line(printer);
	buf_putc(printer->out, '}');
}

static void print_array(struct printer *printer, struct json_object *array)
{
	size_t count = json_object_array_length(array);
	buf_putc(printer->out, '[');
	printer->depth++;
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			buf_putc(printer->out, ',');
		print_line(printer);
		print_value(printer, json_object_array_get_idx(array, i));
	}
	printer->depth--;
	if (count > 0)
		print_line(printer);
	buf_putc(printer->out, ']');
}

static void print_string(struct printer *printer, struct json_object *tree)
{
	const char *text = json_object_get_string(tree);
	size_t len = (size_t)json_object_get_string_len(tree);
	if (json_object_get_userdata(tree) == &printed)
		buf_add(printer->out, text, len);
	else
		print_text(printer->out, text, len);
}

static void print_int(struct printer *printer, struct json_object *tree)
{
	int64_t number = json_object_get_int64(tree);
	/* json-c keeps larger numbers as unsigned. */
	if (number < 0)
		buf_printf(printer->out, "%" PRId64, number);
	else
		buf_printf(printer->out, "%" PRIu64, json_object_get_uint64(tree));
}

/* json-c keeps the digits as they were read. */
static void print_double(struct printer *printer, struct json_object *tree)
{
	const char *text = json_object_get_string(tree);
	if (text && text[0] != '\0')
		buf_puts(printer->out, text);
	else
		printer->out->is_failed = true;
}

static void print_value(struct printer *printer, struct json_object *tree)
{
	switch (json_object_get_type(tree)) {
	case json_type_null:
		buf_puts(printer->out, "null");
		return;
	case json_type_boolean:
		buf_puts(printer->out, json_object_get_boolean(tree) ? "true" : "false");
		return;
	case json_type_int:
		print_int(printer, tree);
		return;
	case json_type_double:
		print_double(printer, tree);
		return;
	case json_type_string:
		print_string(printer, tree);
		return;
	case json_type_object:
	case json_type_array:
		break;
	}
	if (json_object_get_userdata(tree) == &lacking)
		printer->out->is_failed = true;
	else if (json_object_is_type(tree, json_type_object))
		print_object(printer, tree);
	else
		print_array(printer, tree);
}

void json_print(struct buf *out, struct json_object *tree)
{
	if (tree)
		print_value(&(struct printer){ .out = out }, tree);
	else
		out->is_failed = true;
}

void json_print_pretty(struct buf *out, struct json_object *tree)
{
	if (tree)
		print_value(&(struct printer){ .out = out, .is_pretty = true }, tree);
	else
		out->is_failed = true;
	buf_putc(out, '\n');
}
