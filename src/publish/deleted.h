/*
 * Removes this disk's files of pages that were deleted within the last minutes. Usually the request
 * that deletes a page removes its files, but the request may die or fail. The sweep removes the
 * files of pages that were deleted longer ago, and files whose removal takes longer than
 * publisher->until_ms.
 */
#ifndef PUBLISH_DELETED_H
#define PUBLISH_DELETED_H

#include "publish/publish.h"

/* If no page was deleted, executes only one statement. *last_failure gets the reason if the files
 * of a page could not be removed. */
enum result publish_deleted(const struct publisher *publisher, struct error *last_failure) MUST_USE;

/*
 * Adds the page to the list of deletions for mirrors (publish/folder/gone.h), if the database knows
 * that it was deleted. Does not add a page that the database has lost: the next comparison with a
 * mirror counts such pages.
 */
enum result publish_note_gone(const struct publisher *publisher, const struct pages_dir *dir,
			      int64_t page_id, struct error *error) MUST_USE;
/*
 * Counts the pages of this disk that the database has lost. Sets *lost to their number if the
 * database seems to be empty or an older copy: if it has lost all pages, or gone_are_many() is
 * true. Otherwise sets *lost to 0.
 */
enum result publish_find_lost(const struct publisher *publisher, const struct pages_dir *dir,
			      size_t *lost, struct error *error) MUST_USE;

#endif
