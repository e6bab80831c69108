/*
 * Loads the snapshot of a page: its newest committed state, all of one moment, by one SELECT
 * for each kind of row, whatever the number of its monitors and incidents.
 */
#ifndef STORE_PAGE_CONTENT_H
#define STORE_PAGE_CONTENT_H

#include "db/db.h"
#include "domain/page_snapshot.h"

struct page_content {
	/* The page's row and its addresses were loaded: they hold even if the rest failed. */
	bool is_row_read;
	bool is_found;		   /* else the page is deleted, and `view` is empty */
	int64_t epoch;		   /* of the page's revision; see store/timeline.h */
	struct page_snapshot view; /* the caller sets its url */
	/* A page, this or another, has the slug, the domain of the query. */
	bool is_slug_taken;
	bool is_domain_taken;
};

/* `slug` and `domain` (or NULL) are addresses to look up besides. */
struct page_content_query {
	int64_t page_id;
	const char *slug;
	const char *domain;
	struct instant now;
};
/*
 * One read-only transaction of at most eight statements: seven without recent incidents, four
 * without monitors, three for a page that is deleted. Also E_FAILED: the page has more monitors or
 * incidents than can be shown; content->is_row_read is then set.
 */
enum result page_content_read(struct db *db, const struct page_content_query *query,
			      struct arena *arena, struct page_content *content,
			      struct error *error) MUST_USE;

#endif
