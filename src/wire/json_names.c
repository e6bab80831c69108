/* Finds names that occur twice in an object. json-c keeps only the last value of such a name. */
#include <json-c/json.h>
#include <string.h>

#include "base/log.h"
#include "wire/json.h"
#include "wire/json_read.h"
#include "wire/limits.h"

/* Returns the number of bytes of the JSON string at the front of the text, with its quotation
 * marks. */
static size_t string_bytes(struct str text)
{
	size_t at = 1;
	while (at < text.len && text.data[at] != '"')
		at += text.data[at] == '\\' ? 2 : 1;
	return at < text.len ? at + 1 : text.len;
}

/* Decodes a JSON string. */
static const char *text_of(struct str quoted, struct arena *arena)
{
	struct json_object *value =
		json_read_embedded(arena_strndup(arena, quoted.data, quoted.len));
	const char *text = json_object_get_string(value);
	if (!text)
		die("json: out of memory");
	text = arena_strdup(arena, text);
	json_object_put(value);
	return text;
}

const char *json_repeated_name(struct str text, struct arena *arena, size_t *line)
{
	/* The names of each open object. */
	struct json_object *names[WIRE_JSON_MAX_DEPTH] = { NULL };
	size_t depth = 0, bytes;
	struct str string = { 0 }; /* the last string so far */
	const char *found = NULL;
	*line = 1;
	for (size_t at = 0; at < text.len && !found; at += bytes) {
		char c = text.data[at];
		bytes = c == '"' ? string_bytes(str_skip(text, at)) : 1;
		*line += c == '\n';
		if (c == '"')
			string = (struct str){ text.data + at, bytes };
		if (c == '{' && depth < WIRE_JSON_MAX_DEPTH)
			names[depth++] = json_object_new_object();
		else if (c == '}' && depth > 0)
			json_object_put(names[--depth]);
		if (c != ':' || depth == 0)
			continue;
		const char *name = text_of(string, arena);
		if (json_object_object_get_ex(names[depth - 1], name, NULL))
			found = name;
		else
			json_put_null(names[depth - 1], name);
	}
	while (depth > 0)
		json_object_put(names[--depth]);
	return found;
}
