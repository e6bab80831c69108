/* The pictures of a page: its logos and its icon. */
#ifndef PUBLISH_PAGE_PAGE_PICTURES_H
#define PUBLISH_PAGE_PAGE_PICTURES_H

#include "publish/page/page_writer.h"

/*
 * Adds the pictures to the output: kept from the disk, else from the caller, else from the
 * database. Gives the snapshot their sizes, which the page's note has in place of a digest: the
 * name of a picture carries the hash of its content.
 */
enum result page_pictures_put(struct page_writing *writing, struct error *error) MUST_USE;

#endif
