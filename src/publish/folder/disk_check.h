/*
 * Tells `/readyz` whether this machine's disk has all published pages of the database. A page that
 * only other machines have published counts as missing, so that an operator notices that this disk
 * is behind.
 */
#ifndef PUBLISH_FOLDER_DISK_CHECK_H
#define PUBLISH_FOLDER_DISK_CHECK_H

#include "publish/publish.h"

/* The content of the file DIR/checked. If a follower runs, it writes the file in each round.
 * Otherwise disk_check() writes it. */
struct disk_report {
	struct instant checked_at;
	struct instant behind_since; /* 0: the disk had all pages */
};

void disk_report_write(const struct pages_dir *dir, const struct disk_report *report);
/* Makes the next disk_check() compare the disk with the database again. Keeps behind_since. */
void disk_report_expire(const struct pages_dir *dir);

/*
 * Sets *oldest to the time of the oldest change that is not on this disk; 0: the disk has all
 * changes. A pages folder that cannot be opened counts as empty. Returns only failures of the
 * database. Executes one statement. If the last comparison is more than ten seconds old, also
 * executes a statement per PUBLICATION_LIST_MAX pages.
 */
enum result disk_check(const struct publisher *publisher, struct instant *oldest,
		       struct error *error) MUST_USE;

#endif
