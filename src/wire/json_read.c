#include "wire/json_read.h"

#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "wire/json.h"
#include "wire/limits.h"

/* Uses the decoder for its rules and limits, but takes the tree instead of pairs. */
enum result json_read(struct str text, struct json_object **root, struct error *error)
{
	struct json_decoder decoder;
	*root = NULL;
	json_decoder_init(&decoder, NULL);
	enum result result = json_decoder_feed(&decoder, text, error);
	if (result == OK)
		result = json_decoder_take(&decoder, root, error);
	json_decoder_done(&decoder);
	return result;
}

/* Replaces "The body is not ...: REASON" by "line N: REASON". */
static enum result at_line(struct error *error, size_t line)
{
	const char *colon = strstr(error->client, ": ");
	char reason[sizeof(error->client)];
	snprintf(reason, sizeof(reason), "%s", colon ? colon + 2 : error->client);
	return error_client(error, E_MALFORMED, "line %zu: %.200s", line, reason);
}

/* The decoder gets one line after the other, so that the line of a violation is known. */
static enum result feed_lines(struct json_decoder *decoder, struct str text, struct error *error)
{
	for (size_t line = 1; text.len > 0; line++) {
		const char *end = memchr(text.data, '\n', text.len);
		struct str one = { text.data, end ? (size_t)(end - text.data) + 1 : text.len };
		enum result result = json_decoder_feed(decoder, one, error);
		if (result != OK)
			return result == E_MALFORMED ? at_line(error, line) : result;
		text = str_skip(text, one.len);
	}
	return OK;
}

enum result json_read_file(struct str text, struct json_object **root, struct error *error)
{
	static const struct json_limits limits = {
		WIRE_FILE_MAX_BYTES,
		WIRE_FILE_MAX_CONTAINERS,
		WIRE_FILE_MAX_VALUES,
	};
	struct json_decoder decoder;
	*root = NULL;
	json_decoder_init(&decoder, NULL);
	decoder.limits = &limits;
	enum result result = feed_lines(&decoder, text, error);
	if (result == OK)
		result = json_decoder_take(&decoder, root, error);
	json_decoder_done(&decoder);
	return result;
}

struct json_object *json_read_embedded(const char *text)
{
	return json_tokener_parse(text);
}

struct json_object *json_member(struct json_object *object, const char *key)
{
	struct json_object *value = NULL;
	if (!json_object_is_type(object, json_type_object) ||
	    !json_object_object_get_ex(object, key, &value))
		return NULL;
	return value;
}

const char *json_text(struct json_object *value, struct arena *arena)
{
	enum json_type type = json_object_get_type(value);
	if (type == json_type_int)
		return arena_strdup(arena, json_object_get_string(value));
	if (type != json_type_string)
		return NULL;
	struct str text = { json_object_get_string(value),
			    (size_t)json_object_get_string_len(value) };
	return str_is_text(text) ? arena_strndup(arena, text.data, text.len) : NULL;
}

bool json_truth(struct json_object *value, bool *is_true)
{
	*is_true = json_object_is_type(value, json_type_boolean) && json_object_get_boolean(value);
	return json_object_is_type(value, json_type_boolean);
}

bool json_equal(struct json_object *one, struct json_object *other)
{
	return json_object_equal(one, other) == 1;
}

bool json_is_list(struct json_object *value)
{
	return json_object_is_type(value, json_type_array);
}

bool json_is_object(struct json_object *value)
{
	return json_object_is_type(value, json_type_object);
}

size_t json_length(struct json_object *array)
{
	return json_object_is_type(array, json_type_array) ? json_object_array_length(array) : 0;
}

struct json_object *json_item(struct json_object *array, size_t at)
{
	return json_object_array_get_idx(array, at);
}

void json_each(struct json_object *object, json_visit *visit, void *context)
{
	if (!json_object_is_type(object, json_type_object))
		return;
	json_object_object_foreach(object, key, value) visit(context, key, value);
}
