#include "wire/json_pairs.h"

#include <json-c/json.h>
#include <stdio.h>

#include "base/buf.h"
#include "wire/json.h"
#include "wire/json_read.h"
#include "wire/limits.h"

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

struct emission {
	struct pair_sink *sink;
	struct error *error;
	size_t room; /* how many further values and lists may be sent */
};

static enum result take_room(struct emission *emission)
{
	if (emission->room == 0)
		return error_client(emission->error, E_MALFORMED,
				    "The request has more than %d fields.", WIRE_JSON_PARTS_MAX);
	emission->room--;
	return OK;
}

static bool has_members(const struct emission *emission, const char *name,
			struct json_object *value)
{
	struct pair_sink *sink = emission->sink;
	return json_object_is_type(value, json_type_object) && sink->has_members &&
	       sink->has_members(sink, str_from(name));
}

static enum result emit_text(struct emission *emission, const char *name, struct json_object *value)
{
	struct pair pair = { .name = str_from(name), .shape = shape_of(value) };
	struct buf printed CLEANUP(buf_done) = BUF_INIT(WIRE_RESPONSE_MAX_BYTES);
	if (pair.shape == PAIR_TEXT) {
		pair.value = (struct str){ json_object_get_string(value),
					   (size_t)json_object_get_string_len(value) };
	} else if (pair.shape != PAIR_NULL) {
		json_print(&printed, value);
		pair.value = (struct str){ printed.data, printed.len };
	}
	return buf_ok(&printed) ? emission->sink->take(emission->sink, &pair, emission->error)
				: E_BUSY;
}

static enum result emit_member(struct emission *emission, const char *prefix, const char *key,
			       struct json_object *value);

/* Sends a single value: a member that is not a list, or an item of a list. */
static enum result emit_value(struct emission *emission, const char *name,
			      struct json_object *value)
{
	const struct pair pair = { .name = str_from(name), .shape = PAIR_OBJECT };
	enum result result = take_room(emission);
	if (result != OK || !has_members(emission, name, value))
		return result == OK ? emit_text(emission, name, value) : result;
	result = emission->sink->take(emission->sink, &pair, emission->error);
	json_object_object_foreach(value, key, member)
	{
		if (result == OK)
			result = emit_member(emission, name, key, member);
	}
	return result;
}

static enum result emit_list(struct emission *emission, const char *list_name,
			     struct json_object *list)
{
	const struct pair pair = { .name = str_from(list_name), .shape = PAIR_EMPTY_LIST };
	char name[WIRE_NAME_MAX_BYTES + 24];
	size_t count = json_object_array_length(list);
	enum result result = take_room(emission);
	if (result == OK && count == 0)
		return emission->sink->take(emission->sink, &pair, emission->error);
	for (size_t i = 0; result == OK && i < count; i++) {
		struct json_object *item = json_object_array_get_idx(list, i);
		snprintf(name, sizeof(name), "%s[%zu]", list_name, i);
		if (!has_members(emission, name, item))
			snprintf(name, sizeof(name), "%s[]", list_name);
		result = emit_value(emission, name, item);
	}
	return result;
}

static enum result emit_member(struct emission *emission, const char *prefix, const char *key,
			       struct json_object *value)
{
	char name[WIRE_NAME_MAX_BYTES + 1];
	int len = snprintf(name, sizeof(name), *prefix ? "%s[%s]" : "%s%s", prefix, key);
	if (len < 0 || len > WIRE_NAME_MAX_BYTES)
		return error_client(emission->error, E_MALFORMED,
				    "A field has a name of more than %d bytes.",
				    WIRE_NAME_MAX_BYTES);
	return json_object_is_type(value, json_type_array) ? emit_list(emission, name, value)
							   : emit_value(emission, name, value);
}

enum result json_emit(struct pair_sink *sink, const char *key, struct json_object *value,
		      struct error *error)
{
	struct emission emission = { .sink = sink, .error = error, .room = SIZE_MAX };
	return emit_member(&emission, "", key, value);
}

enum result json_decode(struct str text, struct arena *arena, struct pair_sink *sink,
			struct error *error)
{
	struct emission emission = { .sink = sink, .error = error, .room = WIRE_JSON_PARTS_MAX };
	struct json_object *root;
	enum result result = json_read_body(text, arena, &root, error);
	if (result != OK)
		return result;
	json_object_object_foreach(root, key, value)
	{
		if (result == OK)
			result = emit_member(&emission, "", key, value);
	}
	json_free(root);
	return result;
}
