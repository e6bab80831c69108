/*
 * Brings the published files of a page to its newest committed state.
 *
 * Derived, never the truth: whatever is missing or left over after a crash is
 * mended by the next publish_pending() or publish_all(). Locks order the
 * publishers of a machine, and whoever comes last reads what all committed.
 */
#ifndef PUBLISH_PUBLISH_H
#define PUBLISH_PUBLISH_H

#include "db/db.h"
#include "publish/pages_dir.h"
#include "store/status_page.h"

struct publisher {
	struct db *db;
	const char *path;     /* the pages folder */
	const char *base_url; /* what the addresses in a page's files begin with; NULL: "" */
	struct instant now;
	struct arena *arena;
};

/*
 * Publishes one page; two statements when its files are on disk or `at_hand`
 * (the caller's, saving a way to the database), else three. A page that is
 * gone is no error. `former_slug` (or NULL) is an address that the page has
 * given up: its folder goes, unless another page has taken it; that waits for
 * every other publisher.
 */
enum result publish_page(const struct publisher *publisher, int64_t page_id,
			 const char *former_slug, const struct page_file *at_hand, size_t count,
			 struct error *error) MUST_USE;

/* Publishes the pages that show the monitor and have unpublished changes. */
enum result publish_monitor(const struct publisher *publisher, int64_t monitor_id,
			    struct error *error) MUST_USE;

/* Takes away the folders of a slug that no page has. */
enum result publish_retire(const struct publisher *publisher, const char *slug,
			   struct error *error) MUST_USE;

/* Called after each page of a run; `failure` is NULL when it went well. */
typedef void publish_progress(void *context, const char *slug, const struct error *failure);

struct publish_run {
	bool is_all; /* else only pages with unpublished changes */
	bool is_sweeping; /* also remove folders that belong to no page */
	publish_progress *progress; /* may be NULL */
	void *context;
	size_t published;
	size_t failed;
	size_t removed; /* folders without a page */
};

/* A page or folder that fails does not stop the others; E_FAILED at the end when any did. */
enum result publish_run(const struct publisher *publisher, struct publish_run *run,
			struct error *error) MUST_USE;

#endif
