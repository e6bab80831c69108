/* Names that occur twice in an object, of which json-c keeps the last value. */
#include <stdlib.h>
#include <string.h>

#include "wire/json.h"
#include "wire/json_read.h"

enum { DEPTH_MAX = 64 };

struct found_name {
	const char *text;
	size_t line;
};

struct open_object {
	struct found_name *names; /* NULL: also a list */
	size_t count;
	size_t room;
	bool is_object;
};

struct names {
	struct arena *arena;
	struct open_object open[DEPTH_MAX];
	size_t depth;
	bool is_name_next;
};

/* By name, then by line. */
static int by_name(const void *a, const void *b)
{
	const struct found_name *left = a, *right = b;
	int order = strcmp(left->text, right->text);
	return order != 0 ? order : (left->line > right->line) - (left->line < right->line);
}

/* The name that the quoted text is. */
static const char *name_of(struct names *names, struct str quoted)
{
	const char *text = arena_strndup(names->arena, quoted.data, quoted.len);
	if (!strchr(text, '\\'))
		return arena_strndup(names->arena, quoted.data + 1, quoted.len - 2);
	struct json_object *value = json_read_embedded(text);
	const char *name = json_text(value, names->arena);
	json_free(value);
	return name ? name : text;
}

static void add_name(struct names *names, struct str quoted, size_t line)
{
	struct open_object *object = &names->open[names->depth - 1];
	object->names = arena_grow(names->arena, object->names, object->count, &object->room,
				   sizeof(*object->names));
	object->names[object->count++] = (struct found_name){ name_of(names, quoted), line };
}

static const struct found_name *repeated_in(struct open_object *object)
{
	if (object->count > 1)
		qsort(object->names, object->count, sizeof(*object->names), by_name);
	for (size_t i = 1; i < object->count; i++)
		if (strcmp(object->names[i].text, object->names[i - 1].text) == 0)
			return &object->names[i];
	return NULL;
}

/* The bytes of the string that begins with a quotation mark. */
static size_t string_bytes(struct str text)
{
	size_t at = 1;
	while (at < text.len && text.data[at] != '"')
		at += text.data[at] == '\\' ? 2 : 1;
	return at < text.len ? at + 1 : text.len;
}

const char *json_repeated_name(struct str text, struct arena *arena, size_t *line)
{
	struct names names = { .arena = arena };
	const struct found_name *found = NULL;
	*line = 1;
	for (size_t at = 0, bytes; at < text.len && !found; at += bytes) {
		const char c = text.data[at];
		bytes = c == '"' ? string_bytes(str_skip(text, at)) : 1;
		*line += c == '\n';
		if ((c == '{' || c == '[') && names.depth < DEPTH_MAX)
			names.open[names.depth++] = (struct open_object){ .is_object = c == '{' };
		else if ((c == '}' || c == ']') && names.depth > 0)
			found = repeated_in(&names.open[--names.depth]);
		else if (c == '"' && names.is_name_next && names.depth > 0)
			add_name(&names, (struct str){ text.data + at, bytes }, *line);
		if (c == '{' || c == ',')
			names.is_name_next = names.depth > 0 &&
					     names.open[names.depth - 1].is_object;
		else if (c == '"' || c == '[' || c == ':')
			names.is_name_next = false;
	}
	if (!found)
		return NULL;
	*line = found->line;
	return found->text;
}
