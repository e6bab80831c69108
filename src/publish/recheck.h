/*
 * Compares every page on the disk with the database after a restart of the machine or an upgrade,
 * and writes the pages that differ (publish/folder/boot.h). The accounts take turns. If the pages
 * folder is new or was lost, publishes the missing pages, and marks the folder as filled
 * (publish/folder/filled.h).
 */
#ifndef PUBLISH_RECHECK_H
#define PUBLISH_RECHECK_H

#include "publish/folder/filled.h"
#include "publish/publish.h"

/* The state of the comparison between two calls; initially { 0 }. */
struct recheck {
	struct publish_run run;

	/* Private. */
	struct pages_dir dir;	       /* the folder of this round; closed between rounds */
	struct publication_turn after; /* the last page that was compared */
	bool is_compared;
	int64_t filled_to; /* the id of the last page that was published to fill the folder */
	int64_t failed_ids[FILLED_FAILED_MAX];
	size_t failed_count;
	int64_t again_ms; /* when to begin again after a comparison with failures */
	struct error failure;
};

/*
 * Continues with the remaining pages as long as run.goes_on() allows. *is_more: pages remain. A
 * call takes only about ten system calls if the folder is filled and was compared in this boot.
 * E_FAILED: all pages were compared, but some could not be written; the comparison begins again
 * after an hour. After any other failure (see publish_run()) the next call continues.
 */
enum result recheck_some(struct recheck *recheck, const struct publisher *publisher, bool *is_more,
			 struct error *error) MUST_USE;
void recheck_done(struct recheck *recheck);

#endif
