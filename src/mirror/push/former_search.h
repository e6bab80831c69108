/* The former addresses of pages on this disk, as lists in the form for mirrors. */
#ifndef MIRROR_PUSH_FORMER_SEARCH_H
#define MIRROR_PUSH_FORMER_SEARCH_H

#include "publish/folder/former_list.h"

/* The highest number of bytes of each list. */
struct former_sizes {
	size_t bytes[FORMER_LISTS];
};
/* Reads the names of all addresses, and keeps none of them in memory. */
enum result former_search_sizes(const struct pages_dir *dir, struct former_sizes *sizes,
				struct error *error) MUST_USE;

/* Consecutive lists. */
struct former_lists {
	unsigned first;
	unsigned count;
	struct str *contents; /* owned by the arena */
};
/*
 * Reads the lists from `first` on that have MAX bytes together, and at least one list. The part of
 * a list above FORMER_LIST_MAX_BYTES is left out.
 */
enum result former_search_read(const struct pages_dir *dir, const struct former_sizes *sizes,
			       unsigned first, struct arena *arena, struct former_lists *lists,
			       struct error *error) MUST_USE;
enum { FORMER_SEARCH_MAX_BYTES = 1 << 20 };

#endif
