/* Loads the snapshots of pages: their newest committed state, all at the same moment. Runs about
 * one SELECT for each kind of row, regardless of the number of pages, monitors and incidents. */
#ifndef STORE_SNAPSHOT_PAGE_CONTENT_H
#define STORE_SNAPSHOT_PAGE_CONTENT_H

#include "db/db.h"
#include "domain/page/page_snapshot.h"

struct page_content {
	int64_t page_id; /* set from the query */
	/* status_pages was read, so is_found and view.page are valid even if a later statement
	 * failed */
	bool is_row_read;
	bool is_found;	    /* false: the page was deleted, and `view` is empty */
	int64_t epoch;	    /* the epoch of the page's revision; see store/snapshot/timeline.h */
	const char *former; /* see struct former_address_list; NULL: none */
	struct page_snapshot view; /* the caller sets its url */
};

struct page_content_query {
	const int64_t *page_ids;
	size_t count; /* 1 to PAGE_CONTENT_MAX */
	struct instant now;
	int64_t until_ms; /* the time of clock_ms() after which the reading stops; 0: no limit */
};
enum { PAGE_CONTENT_MAX = 64 };

struct page_content_list {
	struct page_content *rows; /* in the order of the query */
	size_t count;
};

/*
 * Reads the first page of the query, and as many of the other pages as fit into a few megabytes.
 *
 * Runs one read-only transaction. Besides START and ROLLBACK it has one statement each for:
 * - pages, monitors, incidents, texts, months, gaps
 * - updates, if a shown incident has any
 * - response times, if there are any
 * - older incidents, if a page has fewer than PAGE_NEWEST_MAX incidents in the days of the bars
 * A statement takes up to 512 monitors or texts; for more, it runs again. A statement reads only
 * the incidents that it returns, so old incidents cost nothing.
 *
 * E_FAILED: also if the pages have more monitors or incidents than can be shown. E_TOO_SLOW: the
 * time until_ms has passed. After a failure, the rows whose is_row_read is set are valid.
 */
enum result page_content_read(struct db *db, const struct page_content_query *query,
			      struct arena *arena, struct page_content_list *list,
			      struct error *error) MUST_USE;

#endif
