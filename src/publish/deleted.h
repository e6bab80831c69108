/*
 * If a page was deleted in the last minutes, removes its files from this disk. Usually the request
 * that deletes the page does this, but the request may fail or die. The sweep removes files of
 * pages that were deleted earlier, and files that cannot be removed before publisher->until_ms.
 */
#ifndef PUBLISH_DELETED_H
#define PUBLISH_DELETED_H

#include "publish/publish.h"

/* If no page was deleted, executes only one statement. *last_failure is set if the files of a page
 * could not be removed. */
enum result publish_deleted(const struct publisher *publisher, struct error *last_failure) MUST_USE;

/*
 * Adds the page to the list of deleted pages (publish/folder/gone.h) if the database knows that the
 * page was deleted. Does not add a page that the database does not know at all: the next comparison
 * with a mirror counts such pages.
 */
enum result publish_note_gone(const struct publisher *publisher, const struct pages_dir *dir,
			      int64_t page_id, struct error *error) MUST_USE;
/*
 * Counts the pages of this disk that the database does not know. If it knows none of the pages, or
 * gone_are_many() is true, the database is probably empty or an old copy: sets *lost to the count.
 * Otherwise sets *lost to 0.
 */
enum result publish_find_lost(const struct publisher *publisher, const struct pages_dir *dir,
			      size_t *lost, struct error *error) MUST_USE;

#endif
