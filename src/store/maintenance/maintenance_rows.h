/* The occurrences of maintenance windows as pages show them, for the loaders of snapshots and of
 * months. Only for this folder and store/snapshot. */
#ifndef STORE_MAINTENANCE_MAINTENANCE_ROWS_H
#define STORE_MAINTENANCE_MAINTENANCE_ROWS_H

#include "db/db.h"
#include "domain/page/page_snapshot.h"

/* Occurrences, by window and start. */
struct maintenance_rows {
	struct page_maintenance *rows; /* owned by the arena, like all results */
	size_t count;
};

/* The fields of struct page_maintenance that a SELECT of occurrences reads. The SELECT sets
 * `status` to an enum maintenance_status, which maintenance_rows_settle() converts. */
extern const struct fields maintenance_occurrence_rows;

/* Returns the ids of the windows in windows->monitors, in ascending order. */
struct id_list maintenance_rows_ids(const struct page_windows *windows, struct arena *arena);

/*
 * Adds the occurrences that have begun to `windows`. Converts the status of each row to the status
 * of struct page_maintenance.
 */
void maintenance_rows_settle(struct maintenance_rows *found, struct page_windows *windows,
			     struct instant now, struct arena *arena);

/* Reads titles and bodies of the windows `ids`, and the updates of the rows. */
enum result maintenance_rows_read(struct db *db, struct maintenance_rows *found,
				  const struct id_list *ids, struct instant now,
				  struct arena *arena, struct error *error) MUST_USE;

/* Returns the rows that have a title and at least one monitor of the page. Each row lists the
 * monitors of its window that the page shows, in display order. */
struct maintenance_rows maintenance_rows_of_page(const struct maintenance_rows *found,
						 const struct page_snapshot *page,
						 const struct page_windows *windows,
						 struct arena *arena);

#endif
