/* Tells whether the disk has the files that the notes of pages name. If another program changes or
 * removes files of a page, publishers notice it only after the next change of the page. */
#ifndef PUBLISH_FOLDER_FILES_CHECK_H
#define PUBLISH_FOLDER_FILES_CHECK_H

#include "publish/folder/pages_dir.h"

struct files_check {
	size_t pages_max; /* set by the caller: the most pages to check */

	size_t page_count; /* how many pages this disk has */
	size_t checked; /* how many pages were checked; if this disk has more than pages_max, each
			   run checks different pages */
	size_t damaged; /* how many pages have a missing or changed file */
	const char *first; /* the first damaged page: its slug, or "7" for page 7; NULL: none */
};

/* Checks the files of the pages, without the database. Pages that a publisher is writing count as
 * sound. */
enum result files_check(const struct pages_dir *dir, struct files_check *check, struct arena *arena,
			struct error *error) MUST_USE;

#endif
