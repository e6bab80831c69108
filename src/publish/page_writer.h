/* Makes what is on disk of a page be what the database has: all of a page's files, at once. */
#ifndef PUBLISH_PAGE_WRITER_H
#define PUBLISH_PAGE_WRITER_H

#include "publish/page_state.h"
#include "publish/publish.h"
#include "store/page_content.h"

/*
 * Under the page's lock. `state` is what the disk has; the new one is written
 * when all else is. Reads months of history that are not on disk yet, and
 * pictures that are neither there nor `at_hand`, in a statement each.
 */
enum result page_write(const struct publisher *publisher, const struct pages_dir *dir,
		       struct page_content *content, const struct page_state *state,
		       const struct publish_order *order, struct error *error) MUST_USE;

#endif
