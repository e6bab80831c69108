/* The history of a page on the disk: its months, and its incidents. */
#ifndef PUBLISH_PAGE_PAGE_MONTHS_H
#define PUBLISH_PAGE_PAGE_MONTHS_H

#include "publish/page/page_writer.h"

/* Adds the files of months and of incidents; reads the months of which the disk has no files. */
enum result page_months_put(struct page_writing *writing, struct error *error) MUST_USE;

#endif
