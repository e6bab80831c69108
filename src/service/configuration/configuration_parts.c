#include "service/configuration/configuration_parts.h"

#include <stdlib.h>
#include <string.h>

void name_index_init(struct name_index *index, size_t room, struct arena *arena)
{
	*index = (struct name_index){ .rows = ARENA_ARRAY(arena, room, struct indexed_name) };
}

void name_index_add(struct name_index *index, const char *name, size_t at)
{
	if (name)
		index->rows[index->count++] = (struct indexed_name){ name, at };
}

static int order(const void *a, const void *b)
{
	const struct indexed_name *left = a, *right = b;
	int by_name = strcmp(left->name, right->name);
	return by_name != 0 ? by_name : (left->at > right->at) - (left->at < right->at);
}

void name_index_sort(struct name_index *index)
{
	if (index->count > 0)
		qsort(index->rows, index->count, sizeof(*index->rows), order);
}

size_t name_index_find(const struct name_index *index, const char *name, size_t *at)
{
	size_t low = 0, high = index->count, count = 0;
	while (name && low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(index->rows[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	while (name && low + count < index->count &&
	       strcmp(index->rows[low + count].name, name) == 0)
		count++;
	if (count > 0)
		*at = index->rows[low].at;
	return count;
}

void violation_scope_begin(struct violation_scope *scope, struct service *service)
{
	violations_init(&scope->own, service->arena);
	scope->all = service->violations;
	service->violations = &scope->own;
}

/* Returns the name that a field has in the file: "monitors[3]" for "monitor_ids.3". */
static const char *file_name_of(const char *field, struct arena *arena)
{
	if (strcmp(field, "depends_on_id") == 0)
		return "depends_on";
	static const char list[] = "monitor_ids";
	size_t len = sizeof(list) - 1;
	if (strncmp(field, list, len) != 0)
		return field;
	return field[len] == '.' ? arena_printf(arena, "monitors[%s]", field + len + 1)
				 : "monitors";
}

/* Whether a violation up to `last` names the field. */
static bool has_earlier(const struct violations *all, const struct violation *last,
			const char *field)
{
	for (const struct violation *one = last ? all->first : NULL; one; one = one->next) {
		if (strcmp(one->field, field) == 0)
			return true;
		if (one == last)
			return false;
	}
	return false;
}

bool violation_scope_end(struct violation_scope *scope, struct service *service, const char *path)
{
	const struct violation *last = scope->all->last;
	service->violations = scope->all;
	for (const struct violation *own = scope->own.first; own; own = own->next) {
		const char *name = file_name_of(own->field, service->arena);
		const char *field = arena_printf(service->arena, "%s.%s", path, name);
		/* Add no second violation of a field: a value that could not be read must not also
		 * be reported as missing. */
		if (!has_earlier(scope->all, last, field))
			violations_add(service->violations, field, "%s", own->message);
	}
	return scope->own.count > 0;
}
