/*
 * Removes this disk's files of pages that were deleted within the last minutes. Usually the request
 * that deletes a page removes its files, but the request may die or fail. The sweep removes the
 * files of pages that were deleted earlier, and files whose removal takes longer than
 * publisher->until_ms.
 */
#ifndef PUBLISH_DELETED_H
#define PUBLISH_DELETED_H

#include "publish/publish.h"

/* Executes one statement if no page was deleted. *last_failure: why the files of a page could not
 * be removed. */
enum result publish_deleted(const struct publisher *publisher, struct error *last_failure) MUST_USE;

/*
 * Adds the page to the list of deletions for mirrors (publish/folder/gone.h), if the database has
 * deleted it. A page that the database has lost is not added: the next comparison with a mirror
 * counts such pages.
 */
enum result publish_note_gone(const struct publisher *publisher, const struct pages_dir *dir,
			      int64_t page_id, struct error *error) MUST_USE;
/*
 * Counts the pages of this disk that the database has lost. *lost is 0 unless the database seems to
 * be empty or an older copy: it knows none of the pages, or the missing pages are more than
 * gone_are_many() allows.
 */
enum result publish_find_lost(const struct publisher *publisher, const struct pages_dir *dir,
			      size_t *lost, struct error *error) MUST_USE;

#endif
