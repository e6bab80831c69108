#include "wire/json_items.h"

#include <json-c/json.h>
#include <string.h>

#include "wire/json_reader.h"
#include "wire/limits.h"

static const struct json_limits items_limits = {
	"An item of a JSON list, and the rest of the body,",
	{ WIRE_JSON_MAX_BYTES, WIRE_JSON_MAX_CONTAINERS, WIRE_JSON_MAX_VALUES },
	WIRE_JSON_MAX_DEPTH,
};

static enum result read_item(struct json_reader *reader, struct json_visitor *visitor)
{
	struct json_object *item;
	reader->used = (struct json_extent){ 0 };
	enum result result = json_reader_value(reader, &item);
	reader->kept_bytes += visitor->item_weight + 2 * reader->used.bytes +
			      (reader->used.values + 1) * visitor->value_weight;
	if (result == OK && !json_reader_claim(reader, 0))
		result = E_BUSY;
	if (result == OK)
		result = visitor->visit(visitor, item, reader->error);
	json_object_put(item);
	return result;
}

/* Reads a list after its opening bracket. */
static enum result read_list(struct json_reader *reader, struct json_visitor *visitor)
{
	const struct json_extent rest = reader->used;
	enum result result = OK;
	visitor->begin(visitor);
	if (json_reader_take(reader, ']'))
		return OK;
	do
		result = read_item(reader, visitor);
	while (result == OK && json_reader_take(reader, ','));
	reader->used = rest;
	if (result == OK && !json_reader_take(reader, ']'))
		result = json_reader_refuse(reader, "a comma or ] is missing in a list");
	return result;
}

static enum result read_value(struct json_reader *reader, struct json_visitor *visitor,
			      const char *name, struct json_object **value)
{
	if (strcmp(name, visitor->name) != 0 || !json_reader_take(reader, '['))
		return json_reader_value(reader, value);
	*value = json_object_new_array();
	return *value ? read_list(reader, visitor) : E_BUSY;
}

static enum result read_member(struct json_reader *reader, struct json_visitor *visitor,
			       struct json_object *root)
{
	struct json_object *name, *value = NULL;
	enum result result = json_reader_value(reader, &name);
	if (result == OK &&
	    !(json_object_is_type(name, json_type_string) && json_reader_take(reader, ':')))
		result = json_reader_refuse(reader, "a name or its colon is missing");
	const char *text = result == OK ? json_object_get_string(name) : "";
	/* json_check() rejects a NUL only in a string before a colon, but it has read this name
	 * without its colon. */
	if (result == OK && strlen(text) != (size_t)json_object_get_string_len(name))
		result = json_reader_refuse(reader, "it has a name with a NUL");
	if (result == OK)
		result = read_value(reader, visitor, text, &value);
	if (result == OK && json_object_object_add(root, text, value) == 0)
		value = NULL;
	else if (result == OK)
		result = E_BUSY;
	json_object_put(value);
	json_object_put(name);
	return result;
}

static enum result read_object(struct json_reader *reader, struct json_visitor *visitor,
			       struct json_object *root)
{
	enum result result = OK;
	if (!json_reader_take(reader, '{'))
		return json_reader_refuse(reader, "it is not an object");
	if (json_reader_take(reader, '}'))
		return json_reader_end(reader);
	do
		result = read_member(reader, visitor, root);
	while (result == OK && json_reader_take(reader, ','));
	if (result == OK && !json_reader_take(reader, '}'))
		result = json_reader_refuse(reader, "a comma or } is missing in an object");
	return result == OK ? json_reader_end(reader) : result;
}

enum result json_read_items(struct str text, struct arena *arena, struct json_visitor *visitor,
			    struct json_object **root, struct error *error)
{
	struct json_reader reader CLEANUP(json_reader_done);
	*root = NULL;
	enum result result = json_reader_init(&reader, text, &items_limits, error);
	reader.arena = arena;
	if (result != OK)
		return result;
	*root = json_object_new_object();
	result = *root ? read_object(&reader, visitor, *root) : E_BUSY;
	if (result == OK)
		return OK;
	json_object_put(*root);
	*root = NULL;
	return result;
}
