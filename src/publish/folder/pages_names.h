#ifndef PUBLISH_FOLDER_PAGES_NAMES_H
#define PUBLISH_FOLDER_PAGES_NAMES_H

#include "base/arena.h"

/* Names of files or folders. */
struct pages_names {
	const char **names;
	size_t count;
	size_t room;
};
void pages_names_add(struct pages_names *names, const char *name, struct arena *arena);
void pages_names_sort(struct pages_names *names);
/* Returns the position of the name in a sorted list; NULL: the list does not have the name. */
const char **pages_names_find(const struct pages_names *names, const char *name);

#endif
