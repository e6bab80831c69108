/*
 * Whether this machine's disk has what the database has: what `/readyz` says. What other
 * machines have published does not count, so that a disk that is behind is seen.
 */
#ifndef PUBLISH_DISK_CHECK_H
#define PUBLISH_DISK_CHECK_H

#include "publish/publish.h"

/* A small file that a follower writes in each round, and else whoever compares. */
struct disk_report {
	struct instant checked_at;
	struct instant behind_since; /* 0: the disk had all pages */
};

void disk_report_write(const struct pages_dir *dir, const struct disk_report *report);
/* The next to ask compares again. Since when the disk is behind is kept until then. */
void disk_report_expire(const struct pages_dir *dir);

/*
 * Since when the oldest change waits that this disk does not have; 0: none does. A pages
 * folder that cannot be opened has nothing, and only the database's failures are told. One
 * statement, and where nobody has compared the disk for ten seconds one more for each
 * PUBLICATION_LIST_MAX pages.
 */
enum result disk_check(const struct publisher *publisher, struct instant *oldest,
		       struct error *error) MUST_USE;

#endif
