#include "wire/json.h"

#include <json-c/json.h>
#include <stdio.h>

#include "base/log.h"
#include "wire/limits.h"

static const struct json_limits request_limits = {
	WIRE_JSON_MAX_BYTES,
	WIRE_JSON_MAX_CONTAINERS,
	WIRE_JSON_MAX_VALUES,
};

void json_decoder_init(struct json_decoder *decoder, struct pair_sink *sink)
{
	*decoder = (struct json_decoder){ .limits = &request_limits, .sink = sink };
	decoder->tokener = json_tokener_new_ex(WIRE_JSON_MAX_DEPTH);
	if (!decoder->tokener)
		die("json: out of memory");
	/* Reject comments, single quotes, and text after the value. */
	json_tokener_set_flags(decoder->tokener, JSON_TOKENER_STRICT);
}

void json_decoder_done(struct json_decoder *decoder)
{
	json_object_put(decoder->root);
	json_tokener_free(decoder->tokener);
	*decoder = (struct json_decoder){ 0 };
}

size_t json_weight(size_t bytes, const struct json_scan *scan)
{
	return 2 * bytes + scan->containers * WIRE_JSON_CONTAINER_WEIGHT +
	       scan->values * WIRE_JSON_VALUE_WEIGHT;
}

size_t json_decoder_weight(const struct json_decoder *decoder)
{
	return json_weight(decoder->bytes, &decoder->scan);
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
	const struct json_limits *limits = decoder->limits;
	if (bytes.len > limits->bytes - decoder->bytes)
		return error_client(error, E_TOO_LARGE, "A JSON body may have at most %zu bytes.",
				    limits->bytes);
	decoder->bytes += bytes.len;
	for (size_t i = 0; i < bytes.len; i++) {
		const char *violation = json_scan(&decoder->scan, bytes.data[i]);
		if (violation)
			return error_client(error, E_MALFORMED,
					    "The body is not valid JSON: it has %s.", violation);
	}
	if (decoder->scan.containers > limits->containers || decoder->scan.values > limits->values)
		return error_client(error, E_TOO_LARGE,
				    "A JSON body may have at most %zu objects and lists, and %zu "
				    "values.",
				    limits->containers, limits->values);
	if (!decoder->root && bytes.len > 0) {
		decoder->root = json_tokener_parse_ex(decoder->tokener, bytes.data, (int)bytes.len);
		enum json_tokener_error failure = json_tokener_get_error(decoder->tokener);
		if (failure == json_tokener_continue)
			return OK;
		size_t used = json_tokener_get_parse_end(decoder->tokener);
		if (failure != json_tokener_success || !decoder->root)
			return error_client(
				error, E_MALFORMED, "The body is not a JSON object: %s.",
				failure == json_tokener_success ? "it is null"
								: json_tokener_error_desc(failure));
		bytes = str_skip(bytes, used);
	}
	if (!is_json_blank(bytes))
		return error_client(error, E_MALFORMED, "There is text after the JSON body.");
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

static enum result emit_value(struct pair_sink *sink, struct str name, struct json_object *value,
			      struct error *error)
{
	struct pair pair = { .name = name, .shape = shape_of(value) };
	struct str text = { 0 };
	if (pair.shape == PAIR_TEXT)
		text = (struct str){ json_object_get_string(value),
				     (size_t)json_object_get_string_len(value) };
	else if (pair.shape == PAIR_NESTED)
		text.data =
			json_object_to_json_string_length(value, JSON_C_TO_STRING_PLAIN, &text.len);
	else if (pair.shape == PAIR_NUMBER || pair.shape == PAIR_BOOLEAN)
		text = str_from(json_object_get_string(value));
	return pair_emit(sink, &pair, text, error);
}

static enum result emit_list(struct pair_sink *sink, const char *key, struct json_object *list,
			     struct error *error)
{
	char name[WIRE_NAME_MAX_BYTES + 3];
	size_t count = json_object_array_length(list);
	if (count == 0) {
		struct pair pair = { .name = str_from(key), .shape = PAIR_EMPTY_LIST };
		return pair_emit(sink, &pair, (struct str){ 0 }, error);
	}
	snprintf(name, sizeof(name), "%s[]", key);
	for (size_t i = 0; i < count; i++) {
		enum result result =
			emit_value(sink, str_from(name), json_object_array_get_idx(list, i), error);
		if (result != OK)
			return result;
	}
	return OK;
}

enum result json_emit(struct pair_sink *sink, const char *key, struct json_object *value,
		      struct error *error)
{
	return json_object_is_type(value, json_type_array)
		       ? emit_list(sink, key, value, error)
		       : emit_value(sink, str_from(key), value, error);
}

static enum result check_root(const struct json_decoder *decoder, struct error *error)
{
	if (!decoder->root)
		return error_client(error, E_MALFORMED, "The JSON body is incomplete.");
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
		enum result result = json_emit(decoder->sink, key, value, error);
		if (result != OK)
			return result;
	}
	return OK;
}
