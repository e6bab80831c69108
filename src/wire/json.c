#include "wire/json.h"

#include <json-c/json.h>
#include <stdio.h>

#include "base/log.h"
#include "wire/limits.h"

void json_decoder_init(struct json_decoder *decoder, struct pair_sink *sink)
{
	*decoder = (struct json_decoder){ .sink = sink };
	decoder->tokener = json_tokener_new_ex(WIRE_JSON_MAX_DEPTH);
	if (!decoder->tokener)
		die("json: out of memory");
	/* No comments, no single quotes, nothing behind the value. */
	json_tokener_set_flags(decoder->tokener, JSON_TOKENER_STRICT);
}

void json_decoder_done(struct json_decoder *decoder)
{
	json_object_put(decoder->root);
	json_tokener_free(decoder->tokener);
	*decoder = (struct json_decoder){ 0 };
}

/*
 * json-c takes single quotes for double ones, NaN and Infinity even when it is
 * told to be strict. Outside strings JSON has no such character. Counts, too, what
 * json-c will make of the text.
 */
static bool has_foreign_token(struct json_decoder *decoder, struct str bytes)
{
	for (size_t i = 0; i < bytes.len; i++) {
		char c = bytes.data[i];
		if (decoder->is_escaped)
			decoder->is_escaped = false;
		else if (c == '\\')
			decoder->is_escaped = decoder->is_in_string;
		else if (c == '"')
			decoder->is_in_string = !decoder->is_in_string;
		else if (decoder->is_in_string)
			continue;
		else if (c == '{' || c == '[')
			decoder->containers++;
		else if (c == ',')
			decoder->values++;
		else if (c == '\'' || c == 'N' || c == 'I')
			return true;
	}
	return false;
}

size_t json_decoder_weight(const struct json_decoder *decoder)
{
	return 2 * decoder->bytes + decoder->containers * WIRE_JSON_CONTAINER_WEIGHT +
	       decoder->values * WIRE_JSON_VALUE_WEIGHT;
}

static bool is_json_blank(struct str bytes)
{
	for (size_t i = 0; i < bytes.len; i++)
		if (bytes.data[i] != ' ' && bytes.data[i] != '\t' && bytes.data[i] != '\n' &&
		    bytes.data[i] != '\r')
			return false;
	return true;
}

enum result json_decoder_feed(struct json_decoder *decoder, struct str bytes, struct error *error)
{
	if (bytes.len > WIRE_JSON_MAX_BYTES - decoder->bytes)
		return error_client(error, E_TOO_LARGE, "A JSON body may have at most %d bytes.",
				    WIRE_JSON_MAX_BYTES);
	decoder->bytes += bytes.len;
	if (has_foreign_token(decoder, bytes))
		return error_client(error, E_MALFORMED,
				    "The body is no JSON: it has a single quote, NaN or Infinity.");
	if (decoder->containers > WIRE_JSON_MAX_CONTAINERS ||
	    decoder->values > WIRE_JSON_MAX_VALUES)
		return error_client(error, E_TOO_LARGE,
				    "A JSON body may have at most %d objects and lists, and %d "
				    "values.",
				    WIRE_JSON_MAX_CONTAINERS, WIRE_JSON_MAX_VALUES);
	if (!decoder->root && bytes.len > 0) {
		decoder->root = json_tokener_parse_ex(decoder->tokener, bytes.data, (int)bytes.len);
		enum json_tokener_error failure = json_tokener_get_error(decoder->tokener);
		if (failure == json_tokener_continue)
			return OK;
		size_t used = json_tokener_get_parse_end(decoder->tokener);
		if (failure != json_tokener_success || !decoder->root)
			return error_client(error, E_MALFORMED, "The body is no JSON object: %s.",
					    failure == json_tokener_success
						    ? "null stands there"
						    : json_tokener_error_desc(failure));
		bytes = str_skip(bytes, used);
	}
	if (!is_json_blank(bytes))
		return error_client(error, E_MALFORMED, "Something stands behind the JSON body.");
	return OK;
}

static enum pair_shape shape_of(struct json_object *value)
{
	switch (json_object_get_type(value)) {
	case json_type_null:
		return PAIR_NULL;
	case json_type_string:
		return PAIR_TEXT;
	case json_type_boolean:
		return PAIR_BOOLEAN;
	case json_type_int:
	case json_type_double:
		return PAIR_NUMBER;
	case json_type_array:
	case json_type_object:
		break;
	}
	return PAIR_NESTED;
}

static enum result emit_value(struct json_decoder *decoder, struct str name,
			      struct json_object *value, struct error *error)
{
	struct pair pair = { .name = name, .shape = shape_of(value) };
	struct str text = { 0 };
	if (pair.shape == PAIR_TEXT)
		text = (struct str){ json_object_get_string(value),
				     (size_t)json_object_get_string_len(value) };
	else if (pair.shape == PAIR_NESTED)
		text.data = json_object_to_json_string_length(value, JSON_C_TO_STRING_PLAIN,
							      &text.len);
	else if (pair.shape == PAIR_NUMBER || pair.shape == PAIR_BOOLEAN)
		text = str_from(json_object_get_string(value));
	return pair_emit(decoder->sink, &pair, text, error);
}

static enum result emit_list(struct json_decoder *decoder, const char *key,
			     struct json_object *list, struct error *error)
{
	char name[WIRE_NAME_MAX_BYTES + 3];
	size_t count = json_object_array_length(list);
	if (count == 0) {
		struct pair pair = { .name = str_from(key), .shape = PAIR_EMPTY_LIST };
		return pair_emit(decoder->sink, &pair, (struct str){ 0 }, error);
	}
	snprintf(name, sizeof(name), "%s[]", key);
	for (size_t i = 0; i < count; i++) {
		enum result result = emit_value(decoder, str_from(name),
						json_object_array_get_idx(list, i), error);
		if (result != OK)
			return result;
	}
	return OK;
}

static enum result check_root(const struct json_decoder *decoder, struct error *error)
{
	if (!decoder->root)
		return error_client(error, E_MALFORMED, "The JSON body is cut short.");
	if (!json_object_is_type(decoder->root, json_type_object))
		return error_client(error, E_MALFORMED, "The JSON body must be an object.");
	return OK;
}

enum result json_decoder_take(struct json_decoder *decoder, struct json_object **root,
			      struct error *error)
{
	enum result result = check_root(decoder, error);
	*root = result == OK ? json_object_get(decoder->root) : NULL;
	return result;
}

enum result json_decoder_finish(struct json_decoder *decoder, struct error *error)
{
	enum result checked = check_root(decoder, error);
	if (checked != OK)
		return checked;
	size_t values = 0;
	json_object_object_foreach(decoder->root, key, value)
	{
		bool is_list = json_object_is_type(value, json_type_array);
		values += is_list ? json_object_array_length(value) + 1 : 1;
		if (values > WIRE_PARTS_MAX)
			return error_client(error, E_MALFORMED,
					    "The request has more than %d fields.", WIRE_PARTS_MAX);
		struct str name = str_from(key);
		if (name.len > WIRE_NAME_MAX_BYTES)
			return error_client(error, E_MALFORMED,
					    "A field has a name of more than %d bytes.",
					    WIRE_NAME_MAX_BYTES);
		enum result result = is_list ? emit_list(decoder, key, value, error)
					     : emit_value(decoder, name, value, error);
		if (result != OK)
			return result;
	}
	return OK;
}

static struct json_object *must(struct json_object *tree)
{
	if (!tree)
		die("json: out of memory");
	return tree;
}

struct json_object *json_object_tree(void)
{
	return must(json_object_new_object());
}

struct json_object *json_array_tree(void)
{
	return must(json_object_new_array());
}

void json_free(struct json_object *tree)
{
	json_object_put(tree);
}

void json_put(struct json_object *object, const char *key, struct json_object *tree)
{
	if (json_object_object_add(object, key, tree) != 0)
		die("json: out of memory");
}

void json_put_text(struct json_object *object, const char *key, const char *text)
{
	json_put(object, key, text ? must(json_object_new_string(text)) : NULL);
}

void json_put_int(struct json_object *object, const char *key, int64_t number)
{
	json_put(object, key, must(json_object_new_int64(number)));
}

void json_put_bool(struct json_object *object, const char *key, bool value)
{
	json_put(object, key, must(json_object_new_boolean(value)));
}

void json_put_null(struct json_object *object, const char *key)
{
	json_put(object, key, NULL);
}

void json_put_time(struct json_object *object, const char *key, struct instant at)
{
	char text[INSTANT_TEXT_SIZE];
	json_put_text(object, key, at.s ? instant_format(at, text) : NULL);
}

static struct json_object *ids_tree(const struct id_list *list)
{
	struct json_object *array = json_array_tree();
	for (size_t i = 0; i < list->count; i++)
		json_append(array, must(json_object_new_int64(list->ids[i])));
	return array;
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
	case FIELD_FILE:
		die("json: the file %s cannot be written", field->name);
	}
}

void json_put_fields(struct json_object *object, struct fields fields, const void *row)
{
	for (size_t i = 0; i < fields.count; i++)
		json_put_field(object, &fields.rows[i], row);
}

void json_append(struct json_object *array, struct json_object *tree)
{
	if (json_object_array_add(array, tree) != 0)
		die("json: out of memory");
}

void json_append_text(struct json_object *array, const char *text)
{
	json_append(array, must(json_object_new_string(text)));
}

static void print(struct buf *out, struct json_object *tree, int style)
{
	size_t len;
	const char *text = json_object_to_json_string_length(
		tree, style | JSON_C_TO_STRING_NOSLASHESCAPE, &len);
	if (!text)
		die("json: out of memory");
	buf_add(out, text, len);
}

void json_print(struct buf *out, struct json_object *tree)
{
	print(out, tree, JSON_C_TO_STRING_PLAIN);
}

void json_print_pretty(struct buf *out, struct json_object *tree)
{
	print(out, tree, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED);
	buf_putc(out, '\n');
}
