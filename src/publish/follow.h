/*
 * Keeps a machine's disk at the newest committed state of all pages, round by
 * round: for web machines beside the one that a change came to, and for the
 * days, which move the bars at midnight.
 */
#ifndef PUBLISH_FOLLOW_H
#define PUBLISH_FOLLOW_H

#include "publish/publish.h"

struct followed;

struct follower {
	struct publisher publisher; /* `now` and `arena` are each round's own */
	publish_progress *progress; /* after each page; a failure is told once */
	void *context;

	/* The rest is its own. */
	bool is_begun;
	struct instant looked_at;    /* when all pages were last compared with the disk itself */
	struct instant behind_since; /* 0: the disk had all pages after the last round */
	struct followed *pages;	     /* by id */
	size_t count;
};

void follower_init(struct follower *follower, const struct publisher *publisher,
		   publish_progress *progress, void *context);
void follower_done(struct follower *follower);

/*
 * One round: asks for the revisions of all pages, publishes those that this
 * disk does not have, and takes away those that are gone. The first round
 * compares with what is on the disk, and sweeps; each half minute another one
 * compares, too, for a disk that has lost files. Within an epoch no page goes
 * back: a database that is behind the disk for a minute is told. Writes nothing
 * to the database. E_UNAVAILABLE: the database is
 * away, and what was not done is for a later round. What fails for another
 * reason is told, and tried again in every round.
 */
enum result follower_round(struct follower *follower, struct instant now, struct error *error)
	MUST_USE;

#endif
