/* What the queries of all lists have in common, and their totals. */
#ifndef STORE_LIST_H
#define STORE_LIST_H

#include "db/db.h"

/* The first member of the query of each list. */
struct list_query {
	int64_t account_id;
	int64_t owner_id;   /* the object that the rows belong to; 0 in other lists */
	const char *search; /* NULL: all rows */
	int search_by;	    /* these two in the order of the list's words */
	int sort_by;
	int is_ascending; /* 0 or 1 */
	int per_page;	  /* these two as the client asks; limit and offset are made of them */
	int64_t page;
	int64_t limit; /* at most 100 */
	int64_t offset;
	struct instant now;
};

/*
 * Runs a `SELECT COUNT(*) AS total`, for a page past the end of a list, which has no row that tells
 * the total. At most `offset`: a row that was added since the page was read does not count, since
 * the page would not be past the end.
 */
enum result list_total_past_end(struct db *db, const struct sql_build *sql, int64_t offset,
				struct arena *arena, int64_t *total, struct error *error) MUST_USE;

#endif
