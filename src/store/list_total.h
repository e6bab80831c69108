/* The total of a list, for a page past its end, which has no row that tells it. */
#ifndef STORE_LIST_TOTAL_H
#define STORE_LIST_TOTAL_H

#include "db/db.h"

/*
 * Runs a `SELECT COUNT(*) AS total`. At most `offset`: a row that was added since the page was read
 * does not count, since the page would not be past the end.
 */
enum result list_total_past_end(struct db *db, const struct sql_build *sql, int64_t offset,
				struct arena *arena, int64_t *total, struct error *error) MUST_USE;

#endif
