/*
 * Reads what months show in addition to the rows of their incidents. For
 * store/snapshot/page_history.c.
 */
#ifndef STORE_SNAPSHOT_PAGE_HISTORY_DETAILS_H
#define STORE_SNAPSHOT_PAGE_HISTORY_DETAILS_H

#include "db/db.h"
#include "domain/page/page_snapshot.h"

/* For each month from `from` to `to`, reads the incidents that began before the month and had not
 * ended when the month began. Runs one statement. Call it before page_history_read_details(). */
enum result page_history_read_earlier(struct db *db, struct page_snapshot *snapshot, size_t from,
				      size_t to, struct arena *arena, struct error *error) MUST_USE;

/* Reads the updates of the incidents of the months `from` to `to`, and the monitors of reported
 * incidents that the page shows. Runs one statement for each 512 incidents with updates, and one
 * for each 512 reported incidents. Then calls page_history_read_windows(). */
enum result page_history_read_details(struct db *db, struct page_snapshot *snapshot, size_t from,
				      size_t to, struct arena *arena, struct error *error) MUST_USE;

/* Reads the maintenance windows of the months `from` to `to`, and marks the incidents that a window
 * excuses. Runs four statements, or none if no monitor of the page had maintenance. */
enum result page_history_read_windows(struct db *db, struct page_snapshot *snapshot, size_t from,
				      size_t to, struct arena *arena, struct error *error) MUST_USE;

#endif
