/* Loads the incidents of the months of a page's history. */
#ifndef STORE_SNAPSHOT_PAGE_HISTORY_H
#define STORE_SNAPSHOT_PAGE_HISTORY_H

#include "db/db.h"
#include "domain/page/page_snapshot.h"

/*
 * Reads the incidents of the month with index `from` in the snapshot. Reads as many of the next
 * wanted months as fit into a few megabytes. Sets is_read in these months. One statement for most
 * pages.
 */
enum result page_history_read(struct db *db, struct page_snapshot *snapshot, const bool *is_wanted,
			      size_t from, struct arena *arena, struct error *error) MUST_USE;

/*
 * Makes *past from the snapshot of a page, for reports: with the outages, windows and gaps of its
 * systems since a time before the bars. Up to four statements for each 512 systems. E_TOO_LARGE:
 * these are more than a page may have.
 */
enum result page_history_read_past(struct db *db, const struct page_snapshot *snapshot,
				   struct instant since, struct arena *arena,
				   struct page_snapshot *past, struct error *error) MUST_USE;

#endif
