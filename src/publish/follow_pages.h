/* The list of pages that a follower keeps in memory. follow_pages.c sets the members about the
 * database, follow.c the members about the disk. */
#ifndef PUBLISH_FOLLOW_PAGES_H
#define PUBLISH_FOLLOW_PAGES_H

#include "base/clock.h"
#include "store/page/publication.h"

struct followed {
	int64_t id;
	/* The state in the database at the last read. */
	int64_t epoch;
	int64_t revision;
	bool is_deleted;
	char slug[STATUS_PAGE_SLUG_MAX + 1];
	/* The state on the disk; valid if is_disk_read. */
	bool is_disk_read;
	int64_t disk_epoch;
	int64_t disk_revision;
	struct instant due; /* when the page must be published again, even without a change */
	bool is_whole;	    /* the disk has all files of disk_revision */

	bool has_failed; /* the page has failed, and this was reported */
	struct instant
		lagging_since; /* since when the database is older than the disk; 0: it is not */
};

/* Which changes a round reads: the changes with times after `closed`. */
struct follow_window {
	struct instant closed; /* all transactions with changes before this time have ended */
	struct instant newest; /* the newest time of all changes that were read */
	struct instant mark;   /* the value that `newest` had at marked_ms */
	int64_t marked_ms;
};

/* Begins the window after all pages were read. `newest` is the newest change before the read. */
void follow_window_open(struct follow_window *window, struct instant newest, int64_t now_ms);
/*
 * Moves `closed` forward. Call it after all changes later than `closed` were read; `newest` is
 * their newest time. Moves `closed` to 30 seconds before the newest change. If no newer change
 * comes for a while, moves `closed` up to the newest change, so that rounds do not read it again
 * and again.
 */
void follow_window_move(struct follow_window *window, struct instant newest, int64_t now_ms);

struct followed_pages {
	struct followed *rows; /* sorted by id; on the heap */
	size_t count;
	size_t room;
	int64_t epoch;
	int64_t compared_ms; /* when all pages were last read; 0: never */
	struct follow_window window;
};

void followed_pages_done(struct followed_pages *pages);

/*
 * Updates the rows from the database. Without changes, one statement reads two rows, whatever the
 * number of pages. All pages are read the first time, every ten minutes, and when the epoch has
 * changed. All pages are also read when the newest change is older than before: the database has
 * then lost changes. Resets `arena`. After a failure the next call continues.
 */
enum result followed_pages_read(struct followed_pages *pages, struct db *db, struct arena *arena,
				struct error *error) MUST_USE;

#endif
