/* Adds response times that clients have measured to the tables of hours and days. */
#ifndef STORE_CHECK_CHECK_FIGURES_H
#define STORE_CHECK_CHECK_FIGURES_H

#include "db/db.h"
#include "domain/page/figures.h"

/*
 * Sorts the figures, and adds them to the stored sums of the monitor, by one statement for each
 * table. Call it in a transaction that has locked the monitor.
 */
enum result check_figures_add(struct db *db, int64_t monitor_id, struct field_rows figures,
			      struct arena *arena, struct error *error) MUST_USE;

#endif
