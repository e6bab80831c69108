/*
 * The occurrences of maintenance windows as pages show them: what the loader of snapshots and that
 * of months have in common. Only for this folder.
 */
#ifndef STORE_MAINTENANCE_MAINTENANCE_ROWS_H
#define STORE_MAINTENANCE_MAINTENANCE_ROWS_H

#include "db/db.h"
#include "domain/page_snapshot.h"

/* By window and start. */
struct maintenance_rows {
	struct page_maintenance *rows; /* owned by the arena, as all that is read */
	size_t count;
};

/* Of struct page_maintenance; the status is enum maintenance_status until it has its window. */
extern const struct fields maintenance_occurrence_rows;

/* Appends the rows of a chunk to those of the chunks before. */
void *maintenance_rows_append(struct arena *arena, void *rows, size_t *count,
			      const struct db_list *more, size_t row_bytes);
/* A part of the list from `from` on that is short enough for a statement. */
struct id_list maintenance_rows_chunk(const struct id_list *list, size_t from);
/* The windows of the pairs, ascending. */
struct id_list maintenance_rows_ids(const struct page_windows *windows, struct arena *arena);

/* Makes windows of what has begun, and turns each status into that of struct page_maintenance. */
void maintenance_rows_settle(struct maintenance_rows *found, struct page_windows *windows,
			     struct instant now, struct arena *arena);

/* Reads titles and bodies of the windows `ids`, and the updates of the rows. */
enum result maintenance_rows_read(struct db *db, struct maintenance_rows *found,
				  const struct id_list *ids, struct instant now,
				  struct arena *arena, struct error *error) MUST_USE;

/* The rows with a title and a monitor of the page, with these monitors in display order. */
struct maintenance_rows maintenance_rows_of_page(const struct maintenance_rows *found,
						 const struct page_snapshot *page,
						 const struct page_windows *windows,
						 struct arena *arena);

#endif
