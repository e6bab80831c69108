/*
 * Whether the machine was restarted since the pages were written.
 *
 * The kernel has an id for each boot. While a machine runs, no rename of a file is lost, so the
 * publishers need not wait until a folder is on the disk. If the machine loses power, files may be
 * those of before the last changes. The next boot has another id than the pages folder has
 * recorded, and the first publisher then compares every page with the database.
 */
#ifndef PUBLISH_BOOT_H
#define PUBLISH_BOOT_H

#include "publish/pages_dir.h"

/* The id of this boot; NULL: the system has none. */
const char *boot_id(void);
/* Whether the pages were last compared in another boot; false if the system has no id. */
bool boot_is_new(const struct pages_dir *dir);
/* Records that every page was compared in this boot, or that there is none yet. */
enum result boot_record(const struct pages_dir *dir, struct error *error) MUST_USE;

#endif
