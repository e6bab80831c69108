#include "base/violation.h"

#include <string.h>

void violations_init(struct violations *violations, struct arena *arena)
{
	*violations = (struct violations){ .arena = arena };
}

void violations_add(struct violations *violations, const char *field, const char *format, ...)
{
	struct violation *violation = ARENA_NEW(violations->arena, struct violation);
	va_list args;
	va_start(args, format);
	violation->message = arena_vprintf(violations->arena, format, args);
	va_end(args);
	violation->field = arena_strdup(violations->arena, field);

	if (violations->last)
		violations->last->next = violation;
	else
		violations->first = violation;
	violations->last = violation;
	violations->count++;
}

void violations_rewind(struct violations *violations, const struct violations *former)
{
	*violations = *former;
	if (violations->last)
		violations->last->next = NULL;
}

bool violations_has(const struct violations *violations, const char *field)
{
	for (const struct violation *violation = violations->first; violation;
	     violation = violation->next)
		if (strcmp(violation->field, field) == 0)
			return true;
	return false;
}

const char *violation_label(struct arena *arena, const char *field)
{
	char *label = arena_strdup(arena, field);
	for (char *c = label; *c; c++)
		if (*c == '_')
			*c = ' ';
	return label;
}
