/* The former addresses of pages on this disk, as lists in the form for mirrors. */
#ifndef MIRROR_PUSH_SITE_SEARCH_H
#define MIRROR_PUSH_SITE_SEARCH_H

#include "publish/folder/former_list.h"

/* The highest number of bytes of each list. */
struct site_sizes {
	size_t bytes[FORMER_LISTS];
};
/* Reads the names of all addresses, and keeps none of them in memory. */
enum result site_search_sizes(const struct pages_dir *dir, struct site_sizes *sizes,
			      struct error *error) MUST_USE;

/* Consecutive lists. */
struct site_lists {
	unsigned first;
	unsigned count;
	struct str *contents; /* owned by the arena */
};
/*
 * Reads the lists from `first` on that have MAX bytes together, and at least one list. The part of
 * a list above FORMER_LIST_MAX_BYTES is left out.
 */
enum result site_search_read(const struct pages_dir *dir, const struct site_sizes *sizes,
			     unsigned first, struct arena *arena, struct site_lists *lists,
			     struct error *error) MUST_USE;
enum { SITE_SEARCH_MAX_BYTES = 1 << 20 };

#endif
