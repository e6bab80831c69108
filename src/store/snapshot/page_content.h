/* Loads the snapshots of pages: their newest committed state, all of one moment. Takes one SELECT
 * for each kind of row, whatever the number of pages, monitors and incidents. */
#ifndef STORE_SNAPSHOT_PAGE_CONTENT_H
#define STORE_SNAPSHOT_PAGE_CONTENT_H

#include "db/db.h"
#include "domain/page/page_snapshot.h"

struct page_content {
	int64_t page_id; /* given */
	/* the page's row was loaded, and is valid even if the rest failed */
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
	int64_t until_ms; /* a time of clock_ms() after which no more kinds of rows are read; 0: no
			     limit */
};
enum { PAGE_CONTENT_MAX = 64 };

struct page_content_list {
	struct page_content *rows; /* in the order of the query */
	size_t count;
};

/*
 * Reads the first page, and of the others as many as fit into a few megabytes. Uses one read-only
 * transaction. It has START, ROLLBACK, and a statement each for pages, monitors, incidents, texts,
 * updates (if an incident that is shown has any), months, gaps, and response times (if there are
 * any). A further statement reads incidents older than the bars, for pages without PAGE_NEWEST_MAX
 * younger ones. Statements are repeated for each 512 monitors and texts. No statement reads more
 * incidents than it returns, however many the monitors have.
 *
 * E_FAILED also if the pages have more monitors or incidents than can be shown; E_TOO_SLOW. After a
 * failure, the rows of the list with is_row_read are still valid.
 */
enum result page_content_read(struct db *db, const struct page_content_query *query,
			      struct arena *arena, struct page_content_list *list,
			      struct error *error) MUST_USE;

#endif
