#include "base/fault.h"

#include <string.h>

void faults_init(struct faults *faults, struct arena *arena)
{
	*faults = (struct faults){ .arena = arena };
}

void faults_add(struct faults *faults, const char *field, const char *format, ...)
{
	struct fault *fault = ARENA_NEW(faults->arena, struct fault);
	va_list args;
	va_start(args, format);
	fault->message = arena_vprintf(faults->arena, format, args);
	va_end(args);
	fault->field = arena_strdup(faults->arena, field);

	if (faults->last)
		faults->last->next = fault;
	else
		faults->first = fault;
	faults->last = fault;
	faults->count++;
}

bool faults_has(const struct faults *faults, const char *field)
{
	for (const struct fault *fault = faults->first; fault; fault = fault->next)
		if (strcmp(fault->field, field) == 0)
			return true;
	return false;
}

const char *fault_label(struct arena *arena, const char *field)
{
	char *label = arena_strdup(arena, field);
	for (char *c = label; *c; c++)
		if (*c == '_')
			*c = ' ';
	return label;
}
