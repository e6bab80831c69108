/* Loads the incidents that the months of a page's history show. */
#ifndef STORE_SNAPSHOT_PAGE_HISTORY_H
#define STORE_SNAPSHOT_PAGE_HISTORY_H

#include "db/db.h"
#include "domain/page/page_snapshot.h"

/*
 * Reads the incidents of the month snapshot->months[from], and of as many of the following wanted
 * months as fit into a few megabytes. Sets is_read in the months that it has read. Most pages need
 * one statement.
 */
enum result page_history_read(struct db *db, struct page_snapshot *snapshot, const bool *is_wanted,
			      size_t from, struct arena *arena, struct error *error) MUST_USE;

/*
 * Sets *past to a copy of the snapshot, for reports. The copy has the outages, maintenance windows
 * and gaps of the page's monitors from `since` on, which may be before the first bar. Runs up to
 * four statements for each 512 monitors. E_TOO_LARGE: there are more outages, windows or gaps than
 * a page may have.
 */
enum result page_history_read_past(struct db *db, const struct page_snapshot *snapshot,
				   struct instant since, struct arena *arena,
				   struct page_snapshot *past, struct error *error) MUST_USE;

#endif
