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

/* The rows of a list's part, and the number of rows that the list has in all. */
struct list_found {
	void *rows; /* owned by the arena */
	size_t count;
	int64_t total;
};
struct list_shape {
	struct fields fields; /* of a row, and LIST_TOTAL */
	size_t row_bytes;
	bool has_owner; /* the rows belong to an object: see list_read() */
};
/* The last of the fields: the column `total`, which is read behind the row. */
#define LIST_TOTAL(type) \
	{ \
		.name = "total", .kind = FIELD_INT, .offset = sizeof(type) \
	}
/*
 * Runs the SELECT of a part, each of whose rows has the total. With has_owner a row whose id is
 * NULL tells that the object exists and has no row here; E_NOT_FOUND: no row at all.
 */
enum result list_read(struct db *db, const struct sql_build *sql, const struct list_shape *shape,
		      struct arena *arena, struct list_found *found, struct error *error) MUST_USE;
/*
 * Runs a `SELECT COUNT(*) AS total`, for a page past the end of a list, which has no row that tells
 * the total. At most `offset`: a row that was added since the page was read does not count, since
 * the page would not be past the end.
 */
enum result list_total_past_end(struct db *db, const struct sql_build *sql, int64_t offset,
				struct arena *arena, int64_t *total, struct error *error) MUST_USE;

#endif
