/*
 * Tells `/readyz` whether this machine's disk has all pages of the database. Pages that only other
 * machines have published count as missing. So an operator notices a disk that is behind.
 */
#ifndef PUBLISH_FOLDER_DISK_CHECK_H
#define PUBLISH_FOLDER_DISK_CHECK_H

#include "publish/publish.h"

/* The content of a small file, which a follower writes in each round. Without a follower,
 * disk_check() writes the file. */
struct disk_report {
	struct instant checked_at;
	struct instant behind_since; /* 0: the disk had all pages */
};

void disk_report_write(const struct pages_dir *dir, const struct disk_report *report);
/* Makes the next disk_check() compare again. Keeps the time since when the disk is behind. */
void disk_report_expire(const struct pages_dir *dir);

/*
 * Sets *oldest to the time of the oldest change that this disk lacks; 0: it lacks none. A pages
 * folder that cannot be opened counts as empty; only failures of the database are returned. Takes
 * one statement, and another for each PUBLICATION_LIST_MAX pages if the last comparison is older
 * than ten seconds.
 */
enum result disk_check(const struct publisher *publisher, struct instant *oldest,
		       struct error *error) MUST_USE;

#endif
