#include "publish/folder/pages_names.h"

#include <stdlib.h>

#include "base/str.h"

void pages_names_add(struct pages_names *names, const char *name, struct arena *arena)
{
	names->names =
		arena_grow(arena, names->names, names->count, &names->room, sizeof(*names->names));
	names->names[names->count++] = name;
}

void pages_names_sort(struct pages_names *names)
{
	if (names->count > 0)
		qsort(names->names, names->count, sizeof(*names->names), str_compare_texts);
}

const char **pages_names_find(const struct pages_names *names, const char *name)
{
	return names->count > 0 ? bsearch(&name, names->names, names->count, sizeof(*names->names),
					  str_compare_texts)
				: NULL;
}
