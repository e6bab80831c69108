#include "base/config_lines.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * libinih takes a ';' after a blank as the start of a comment, even in a password. The reader
 * replaces the ';' of values by this character, so that each setting decides itself.
 */
#define HIDDEN_SEMICOLON '\x01'
/* In place of a value that is too long for libinih; the value is in lines->text. */
#define LONG_VALUE	 "\x02"

static const char blanks[] = " \t\r\n";
/* The characters between a key and its value in libinih. */
static const char separators[] = "=:";

static void hide_semicolons(char *line)
{
	char *value = strpbrk(line, separators);
	const char *first = line + strspn(line, " \t");
	if (!value || *first == ';' || *first == '#' || *first == '[')
		return;
	for (char *c = value; *c; c++)
		if (*c == ';')
			*c = HIDDEN_SEMICOLON;
}

/* Passes only the key to libinih. A long line without a key is cut, since comments may have any
 * length; libinih refuses other lines without a key. */
static void shorten(struct config_lines *lines, char *line, int size)
{
	const char *separator = strpbrk(lines->text, separators);
	const char *first = lines->text + strspn(lines->text, blanks);
	bool is_setting = separator && *first != ';' && *first != '#' && *first != '[' &&
			  separator - lines->text < size / 2;
	if (is_setting)
		snprintf(line, (size_t)size, "%.*s= " LONG_VALUE "\n",
			 (int)(separator - lines->text), lines->text);
	else
		snprintf(line, (size_t)size, "%.*s\n", size - 2, lines->text);
}

char *config_lines_read(char *line, int size, void *context)
{
	struct config_lines *lines = context;
	ssize_t len = getline(&lines->text, &lines->text_size, lines->file);
	if (len < 0)
		return NULL;
	lines->number++;
	/* libinih would read only the text before the NUL, and a password would silently be a
	 * different one. */
	lines->has_nul = memchr(lines->text, '\0', (size_t)len) != NULL;
	if (lines->has_nul)
		return NULL;
	if (len < size)
		memcpy(line, lines->text, (size_t)len + 1);
	else
		shorten(lines, line, size);
	hide_semicolons(line);
	return line;
}

static void trim_end(char *text)
{
	size_t len = strlen(text);
	while (len > 0 && strchr(blanks, text[len - 1]))
		text[--len] = '\0';
}

const char *config_lines_value(const struct config_lines *lines, const char *key, const char *value,
			       struct arena *arena)
{
	if (strcmp(value, LONG_VALUE) == 0) {
		value = strpbrk(lines->text, separators) + 1;
		value += strspn(value, blanks);
	}
	char *shown = arena_strdup(arena, value);
	bool is_whole = strstr(key, "password") != NULL || strcmp(key, "mirror") == 0;
	for (char *c = shown; *c; c++) {
		if (*c == HIDDEN_SEMICOLON)
			*c = ';';
		if (*c != ';' || is_whole || c == shown || (c[-1] != ' ' && c[-1] != '\t'))
			continue;
		*c = '\0';
		break;
	}
	trim_end(shown);
	return shown;
}

void config_lines_done(struct config_lines *lines)
{
	free(lines->text);
	lines->text = NULL;
}
