/*
 * Brings the pages on a machine's disk to the newest committed state, in rounds. So the web servers
 * of all machines show a change that one machine has made. At midnight the bars of days move.
 *
 * A round reads which pages have changed lately (see followed_pages_read()), and publishes the
 * pages that this disk lacks.
 */
#ifndef PUBLISH_FOLLOW_H
#define PUBLISH_FOLLOW_H

#include "publish/publish.h"

struct followed_pages;

struct follower {
	struct publisher publisher; /* each round sets `now` and `arena` */
	publish_progress *progress; /* called after each page; repeated failures of a page are
				       reported once */
	/* Asked before each page; NULL: always true. If it returns false, the round ends, and the
	 * next round continues. */
	bool (*goes_on)(void *context);
	void *context;
	int64_t check_disk_s; /* after how many seconds a round reads all notes on the disk again */

	/* The other members are private to the follower. */
	bool is_begun;
	struct instant looked_at;    /* when the notes on the disk were last read again */
	struct instant behind_since; /* 0: the disk had all pages after the last round */
	struct followed_pages *pages;
};

void follower_init(struct follower *follower, const struct publisher *publisher,
		   publish_progress *progress, void *context);
void follower_done(struct follower *follower);

/*
 * Runs one round. Without changes the round executes one statement, which reads two rows. The first
 * round also sweeps the disk. Every check_disk_s seconds a round reads the notes on the disk again,
 * in case the disk has lost files. Within an epoch the follower replaces no page by an older
 * revision. If the database has an older revision than the disk for a minute, the follower reports
 * the page. The function writes nothing to the database. E_UNAVAILABLE: the database is away, and
 * the next round continues. A page that fails for another reason is reported, and tried again in
 * every round.
 */
enum result follower_round(struct follower *follower, struct instant now, struct error *error)
	MUST_USE;

#endif
