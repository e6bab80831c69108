/* What the queries of all lists have in common, and the totals of lists. */
#ifndef STORE_LIST_H
#define STORE_LIST_H

#include "db/db.h"

/* The first member of the query of each list. */
struct list_query {
	int64_t account_id;
	int64_t owner_id;   /* the object to which the rows belong; 0: none */
	const char *search; /* NULL: all rows */
	int search_by;	    /* search_by, sort_by: indexes in the words that the list accepts */
	int sort_by;
	int is_ascending; /* 0 or 1 */
	int per_page;	  /* the number of rows per page; limit and offset are computed from it */
	int64_t page;
	int64_t limit; /* at most 100 */
	int64_t offset;
	struct instant now;
};

/* Where list_read() stores its results: pointers to the members `rows`, `count` and `total` of a
 * list's struct. `total` is the number of rows of the whole list, not only of this page. */
struct list_into {
	void *rows; /* points to the list's member `rows`; the arena owns the rows themselves */
	size_t *count;
	int64_t *total;
	size_t row_bytes;
	bool has_owner; /* the rows belong to an object, their owner: see list_read() */
};
#define LIST_INTO(list, ...) \
	(&(const struct list_into){ &(list)->rows, &(list)->count, &(list)->total, \
				    sizeof(*(list)->rows), __VA_ARGS__ })
/* The last field in the fields of each list: the column `total`. Its value is stored in memory
 * right after the struct of the row. */
#define LIST_TOTAL(type) \
	{ \
		.name = "total", .kind = FIELD_INT, .offset = sizeof(type) \
	}
/*
 * Runs the SELECT of one page of a list. `fields` has the fields of a row, and LIST_TOTAL at the
 * end. If into->has_owner is set, the SELECT must return a row with the id NULL for an owner
 * without rows in this page. E_NOT_FOUND: has_owner is set, and the SELECT returns no row: there is
 * no such owner.
 */
enum result list_read(struct db *db, const struct sql_build *sql, struct fields fields,
		      const struct list_into *into, struct arena *arena, struct error *error)
	MUST_USE;
/* For a page past the end of the list, whose query returned no row and so no total: reads the total
 * by `sql`, a `SELECT COUNT(*) AS total`. Sets *total to at most `offset`, because rows may have
 * been added after the query of the page. */
enum result list_total_past_end(struct db *db, const struct sql_build *sql, int64_t offset,
				int64_t *total, struct error *error) MUST_USE;

#endif
