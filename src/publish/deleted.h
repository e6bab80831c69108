/*
 * Removes from this disk what it still has of pages that were deleted within the last minutes: the
 * request that deleted such a page has died, or could not remove the files. What is older, or takes
 * longer than publisher->until_ms, the sweep removes.
 */
#ifndef PUBLISH_DELETED_H
#define PUBLISH_DELETED_H

#include "publish/publish.h"

/* One statement, if no page was deleted. *last_failure: of a page that could not be removed. */
enum result publish_deleted(const struct publisher *publisher, struct error *last_failure) MUST_USE;

/*
 * Notes for mirrors that the page is deleted (publish/folder/gone.h), if the database knows that.
 * Else the next comparison with a mirror judges how many such pages there are.
 */
enum result publish_note_gone(const struct publisher *publisher, const struct pages_dir *dir,
			      int64_t page_id, struct error *error) MUST_USE;
/*
 * How many pages of this disk the database has lost, so that an empty or an older one is to be
 * supposed: it knows none of them, or does not know more than gone_are_many() allows. Else 0.
 */
enum result publish_find_lost(const struct publisher *publisher, const struct pages_dir *dir,
			      size_t *lost, struct error *error) MUST_USE;

#endif
