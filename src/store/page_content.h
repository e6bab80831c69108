/*
 * What a page shows, read in one statement whatever the number of its monitors
 * and incidents: the newest committed state, all of one moment.
 */
#ifndef STORE_PAGE_CONTENT_H
#define STORE_PAGE_CONTENT_H

#include "db/db.h"
#include "domain/page_view.h"

struct page_content {
	bool is_found; /* else the page is gone, and `view` is empty */
	struct page_view view; /* its urls are the caller's to set */
	bool is_slug_taken; /* a page, this or another, has the slug that was asked for */
};

/* `slug` (or NULL) is one to look for besides. */
enum result page_content_read(struct db *db, int64_t page_id, const char *slug, struct instant now,
			      struct arena *arena, struct page_content *content,
			      struct error *error) MUST_USE;

#endif
