/* A follower's knowledge of the pages. follow_pages.c reads their state in the database, and
 * follow.c their state on the disk. */
#ifndef PUBLISH_FOLLOW_PAGES_H
#define PUBLISH_FOLLOW_PAGES_H

#include "base/clock.h"
#include "store/page/publication.h"

struct followed {
	int64_t id;
	/* The state in the database, when it was last read. */
	int64_t epoch;
	int64_t revision;
	bool is_deleted;
	char slug[STATUS_PAGE_SLUG_MAX + 1];
	/* On the disk. */
	bool is_disk_read;
	int64_t disk_epoch;
	int64_t disk_revision;
	struct instant due; /* when the files become outdated by the clock */
	bool is_whole;	    /* all files are there, and of this revision */

	bool has_failed; /* the page has failed, and this was reported */
	struct instant
		lagging_since; /* since when the database has an older revision; 0: it has none */
};

/* The changes that are read: those with times after `closed`. */
struct follow_window {
	struct instant closed; /* every transaction with an earlier change has ended */
	struct instant newest; /* the newest time of all changes that were read */
	struct instant mark;   /* `newest` at marked_ms */
	int64_t marked_ms;
};

/* Call this after all pages were read; `newest` was read before them. */
void follow_window_open(struct follow_window *window, struct instant newest, int64_t now_ms);
/*
 * Moves the window. Call it when all changes later than `closed` were read; `newest` is their
 * newest time. A time is closed when a change 30 seconds later was seen. A time is also closed when
 * 30 seconds have passed on this machine, so that quiet rounds stop reading the last changes again.
 */
void follow_window_move(struct follow_window *window, struct instant newest, int64_t now_ms);

struct followed_pages {
	struct followed *rows; /* by id; on the heap */
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
