/* The pictures of a page: its logos and its icon. */
#ifndef PUBLISH_PAGE_PAGE_PICTURES_H
#define PUBLISH_PAGE_PAGE_PICTURES_H

#include "publish/page/page_writer.h"

/*
 * Adds the pictures to the output, from the disk, else from the caller, else from the database.
 * Sets their sizes in the snapshot. The page's note has the size in place of a digest, since the
 * name of a picture contains the hash of its content.
 */
enum result page_pictures_put(struct page_writing *writing, struct error *error) MUST_USE;

#endif
