/* Response times that were measured elsewhere, in the tables of hours and days. */
#ifndef STORE_CHECK_CHECK_FIGURES_H
#define STORE_CHECK_CHECK_FIGURES_H

#include "db/db.h"
#include "domain/figures.h"

/*
 * Adds sums to what is stored of the monitor, by one statement for each table. Must run in a
 * transaction that has locked the monitor.
 */
enum result check_hours_add(struct db *db, int64_t monitor_id, const struct figure_sum *sums,
			    size_t count, struct error *error) MUST_USE;
enum result check_days_add(struct db *db, int64_t monitor_id, const struct figure_sum *sums,
			   size_t count, struct error *error) MUST_USE;

#endif
