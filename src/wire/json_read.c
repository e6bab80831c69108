#include "wire/json_read.h"

#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "wire/json_reader.h"
#include "wire/limits.h"

static enum result read_root(struct json_reader *reader, struct json_object **root)
{
	enum result result = json_reader_value(reader, root);
	if (result == OK)
		result = json_reader_end(reader);
	if (result == OK && !json_is_object(*root))
		result = error_client(reader->error, E_MALFORMED,
				      "The JSON body must be an object.");
	if (result == OK)
		return OK;
	json_object_put(*root);
	*root = NULL;
	return result;
}

enum result json_read_body(struct str text, struct arena *arena, struct json_object **root,
			   struct error *error)
{
	struct json_reader reader CLEANUP(json_reader_done);
	*root = NULL;
	enum result result = json_reader_init(&reader, text, &json_body_limits, error);
	reader.arena = arena;
	return result == OK ? read_root(&reader, root) : result;
}

enum result json_read(struct str text, struct json_object **root, struct error *error)
{
	return json_read_body(text, NULL, root, error);
}

/* Replaces "The body is not ...: REASON" by "line N: REASON". */
static enum result at_line(struct error *error, size_t line)
{
	const char *colon = strstr(error->client, ": ");
	char reason[sizeof(error->client)];
	snprintf(reason, sizeof(reason), "%s", colon ? colon + 2 : error->client);
	return error_client(error, E_MALFORMED, "line %zu: %.200s", line, reason);
}

enum result json_read_file(struct str text, struct json_object **root, struct error *error)
{
	static const struct json_limits limits = {
		"A file",
		{ WIRE_FILE_MAX_BYTES, WIRE_FILE_MAX_CONTAINERS, WIRE_FILE_MAX_VALUES },
		WIRE_JSON_MAX_DEPTH,
	};
	struct json_reader reader CLEANUP(json_reader_done);
	size_t line = 1;
	*root = NULL;
	enum result result = json_reader_init(&reader, text, &limits, error);
	if (result == OK)
		result = read_root(&reader, root);
	if (!reader.violation_at)
		return result;
	for (const char *at = text.data; at < reader.violation_at; at++)
		line += *at == '\n';
	return at_line(error, line);
}

struct json_object *json_read_embedded(const char *text)
{
	static const struct json_limits limits = { "JSON",
						   { SIZE_MAX, SIZE_MAX, SIZE_MAX },
						   JSON_TOKENER_DEFAULT_DEPTH };
	struct json_reader reader CLEANUP(json_reader_done);
	struct json_object *value = NULL;
	struct error ignored = { 0 };
	enum result result = json_reader_init(&reader, str_from(text), &limits, &ignored);
	if (result == OK)
		result = json_reader_value(&reader, &value);
	if (result == OK)
		return value;
	json_object_put(value);
	return NULL;
}

bool json_find(struct json_object *object, const char *key, struct json_object **value)
{
	*value = NULL;
	return json_object_is_type(object, json_type_object) &&
	       json_object_object_get_ex(object, key, value);
}

struct json_object *json_member(struct json_object *object, const char *key)
{
	struct json_object *value;
	json_find(object, key, &value);
	return value;
}

const char *json_text(struct json_object *value, struct arena *arena)
{
	enum json_type type = json_object_get_type(value);
	/* json-c stores a number that is not negative as unsigned, so it may be above INT64_MAX. */
	if (type == json_type_int && json_object_get_int64(value) < 0)
		return arena_printf(arena, "%lld", (long long)json_object_get_int64(value));
	if (type == json_type_int)
		return arena_printf(arena, "%llu",
				    (unsigned long long)json_object_get_uint64(value));
	if (type != json_type_string)
		return NULL;
	struct str text = { json_object_get_string(value),
			    (size_t)json_object_get_string_len(value) };
	return str_is_text(text) ? arena_strndup(arena, text.data, text.len) : NULL;
}

bool json_number_up(struct json_object *value, int64_t *number)
{
	enum { MOST = 1 << 30 };
	if (!json_object_is_type(value, json_type_double) &&
	    !json_object_is_type(value, json_type_int))
		return false;
	double exact = json_object_get_double(value);
	if (!(exact >= 0 && exact < MOST))
		return false;
	*number = (int64_t)exact;
	*number += (double)*number < exact;
	return true;
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
