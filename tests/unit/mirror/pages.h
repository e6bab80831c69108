/* Pages on a disk, for tests of what sends them to mirrors. */
#ifndef UNIT_MIRROR_PAGES_H
#define UNIT_MIRROR_PAGES_H

#include "mirror/page_copy.h"
#include "publish/page/page_state.h"
#include "publish/page/pages_batch.h"

extern struct pages_dir dir;
extern struct error error;

/* For groups of tests: a pages folder in the test folder. */
int pages_start(void **state);
int pages_end(void **state);

/* Publishes a page with the files gate (if it is private), style.css and index.html, which has the
 * text. The access record is the text `access`. */
void publish_page_with(int64_t id, enum pages_place place, const char *slug, const char *text,
		       const char *access);
/* Publishes a page of index.html and so many other files, each with a twin. */
void publish_many(int64_t id, size_t others);
void publish_public(int64_t id, const char *text);
/* Removes the page as its publisher does. */
void remove_page(int64_t id);

#endif
