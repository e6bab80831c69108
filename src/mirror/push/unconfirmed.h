/*
 * Pages that a mirror has, that this disk lacks, and that are not known to be deleted. They are so
 * many that a person must confirm their removal. Their ids are in the mirror's folder,
 * DIR/mirror/<name>/unconfirmed.
 */
#ifndef MIRROR_PUSH_UNCONFIRMED_H
#define MIRROR_PUSH_UNCONFIRMED_H

#include "publish/folder/pages_dir.h"

/* Replaces the list, or removes it if there are no ids. */
enum result unconfirmed_write(int folder_fd, const int64_t *page_ids, size_t count,
			      struct error *error) MUST_USE;
/*
 * Declares the pages of the list deleted (publish/folder/gone.h), and removes the list. Sets *count
 * to the number of pages.
 */
enum result unconfirmed_confirm(const struct pages_dir *dir, int folder_fd, struct arena *arena,
				size_t *count, struct error *error) MUST_USE;

#endif
