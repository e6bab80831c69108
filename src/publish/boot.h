/*
 * Whether the machine was restarted, or the program replaced by one that renders otherwise, since
 * the pages were written.
 *
 * The kernel has an id for each boot. While a machine runs, no rename of a file is lost, so the
 * publishers need not wait until a folder is on the disk. If the machine loses power, files may be
 * those of before the last changes. The next boot has another id than the pages folder has
 * recorded, and the first publisher then compares every page with the database. After an upgrade
 * it does the same, so that the whole history of each page is as the new program renders it.
 */
#ifndef PUBLISH_BOOT_H
#define PUBLISH_BOOT_H

#include "publish/pages_dir.h"

/* The id of this boot; NULL: the system has none. */
const char *boot_id(void);
/* Whether the pages were last compared in another boot, or by another renderer (view/renderer.h).
 */
bool boot_is_new(const struct pages_dir *dir);
/* Records that this program compared every page in this boot, or that there is none yet. */
enum result boot_record(const struct pages_dir *dir, struct error *error) MUST_USE;

#endif
