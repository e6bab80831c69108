/* Reads the former addresses of pages from this disk, as the lists that are sent to mirrors. */
#ifndef MIRROR_PUSH_FORMER_SEARCH_H
#define MIRROR_PUSH_FORMER_SEARCH_H

#include "publish/folder/former_list.h"

/* An upper bound for the size of each list. */
struct former_sizes {
	size_t bytes[FORMER_LISTS];
};
/* Computes an upper bound for each list from the names of all former addresses. Keeps no name in
 * memory. */
enum result former_search_sizes(const struct pages_dir *dir, struct former_sizes *sizes,
				struct error *error) MUST_USE;

/* Lists with consecutive numbers. */
struct former_lists {
	unsigned first;
	unsigned count;
	struct str *contents; /* owned by the arena */
};
/* Reads lists from number `first` on: as many as fit into FORMER_SEARCH_MAX_BYTES, and at least
 * one. Cuts a list that is longer than FORMER_LIST_MAX_BYTES. */
enum result former_search_read(const struct pages_dir *dir, const struct former_sizes *sizes,
			       unsigned first, struct arena *arena, struct former_lists *lists,
			       struct error *error) MUST_USE;
enum { FORMER_SEARCH_MAX_BYTES = 1 << 20 };

#endif
