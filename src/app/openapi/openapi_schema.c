#include "app/openapi/openapi_schema.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "domain/field_table.h"
#include "wire/json.h"
#include "wire/json_read.h"

struct json_object *openapi_ref(const char *kind, const char *name, const char *suffix)
{
	char text[128];
	struct json_object *tree = json_object_tree();
	snprintf(text, sizeof(text), "#/components/%s/%s%s", kind, name, suffix);
	json_put_text(tree, "$ref", text);
	return tree;
}

/* Whether the value may be null. */
static bool is_nullable(const struct field *field, enum openapi_use use)
{
	unsigned never = use == OPENAPI_RESOURCE ? FIELD_NOT_EMPTY
						 : FIELD_NOT_EMPTY | FIELD_REQUIRED;
	if (use == OPENAPI_RESOURCE ? field->flags & FIELD_ZERO_IS_NULL
				    : use == OPENAPI_JSON && field->empty_value)
		return true;
	return (use == OPENAPI_JSON || use == OPENAPI_RESOURCE) && !(field->flags & never);
}

static void put_type(struct json_object *schema, const char *type, const char *other)
{
	if (!other) {
		json_put_text(schema, "type", type);
		return;
	}
	struct json_object *types = json_array_tree();
	json_append_text(types, type);
	json_append_text(types, other);
	json_put(schema, "type", types);
}

static void put_text(struct json_object *schema, const struct field *field, enum openapi_use use)
{
	bool is_number_too = use == OPENAPI_JSON && field->flags & FIELD_NUMBER_TOO;
	size_t max = field->max_chars > 0 ? field->max_chars : field->max_bytes;
	bool is_null_too = is_nullable(field, use);
	put_type(schema, "string", is_number_too ? "integer" : is_null_too ? "null" : NULL);
	if (is_number_too && is_null_too)
		json_append_text(json_member(schema, "type"), "null");
	if (field->format)
		json_put_text(schema, "format", field->format);
	if (use == OPENAPI_RESOURCE)
		return;
	if (field->flags & FIELD_NOT_EMPTY && !field->empty_value)
		json_put_int(schema, "minLength", 1);
	if (max > 0)
		json_put_int(schema, "maxLength", (int64_t)max);
	if (field->pattern)
		json_put_text(schema, "pattern", field->pattern);
}

/* Writes a JSON number if the text is a number, otherwise a string. */
static void put_scalar(struct json_object *object, const char *key, const char *text)
{
	int64_t number;
	if (str_to_int64(str_from(text), &number))
		json_put_int(object, key, number);
	else
		json_put_text(object, key, text);
}

static void put_choices(struct json_object *schema, const struct field *field)
{
	struct json_object *values = json_array_tree();
	int64_t number;
	for (size_t i = 0; field->choices[i]; i++)
		if (str_to_int64(str_from(field->choices[i]), &number))
			json_append_int(values, number);
		else
			json_append_text(values, field->choices[i]);
	json_put(schema, "enum", values);
}

static void put_choice_type(struct json_object *schema, const struct field *field)
{
	int64_t number;
	bool is_number = str_to_int64(str_from(field->choices[0]), &number);
	json_put_text(schema, "type", is_number ? "integer" : "string");
}

static void put_ids(struct json_object *schema, const struct field *field, enum openapi_use use)
{
	struct json_object *items = json_object_tree();
	json_put_text(schema, "type", "array");
	if (use != OPENAPI_RESOURCE)
		json_put_int(schema, "maxItems", field->max);
	json_put_text(items, "type", "integer");
	if (use != OPENAPI_RESOURCE)
		json_put_int(items, "minimum", 1);
	json_put(schema, "items", items);
}

/* Whether the schema allows null. Only JSON has null: in a form, the field cannot be null. */
static bool is_optional(const struct field *field, enum openapi_use use)
{
	return field->flags & FIELD_ZERO_IS_NULL &&
	       (use == OPENAPI_RESOURCE || use == OPENAPI_JSON);
}

static void put_kind(struct json_object *schema, const struct field *field, enum openapi_use use)
{
	switch (field->kind) {
	case FIELD_TEXT:
		put_text(schema, field, use);
		return;
	case FIELD_BOOL:
		json_put_text(schema, "type", "boolean");
		return;
	case FIELD_INT:
		put_type(schema, "integer", is_optional(field, use) ? "null" : NULL);
		if (field->max > 0)
			json_put_int(schema, "minimum", field->min);
		return;
	case FIELD_CHOICE:
		put_choice_type(schema, field);
		return;
	case FIELD_IDS:
		put_ids(schema, field, use);
		return;
	case FIELD_TIME:
		put_type(schema, "string", is_nullable(field, use) ? "null" : NULL);
		json_put_text(schema, "format", "date-time");
		return;
	case FIELD_FILE:
		json_put_text(schema, "type", "string");
		json_put_text(schema, "format", "binary");
		return;
	case FIELD_PERCENT:
		put_type(schema, "number", "null");
		json_put_int(schema, "minimum", 0);
		json_put_int(schema, "maximum", 100);
		return;
	case FIELD_OBJECT:
	case FIELD_ROWS:
		return;
	}
}

static struct json_object *members_schema(const struct field *field, enum openapi_use use)
{
	return use == OPENAPI_RESOURCE ? openapi_resource_schema(field->members, NULL)
				       : openapi_body_schema(field->members, use, false);
}

static struct json_object *object_schema(const struct field *field, enum openapi_use use)
{
	struct json_object *schema = members_schema(field, use);
	if (is_optional(field, use))
		put_type(schema, "object", "null");
	return schema;
}

static struct json_object *rows_schema(const struct field *field, enum openapi_use use)
{
	struct json_object *schema = json_object_tree();
	json_put_text(schema, "type", "array");
	if (use != OPENAPI_RESOURCE)
		json_put_int(schema, "maxItems", field->max);
	json_put(schema, "items", members_schema(field, use));
	return schema;
}

/* Returns the description of a field that all resources have. Returns NULL for any other field. */
static const char *common_text(const struct field *field)
{
	static const struct {
		const char *name, *text;
	} common[] = {
		{ "id", "The id, which never changes." },
		{ "created_at", "When it was created." },
		{ "updated_at", "When it was last changed." },
	};
	for (size_t i = 0; i < ARRAY_LEN(common); i++)
		if (strcmp(common[i].name, field->name) == 0)
			return common[i].text;
	return NULL;
}

static void put_description(struct json_object *schema, const struct field *field)
{
	const char *text = field->text ? field->text : common_text(field);
	const char *seconds = field->flags & FIELD_SECONDS ? " In seconds." : "";
	const char *initial = field->initial ? field->initial : "";
	char whole[640];
	if (!text)
		return;
	snprintf(whole, sizeof(whole), "%s%s%s%s%s", text, seconds,
		 *initial ? " Default on create: " : "", initial, *initial ? "." : "");
	json_put_text(schema, "description", whole);
}

static struct json_object *kind_schema(const struct field *field, enum openapi_use use)
{
	struct json_object *schema = json_object_tree();
	put_kind(schema, field, use);
	if (field->choices)
		put_choices(schema, field);
	if (field->default_value)
		put_scalar(schema, "default", field->default_value);
	return schema;
}

struct json_object *openapi_value_schema(const struct field *field, enum openapi_use use)
{
	struct json_object *schema = field->kind == FIELD_OBJECT ? object_schema(field, use)
				     : field->kind == FIELD_ROWS ? rows_schema(field, use)
								 : kind_schema(field, use);
	/* OpenAPI has the description of a parameter beside the schema, not in it. */
	if (use != OPENAPI_QUERY)
		put_description(schema, field);
	return schema;
}

bool openapi_has_files(const struct fields *fields)
{
	for (size_t i = 0; i < fields->count; i++)
		if (fields->rows[i].kind == FIELD_FILE)
			return true;
	return false;
}

enum { FIELD_NAME_SIZE = 128 };

/*
 * Writes the field's name in a body. `outer` is the name of the object or row that has the field;
 * "": none. In forms, "[]" follows the name of a list. "[0]" follows the name of a list of
 * rows.
 */
static void write_name(char name[FIELD_NAME_SIZE], const char *outer, const struct field *field,
		       enum openapi_use use)
{
	const char *end = use == OPENAPI_JSON	      ? ""
			  : field->kind == FIELD_IDS  ? "[]"
			  : field->kind == FIELD_ROWS ? "[0]"
						      : "";
	snprintf(name, FIELD_NAME_SIZE, *outer ? "%s[%s]%s" : "%s%s%s", outer, field->name, end);
}

/* Whether the body has a separate name for each member of the field, such as "rows[0][name]". */
static bool is_spread(const struct field *field, enum openapi_use use)
{
	return use != OPENAPI_JSON && (field->kind == FIELD_ROWS || field->kind == FIELD_OBJECT);
}

static void put_property(struct json_object *properties, const char *outer,
			 const struct field *field, enum openapi_use use)
{
	char name[FIELD_NAME_SIZE];
	write_name(name, outer, field, use);
	if (!is_spread(field, use)) {
		json_put(properties, name, openapi_value_schema(field, use));
		return;
	}
	for (size_t i = 0; i < field->members->count; i++)
		put_property(properties, name, &field->members->rows[i], use);
}

static void put_method(struct json_object *properties)
{
	static const char *const methods[] = { "PUT", "PATCH", NULL };
	static const struct field field = {
		.name = "_method",
		.kind = FIELD_CHOICE,
		.choices = methods,
		.text = "The method; letter case is ignored.",
	};
	json_put(properties, field.name, openapi_value_schema(&field, OPENAPI_JSON));
}

struct json_object *openapi_body_schema(const struct fields *fields, enum openapi_use use,
					bool is_override)
{
	struct json_object *schema = json_object_tree(), *properties = json_object_tree();
	struct json_object *required = json_array_tree();
	bool has_required = is_override;
	json_put_text(schema, "type", "object");
	if (is_override) {
		put_method(properties);
		json_append_text(required, "_method");
	}
	for (size_t i = 0; i < fields->count; i++) {
		const struct field *field = &fields->rows[i];
		if (field->flags & FIELD_READ_ONLY ||
		    (field->kind == FIELD_FILE && use != OPENAPI_MULTIPART))
			continue;
		put_property(properties, "", field, use);
		if (field->flags & FIELD_REQUIRED && !is_spread(field, use)) {
			json_append_text(required, field->name);
			has_required = true;
		}
	}
	json_put(schema, "properties", properties);
	if (has_required)
		json_put(schema, "required", required);
	else
		json_free(required);
	return schema;
}

/* Whether responses show the field as clients send it. */
static bool is_sent_as_shown(const struct field *field)
{
	return !(field->flags & (FIELD_READ_ONLY | FIELD_OR_AS_READ)) && field->kind != FIELD_FILE;
}

static void put_examples(struct json_object *example, const char *outer,
			 const struct fields *fields, enum openapi_use use,
			 struct json_object *resource)
{
	char name[FIELD_NAME_SIZE];
	for (size_t i = 0; i < fields->count; i++) {
		const struct field *field = &fields->rows[i];
		struct json_object *value = json_member(resource, field->name);
		write_name(name, outer, field, use);
		if (is_spread(field, use))
			put_examples(example, name, field->members, use,
				     json_is_list(value) ? json_item(value, 0) : value);
		else if (value && is_sent_as_shown(field))
			json_put_shared(example, name, value);
		else if (field->default_value)
			put_scalar(example, name, field->default_value);
	}
}

struct json_object *openapi_body_example(const struct fields *fields, enum openapi_use use,
					 struct json_object *resource)
{
	struct json_object *example = json_object_tree();
	put_examples(example, "", fields, use, resource);
	return example;
}

static bool is_read_only(const struct fields *update, const char *name)
{
	const struct field *field = update ? fields_find(*update, name) : NULL;
	return field && field->flags & FIELD_READ_ONLY;
}

struct json_object *openapi_resource_schema(const struct fields *fields,
					    const struct fields *update)
{
	struct json_object *schema = json_object_tree(), *properties = json_object_tree();
	struct json_object *required = json_array_tree();
	json_put_text(schema, "type", "object");
	for (size_t i = 0; i < fields->count; i++) {
		const struct field *field = &fields->rows[i];
		struct json_object *property = openapi_value_schema(field, OPENAPI_RESOURCE);
		if (is_read_only(update, field->name))
			json_put_bool(property, "readOnly", true);
		json_put(properties, field->name, property);
		json_append_text(required, field->name);
	}
	json_put(schema, "properties", properties);
	json_put(schema, "required", required);
	return schema;
}
