/*
 * Tells `/readyz` whether this machine's disk has all pages as the database has them. Pages that
 * only other machines have published count as missing, so that an operator notices a disk that is
 * behind.
 */
#ifndef PUBLISH_FOLDER_DISK_CHECK_H
#define PUBLISH_FOLDER_DISK_CHECK_H

#include "publish/publish.h"

/* A small file that a follower writes in each round; without a follower, disk_check() does. */
struct disk_report {
	struct instant checked_at;
	struct instant behind_since; /* 0: the disk had all pages */
};

void disk_report_write(const struct pages_dir *dir, const struct disk_report *report);
/* Makes the next disk_check() compare again. The time since when the disk is behind stays. */
void disk_report_expire(const struct pages_dir *dir);

/*
 * *oldest: when the oldest change was made that this disk lacks; 0: it lacks none. A pages folder
 * that cannot be opened counts as empty; only failures of the database are returned. One
 * statement, and another for each PUBLICATION_LIST_MAX pages if the disk was not compared for ten
 * seconds.
 */
enum result disk_check(const struct publisher *publisher, struct instant *oldest,
		       struct error *error) MUST_USE;

#endif
