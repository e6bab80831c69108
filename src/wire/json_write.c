/* Builds trees. */
#include <json-c/json.h>
#include <limits.h>

#include "base/format.h"
#include "base/log.h"
#include "base/str.h"
#include "wire/json.h"
#include "wire/json_marks.h"
#include "wire/json_read.h"

static void mark_incomplete(struct json_object *tree)
{
	if (tree)
		json_object_set_userdata(tree, &json_lacking, NULL);
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

void json_put_shared(struct json_object *object, const char *key, struct json_object *tree)
{
	json_put(object, key, json_object_get(tree));
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
		json_object_set_userdata(tree, &json_printed, NULL);
	put_value(object, key, tree);
}

static struct json_object *ids_tree(const struct id_list *list)
{
	struct json_object *array = json_array_tree();
	for (size_t i = 0; i < list->count; i++)
		json_append_int(array, list->ids[i]);
	return array;
}

static void put_percent(struct json_object *object, const char *key, const struct percent *percent)
{
	char text[PERCENT_TEXT_SIZE];
	double value = (double)percent->hundredths / 100;
	if (percent->is_known)
		put_value(object, key,
			  json_object_new_double_s(value, percent_format(percent, text)));
	else
		json_put_null(object, key);
}

static void put_object(struct json_object *object, const struct field *field, const void *row)
{
	struct json_object *tree = json_object_tree();
	json_put_fields(tree, *field->members, field_rows(row, field).rows);
	json_put(object, field->name, tree);
}

static void put_choice(struct json_object *object, const struct field *field, int choice)
{
	if (field->flags & FIELD_AS_WORD)
		json_put_text(object, field->name, field->choices[choice]);
	else
		json_put_int(object, field->name, choice);
}

static void put_rows(struct json_object *object, const struct field *field, const void *row)
{
	struct json_object *array = json_array_tree();
	const struct field_rows rows = field_rows(row, field);
	const char *each = rows.rows;
	for (size_t i = 0; i < rows.count; i++) {
		struct json_object *tree = json_object_tree();
		json_put_fields(tree, *field->members, each + i * field->row_bytes);
		json_append(array, tree);
	}
	json_put(object, field->name, array);
}

bool json_field_is_null(const struct field *field, const void *row)
{
	if (!(field->flags & FIELD_ZERO_IS_NULL))
		return false;
	if (field->kind == FIELD_TEXT)
		return str_from(*FIELD_AT_CONST(row, field, const char *)).len == 0;
	return *FIELD_AT_CONST(row, field, int64_t) == 0;
}

static void json_put_field(struct json_object *object, const struct field *field, const void *row)
{
	if (json_field_is_null(field, row)) {
		json_put_null(object, field->name);
		return;
	}
	switch (field->kind) {
	case FIELD_INT:
		json_put_int(object, field->name, *FIELD_AT_CONST(row, field, int64_t));
		break;
	case FIELD_BOOL:
		json_put_bool(object, field->name, *FIELD_AT_CONST(row, field, bool));
		break;
	case FIELD_CHOICE:
		put_choice(object, field, *FIELD_AT_CONST(row, field, int));
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
	case FIELD_PERCENT:
		put_percent(object, field->name, FIELD_AT_CONST(row, field, struct percent));
		break;
	case FIELD_OBJECT:
		put_object(object, field, row);
		break;
	case FIELD_ROWS:
		put_rows(object, field, row);
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
