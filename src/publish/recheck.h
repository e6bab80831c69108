/*
 * After a restart of the machine, or an upgrade of the program: compares every page on the disk
 * with the database, in turns of the accounts, and writes what differs; see publish/boot.h.
 */
#ifndef PUBLISH_RECHECK_H
#define PUBLISH_RECHECK_H

#include "publish/publish.h"

struct recheck {
	struct publication_turn after; /* pages up to this one are compared */
	struct publish_run run;
	bool is_done; /* in this boot, by this process or another */
};

/*
 * Goes on with the pages that are left, as long as run.goes_on() says; *is_more: some are left.
 * Does nothing if the pages were compared in this boot. E_FAILED: all were compared, some of them
 * could not be written, and the next call begins again. Other results as of publish_run(): the next
 * call goes on.
 */
enum result recheck_some(struct recheck *recheck, const struct publisher *publisher, bool *is_more,
			 struct error *error) MUST_USE;

#endif
