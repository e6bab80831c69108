/*
 * What a page shows, read in one statement whatever the number of its monitors
 * and incidents: the newest committed state, all of one moment. Texts are read
 * of the incidents that are shown; the others are counted.
 */
#ifndef STORE_PAGE_CONTENT_H
#define STORE_PAGE_CONTENT_H

#include "db/db.h"
#include "domain/page_snapshot.h"

struct page_content {
	/* What is said here of the page's own row and of its addresses holds, even if the rest
	 * could not be read. */
	bool is_row_read;
	bool is_found;		   /* else the page is gone, and `view` is empty */
	int64_t epoch;		   /* of the page's revision; see store/timeline.h */
	struct page_snapshot view; /* its urls are the caller's to set */
	/* A page, this or another, has the slug, the domain that was asked for. */
	bool is_slug_taken;
	bool is_domain_taken;
};

/* `slug` and `domain` (or NULL) are addresses to look for besides. */
struct page_content_query {
	int64_t page_id;
	const char *slug;
	const char *domain;
	struct instant now;
};
/*
 * E_FAILED, too: the page has more incidents than can be shown; content->is_row_read is then
 * set.
 */
enum result page_content_read(struct db *db, const struct page_content_query *query,
			      struct arena *arena, struct page_content *content,
			      struct error *error) MUST_USE;

#endif
