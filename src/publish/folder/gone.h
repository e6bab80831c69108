/*
 * The list of the pages that are known to be deleted. The programs that send pages to mirrors use
 * it. They treat a page without a note (publish/page/page_state.h) as deleted only if this list
 * names the page, because the note may be lost.
 *
 * The list is the file DIR/gone. It has a line for each page that was deleted after the mirrors
 * last had all changes. The file exists only if a pusher has made DIR/mirror.
 */
#ifndef PUBLISH_FOLDER_GONE_H
#define PUBLISH_FOLDER_GONE_H

#include "publish/folder/pages_dir.h"

/* A line has 17 bytes. If the file is full, the older half is removed. */
enum { GONE_MAX_BYTES = 1 << 20 };

/* Whether more than three pages, and more than a tenth of all pages, are missing although no
 * deletion is known. A person must then confirm their removal. */
bool gone_are_many(size_t missing, size_t pages);
/*
 * Adds the page to the list, and waits until the line is on the disk. Call this function before the
 * page's note is removed.
 */
enum result gone_add(const struct pages_dir *dir, int64_t page_id, struct error *error) MUST_USE;
/* Does the same as gone_add() for several pages at once. */
enum result gone_add_all(const struct pages_dir *dir, const int64_t *page_ids, size_t count,
			 struct error *error) MUST_USE;
enum result gone_has(const struct pages_dir *dir, int64_t page_id, bool *is_gone,
		     struct error *error) MUST_USE;
/* Removes a page from the list: in a restored database, a new page may get the id of a deleted
 * page. */
enum result gone_take_back(const struct pages_dir *dir, int64_t page_id, struct error *error)
	MUST_USE;
/* Returns the length of the file; 0: the list is empty. */
int64_t gone_size(const struct pages_dir *dir);
/*
 * Empties the list if the length of the file is still `size`, and the last change is at least
 * `seconds` ago. A publisher adds a page first to this list and then to the journal, so the mirrors
 * may not know the newest lines yet.
 */
void gone_forget(const struct pages_dir *dir, int64_t size, int64_t seconds);

#endif
