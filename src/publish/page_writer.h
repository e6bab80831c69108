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
/* What refuses to read one page (a time limit, say) is that page's failure. */
enum result page_failure(enum result result);

/*
 * For a page that is not public and could not be written: what is on disk is not to be seen by
 * anyone who may not see it now. It goes from all public places, and from behind the gate if
 * that opens by another privacy or password than the page's. Under the page's lock.
 */
void page_hide(const struct pages_dir *dir, const struct status_page *page, struct arena *arena);

#endif
