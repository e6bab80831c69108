/* The common parts of all lists' queries, and the totals of lists. */
#ifndef STORE_LIST_H
#define STORE_LIST_H

#include "db/db.h"

/* The first member of the query of each list. */
struct list_query {
	int64_t account_id;
	int64_t owner_id; /* the object to which the rows belong; 0 in lists without such an object
			   */
	const char *search; /* NULL: all rows */
	int search_by;	    /* both are indexes of the list's words */
	int sort_by;
	int is_ascending; /* 0 or 1 */
	int per_page; /* the size of the client's page, from which limit and offset are computed */
	int64_t page;
	int64_t limit; /* at most 100 */
	int64_t offset;
	struct instant now;
};

/* Where list_read() stores the rows of a page, their number, and the number of rows of the whole
 * list. These are members of a struct that has rows of its type. */
struct list_into {
	void *rows; /* points to the list's member `rows`; the arena owns the rows themselves */
	size_t *count;
	int64_t *total;
	size_t row_bytes;
	bool has_owner; /* the rows belong to an object: see list_read() */
};
#define LIST_INTO(list, ...) \
	(&(const struct list_into){ &(list)->rows, &(list)->count, &(list)->total, \
				    sizeof(*(list)->rows), __VA_ARGS__ })
/* The last field of each list: the column `total`, read after the row. */
#define LIST_TOTAL(type) \
	{ \
		.name = "total", .kind = FIELD_INT, .offset = sizeof(type) \
	}
/*
 * Runs the SELECT of a page. `fields` has the fields of a row, and LIST_TOTAL. With has_owner, a
 * row may have the id NULL: then the object exists but has no row in this page. E_NOT_FOUND: there
 * is no row at all.
 */
enum result list_read(struct db *db, const struct sql_build *sql, struct fields fields,
		      const struct list_into *into, struct arena *arena, struct error *error)
	MUST_USE;
/* Runs a `SELECT COUNT(*) AS total` for a page past the end, whose query returned no row with the
 * total. The result is at most `offset`: rows that were added since then do not count. */
enum result list_total_past_end(struct db *db, const struct sql_build *sql, int64_t offset,
				int64_t *total, struct error *error) MUST_USE;

#endif
