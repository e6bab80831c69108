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

#endif
