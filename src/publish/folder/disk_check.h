/*
 * Whether this machine's disk has what the database has, for `/readyz`. What other machines
 * have published does not count, so that a disk that is behind is noticed.
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
/* Makes the next disk_check() compare again. Keeps since when the disk is behind. */
void disk_report_expire(const struct pages_dir *dir);

/*
 * *oldest: since when the oldest change that this disk lacks has waited; 0: it lacks none. A
 * pages folder that cannot be opened counts as empty; only failures of the database are
 * returned. One statement; and one more for each PUBLICATION_LIST_MAX pages if the disk was not
 * compared for ten seconds.
 */
enum result disk_check(const struct publisher *publisher, struct instant *oldest,
		       struct error *error) MUST_USE;

#endif
