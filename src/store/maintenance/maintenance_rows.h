/*
 * The occurrences of maintenance windows as pages show them: the common part of the loaders of
 * snapshots and of months. Only for this folder.
 */
#ifndef STORE_MAINTENANCE_MAINTENANCE_ROWS_H
#define STORE_MAINTENANCE_MAINTENANCE_ROWS_H

#include "db/db.h"
#include "domain/page/page_snapshot.h"

/* Rows, by window and start. */
struct maintenance_rows {
	struct page_maintenance *rows; /* owned by the arena, like all results */
	size_t count;
};

/* Field rows of struct page_maintenance. Until maintenance_rows_settle() the status is an enum
 * maintenance_status. */
extern const struct fields maintenance_occurrence_rows;

/* The ids of the windows in the pairs, in ascending order. */
struct id_list maintenance_rows_ids(const struct page_windows *windows, struct arena *arena);

/*
 * Adds rows that have begun to `windows`, and turns the status of each row into the status of
 * struct page_maintenance.
 */
void maintenance_rows_settle(struct maintenance_rows *found, struct page_windows *windows,
			     struct instant now, struct arena *arena);

/* Reads titles and bodies of the windows `ids`, and the updates of the rows. */
enum result maintenance_rows_read(struct db *db, struct maintenance_rows *found,
				  const struct id_list *ids, struct instant now,
				  struct arena *arena, struct error *error) MUST_USE;

/*
 * The rows that have a title and a monitor of the page, with the page's monitors in display order.
 */
struct maintenance_rows maintenance_rows_of_page(const struct maintenance_rows *found,
						 const struct page_snapshot *page,
						 const struct page_windows *windows,
						 struct arena *arena);

#endif
