/*
 * Brings the files of published pages to the newest committed state of the pages. The files are
 * derived from the database: after a crash the next publish_run() restores missing files and
 * removes superfluous files. The publishers of a page wait for each other by locks, so the last of
 * them reads the commits of all requests.
 */
#ifndef PUBLISH_PUBLISH_H
#define PUBLISH_PUBLISH_H

#include "db/db.h"
#include "domain/page/site.h"
#include "publish/folder/boot.h"
#include "publish/folder/pages_dir.h"
#include "publish/page/replaced_files.h"
#include "store/page/publication.h"
#include "store/page/status_page.h"

/* The limit of a page's arena, and of the arena for the months of its history. If a page needs more
 * memory, only this page fails; see arena_has_room(). */
#define PUBLISH_PAGE_MAX_BYTES ((size_t)256 << 20)

/* The work that a publisher leaves to its caller when the files are in place. */
struct publish_rest {
	struct publication_mark *rows; /* the pages that must still be marked as published */
	size_t count;
	size_t room;
	struct arena *arena; /* owns the rows */
	struct replaced_files replaced;
};

struct publisher {
	struct db *db;
	const char *path;     /* the pages folder */
	const char *base_url; /* the beginning of the URLs in a page's files; NULL: "" */
	struct pages_settings settings;
	const struct site *site; /* the host names of the installation, which no page may have as
				    domain; NULL: no page has a domain */
	struct instant now;
	struct arena *arena; /* for lists; each page has a separate arena */
	/*
	 * True: the publisher belongs to a follower, whose database may lag and be read-only. It
	 * marks no pages as published. Within an epoch it replaces no page by an older revision.
	 * False: the database accepts writes, and the publisher also writes an older revision.
	 */
	bool is_follower;
	/*
	 * A time of clock_ms(); 0: no limit. E_TOO_SLOW: a page was not written before this time.
	 * The page keeps its files, except files that visitors must not see any more and that were
	 * already removed.
	 */
	int64_t until_ms;
	size_t *written; /* incremented for each page that is written; NULL: not counted */
	/* Called before the thread waits for another publisher of a page; may be NULL. */
	void (*pause)(void *context);
	void *context;
	/*
	 * The publisher adds pages to this list instead of marking them, and the caller calls
	 * publish_finish() after its response. NULL: the publisher marks the pages itself.
	 */
	struct publish_rest *rest;
};

struct publish_order {
	int64_t page_id;
	/* Files of the page that the caller has in memory, so that they need not be read from the
	 * database. */
	const struct page_file *at_hand;
	size_t at_hand_count;
	/*
	 * The page is skipped if the disk has this revision of this epoch and the page is not due.
	 * The page is also skipped if the disk has a newer revision, for two callers: a follower,
	 * and a caller that had to wait for the page's publisher. revision 0: the page is written,
	 * unless `joins` skips it.
	 */
	int64_t epoch;
	int64_t revision;
	/* The page is also skipped if another publisher begins to write it during this call. */
	bool joins;
	/* The page has a new address, or is deleted. Setting this saves a statement. */
	bool has_moved;
};

/*
 * Publishes one page in its present state. Removes the files of a deleted page. Removes the files
 * of addresses that the page has given up, unless another page has taken the address.
 *
 * Executes nine statements for most pages, and more for:
 * - former addresses
 * - given-up addresses, if the caller has not set order->has_moved
 * - images that are not at hand
 * - more than 104 updates
 * - past months
 * - a current month with more incidents than the page shows
 *
 * The memory for a page is separate and bounded. If a page needs more, only this page fails.
 */
enum result publish_page(const struct publisher *publisher, const struct publish_order *order,
			 struct error *error) MUST_USE;

/* Marks the pages of publisher->rest as published: one statement marks up to 64 pages. Frees the
 * files that were replaced. */
enum result publish_finish(const struct publisher *publisher, struct error *error) MUST_USE;

struct publish_outcome {
	enum result result;
	struct error error; /* of a failure */
};
enum { PUBLISH_GROUP_MAX = 16 };
/*
 * Publishes up to PUBLISH_GROUP_MAX pages, with an outcome for each. Works as publish_page(), but
 * the same few statements read and mark all pages. A page is published separately afterwards if it
 * has no room in memory, has moved, is deleted, or is being published by another process. The group
 * locks each page until it is written, but never waits for a lock.
 */
void publish_group(const struct publisher *publisher, const struct publish_order *orders,
		   size_t count, struct publish_outcome *outcomes);

/* Whether the page is written, but the database refused to mark it as published. */
static inline bool publish_is_refused(enum result result)
{
	return result == E_REFUSED || result == E_RETRY;
}

/* Called after each page of a run; `failure` is NULL after a success. */
typedef void publish_progress(void *context, const char *slug, const struct error *failure);

/* The limits for publishing before a response. Each published page reduces `pages`. */
struct publish_allowance {
	int64_t pages;
	int64_t until_ms; /* no page begins after this time of clock_ms(); a page that has begun
			     ends by publisher.until_ms */
};

struct publish_run {
	bool is_all; /* true: all pages; false: only pages with unpublished changes */
	const int64_t
		*monitor_ids; /* only pages that show one of these monitors, if monitor_count > 0 */
	size_t monitor_count; /* at most PUBLICATION_MONITORS_MAX */
	int64_t account_id;   /* 0: all accounts; else only pages of this account */
	struct publish_allowance *allowance; /* NULL: no bound */
	bool is_sweeping;		     /* also remove folders that belong to no page */
	bool (*goes_on)(void *context);	     /* called by a sweep before each step; false ends the
						run; NULL: no limit */
	/* How long a sweep may wait for all locks together; 0: no limit. After this time it
	 * takes only free locks. A lock that is not free ends the sweep, and sets is_cut and
	 * is_crowded. */
	int64_t patience_ms;
	int64_t waited_ms;	    /* private to the run */
	publish_progress *progress; /* may be NULL */
	void *context;
	size_t published;
	size_t failed;
	size_t removed;	 /* removed folders that belonged to no page */
	size_t lost;	 /* pages of this disk that the database does not know, and that were
			    kept: see deleted.h */
	bool is_cut;	 /* some pages were not handled: no time was left, or goes_on() returned
			    false */
	bool is_crowded; /* some folders were not removed: other publishers had locks */
	int refusals;	 /* private to the run */
};

/*
 * Publishes pages. After a failure of a page or folder it continues, and returns E_FAILED at the
 * end. Three results end the run at once. E_UNAVAILABLE: the database cannot be reached. E_REFUSED
 * and E_RETRY: the database has refused to mark two pages in a row, so it probably accepts no
 * writes.
 */
enum result publish_run(const struct publisher *publisher, struct publish_run *run,
			struct error *error) MUST_USE;
/* Whether this result of a page ends the run. Counts refusals in the run. */
bool publish_ends(struct publish_run *run, enum result result);
/* Removes folders that belong to no page; counts them in run->removed and run->failed. */
enum result publish_sweep(const struct publisher *publisher, struct publish_run *run,
			  struct error *error) MUST_USE;

#endif
