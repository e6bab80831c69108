/*
 * Tells whether a pages folder is filled: every page of the database was published to it at least
 * once. In a folder that is not filled, a missing page may still exist in the database. So pushers
 * send nothing to mirrors, and the background loop publishes all pages (publish/recheck.h).
 *
 * The file DIR/filled marks a filled folder. It lists the ids of pages that could not be published,
 * one per line. The folder lacks these pages, but the database has them.
 */
#ifndef PUBLISH_FOLDER_FILLED_H
#define PUBLISH_FOLDER_FILLED_H

#include "publish/folder/pages_dir.h"

enum { FILLED_FAILED_MAX = 1000 }; /* if more pages fail, the folder is not marked as filled */

bool filled_is(const struct pages_dir *dir);
/* Marks the folder as filled, and waits until the mark is on the disk. */
enum result filled_mark(const struct pages_dir *dir, const int64_t *failed_ids, size_t count,
			struct error *error) MUST_USE;
/* Removes the mark, so that the background loop fills the folder again. */
void filled_forget(const struct pages_dir *dir);
/* Whether the page could not be published when the folder was filled. */
bool filled_names(const struct pages_dir *dir, int64_t page_id);

#endif
