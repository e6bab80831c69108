#include "base/lines.h"

#include <string.h>

struct lines lines_of(struct str text)
{
	return (struct lines){ .rest = text };
}

bool lines_next(struct lines *lines, struct str *line)
{
	struct str *rest = &lines->rest;
	const char *end = rest->len > 0 ? memchr(rest->data, '\n', rest->len) : NULL;
	if (!end)
		return false;
	lines->number++;
	return str_split(rest, '\n', line);
}

bool lines_are_cut(const struct lines *lines)
{
	return lines->rest.len > 0;
}

bool line_word(struct str *line, struct str *word)
{
	return str_split(line, ' ', word) && word->len > 0;
}

bool line_key(struct str *line, const char *key)
{
	struct str word;
	return line_word(line, &word) && str_eq(word, str_from(key));
}

const char *line_text(struct str *line, struct arena *arena)
{
	struct str word;
	if (!line_word(line, &word) || memchr(word.data, '\0', word.len))
		return NULL;
	return arena_strndup(arena, word.data, word.len);
}

bool line_optional(struct str *line, struct arena *arena, const char **text)
{
	const char *word = line_text(line, arena);
	*text = word && strcmp(word, LINE_NONE) != 0 ? word : NULL;
	return word;
}

bool line_number(struct str *line, int64_t min, int64_t *number)
{
	struct str word;
	return line_word(line, &word) && str_to_int64(word, number) && *number >= min;
}

bool line_ends(const struct str *line)
{
	return !line->data;
}

const char *line_or_none(const char *text)
{
	return text ? text : LINE_NONE;
}
