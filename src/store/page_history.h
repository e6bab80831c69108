/* The incidents of the months of a page's history. */
#ifndef STORE_PAGE_HISTORY_H
#define STORE_PAGE_HISTORY_H

#include "db/db.h"
#include "domain/page_view.h"

/*
 * Reads the incidents of those months of the view (by index, newest first; one
 * at least) for which `is_wanted` says so, in one statement.
 */
enum result page_history_read(struct db *db, struct page_view *view, const bool *is_wanted,
			      struct arena *arena, struct error *error) MUST_USE;

/* Incidents, newest first, being dealt out to the months they began in. */
struct page_history_reading {
	struct page_view *view;
	const bool *is_wanted; /* by month; NULL: all are */
	struct arena *arena;
	size_t at; /* the month being filled */
	size_t room;
};
/* Copies what it keeps. */
void page_history_take(struct page_history_reading *reading, const struct incident *incident);
void page_history_end(struct page_history_reading *reading);

#endif
