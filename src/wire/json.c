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

/* A value on its way to the sink. */
struct emission {
	struct pair_sink *sink;
	struct error *error;
	size_t room;			     /* for so many more values and lists */
	char name[WIRE_NAME_MAX_BYTES + 24]; /* so far; behind a key there is room for an index */
	size_t name_len;
};

static enum result add_key(struct emission *emission, const char *key)
{
	size_t at = emission->name_len, room = sizeof(emission->name) - at;
	int len = snprintf(emission->name + at, room, at > 0 ? "[%s]" : "%s", key);
	if (len < 0 || at + (size_t)len > WIRE_NAME_MAX_BYTES)
		return error_client(emission->error, E_MALFORMED,
				    "A field has a name of more than %d bytes.",
				    WIRE_NAME_MAX_BYTES);
	emission->name_len += (size_t)len;
	return OK;
}

static void cut_name(struct emission *emission, size_t len)
{
	emission->name_len = len;
	emission->name[len] = '\0';
}

static enum result take_room(struct emission *emission)
{
	if (emission->room == 0)
		return error_client(emission->error, E_MALFORMED,
				    "The request has more than %d fields.", WIRE_PARTS_MAX);
	emission->room--;
	return OK;
}

static struct str name_of(const struct emission *emission)
{
	return (struct str){ emission->name, emission->name_len };
}

static bool has_members(const struct emission *emission, struct json_object *value)
{
	struct pair_sink *sink = emission->sink;
	return json_object_is_type(value, json_type_object) && sink->has_members &&
	       sink->has_members(sink, name_of(emission));
}

static enum result emit_text(struct emission *emission, struct json_object *value)
{
	struct pair pair = { .name = name_of(emission), .shape = shape_of(value) };
	struct str text = { 0 };
	if (pair.shape == PAIR_TEXT)
		text = (struct str){ json_object_get_string(value),
				     (size_t)json_object_get_string_len(value) };
	else if (pair.shape == PAIR_NESTED)
		text.data =
			json_object_to_json_string_length(value, JSON_C_TO_STRING_PLAIN, &text.len);
	else if (pair.shape == PAIR_NUMBER || pair.shape == PAIR_BOOLEAN)
		text = str_from(json_object_get_string(value));
	return pair_emit(emission->sink, &pair, text, emission->error);
}

static enum result emit_member(struct emission *emission, const char *key,
			       struct json_object *value);

/* A value that is not a list, or stands in a list. */
static enum result emit_value(struct emission *emission, struct json_object *value)
{
	enum result result = take_room(emission);
	if (result != OK || !has_members(emission, value))
		return result == OK ? emit_text(emission, value) : result;
	const struct pair pair = { .name = name_of(emission), .shape = PAIR_OBJECT };
	result = pair_emit(emission->sink, &pair, (struct str){ 0 }, emission->error);
	json_object_object_foreach(value, key, member)
	{
		if (result == OK)
			result = emit_member(emission, key, member);
	}
	return result;
}

static enum result emit_list(struct emission *emission, struct json_object *list)
{
	size_t count = json_object_array_length(list), len = emission->name_len;
	enum result result = take_room(emission);
	if (result == OK && count == 0) {
		const struct pair pair = { .name = name_of(emission), .shape = PAIR_EMPTY_LIST };
		return pair_emit(emission->sink, &pair, (struct str){ 0 }, emission->error);
	}
	for (size_t i = 0; result == OK && i < count; i++) {
		struct json_object *item = json_object_array_get_idx(list, i);
		size_t room = sizeof(emission->name) - len;
		emission->name_len += (size_t)snprintf(emission->name + len, room, "[%zu]", i);
		if (!has_members(emission, item))
			emission->name_len =
				len + (size_t)snprintf(emission->name + len, room, "[]");
		result = emit_value(emission, item);
		cut_name(emission, len);
	}
	return result;
}

static enum result emit_member(struct emission *emission, const char *key,
			       struct json_object *value)
{
	size_t len = emission->name_len;
	enum result result = add_key(emission, key);
	if (result == OK)
		result = json_object_is_type(value, json_type_array) ? emit_list(emission, value)
								     : emit_value(emission, value);
	cut_name(emission, len);
	return result;
}

enum result json_emit(struct pair_sink *sink, const char *key, struct json_object *value,
		      struct error *error)
{
	struct emission emission = { .sink = sink, .error = error, .room = SIZE_MAX };
	return emit_member(&emission, key, value);
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
	struct emission emission = {
		.sink = decoder->sink,
		.error = error,
		.room = WIRE_PARTS_MAX,
	};
	json_object_object_foreach(decoder->root, key, value)
	{
		enum result result = emit_member(&emission, key, value);
		if (result != OK)
			return result;
	}
	return OK;
}
