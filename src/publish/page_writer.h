/* Writes all files of a page to the disk, at once, from its snapshot. */
#ifndef PUBLISH_PAGE_WRITER_H
#define PUBLISH_PAGE_WRITER_H

#include "publish/page_state.h"
#include "publish/publish.h"
#include "store/page_content.h"

/*
 * The caller holds the page's lock. `state` says what the disk has; the new state is written
 * last. Reads the months of history that the disk does not have, and the pictures that neither
 * the disk nor order->at_hand has, by one statement each.
 */
enum result page_write(const struct publisher *publisher, const struct pages_dir *dir,
		       struct page_content *content, const struct page_state *state,
		       const struct publish_order *order, struct error *error) MUST_USE;
/* The result of a page that could not be read or written: a refusal (a time limit, say) is a
 * failure of that page alone, and no refusal of all writes. */
enum result page_failure(enum result result);

/*
 * Hides a page that is not public and could not be written: removes it from all public places,
 * and from the private place if the access file there has another privacy or password than the
 * page has now. The caller holds the page's lock.
 */
void page_hide(const struct pages_dir *dir, const struct status_page *page, struct arena *arena);

#endif
