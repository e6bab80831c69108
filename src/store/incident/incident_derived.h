/*
 * The writes that store/incident/incident_write.c derives from a set of changes. Each function runs
 * one statement for up to 512 rows of its table, and none if the set changes no row.
 */
#ifndef STORE_INCIDENT_INCIDENT_DERIVED_H
#define STORE_INCIDENT_INCIDENT_DERIVED_H

#include "store/incident/incident_write.h"

/* Returns the number of the incident's systems: the monitors that it affects. A detected incident
 * has one system, even if its member `monitors` was not read. */
static inline size_t incident_system_count(const struct incident *incident)
{
	if (!incident)
		return 0;
	return incident->kind == INCIDENT_DETECTED ? 1 : incident->monitor_count;
}
static inline int64_t incident_system_id(const struct incident *incident, size_t place)
{
	return incident->kind == INCIDENT_DETECTED ? incident->monitor_id
						   : incident->monitors[place].id;
}

/* A number to add to a stored number. The id and the part identify the stored number, for example
 * by a monitor and a month. */
struct sum {
	int64_t id;
	int64_t part;
	int64_t add;
};
struct sums {
	struct arena *arena;
	struct sum *rows;
	size_t count;
	size_t room;
};
void sums_add(struct sums *sums, struct sum sum);
/* Sorts the rows by id and part, and adds up the rows with the same id and part. */
void sums_settle(struct sums *sums);
/*
 * Writes the rows of incident_monitors and incident_pages of reported incidents, for changes from
 * index `from` on. Call it before the rows of removed incidents are deleted from `incidents`.
 */
enum result incident_write_systems(const struct incident_set *set, size_t from) MUST_USE;
/* Updates the kept counts: of detected incidents by monitor and status, and of reported incidents
 * by account and status. */
enum result incident_write_counts(const struct incident_set *set) MUST_USE;
/* Returns the start of the month in which the incident began. */
struct instant incident_month_of(const struct incident *incident);
/* Returns the start of the first month after `month` that an ended incident reaches. Skips months
 * that are more than PAGE_MONTHS_MAX before the incident's end. 0: there is no such month, or the
 * incident is open. */
struct instant incident_later_month(const struct incident *incident, struct instant month);
/* Increments the revisions of the months in which the incidents began or go on, before and after
 * the changes. If has_start is true, the caller increments the month in which a changed incident
 * begins; this function then only adds the row of this month if it is missing. */
enum result incident_write_months(const struct incident_set *set, bool has_start) MUST_USE;
/* Updates the monitors of the set. Sets updated_at of monitors whose state has changed. If
 * known_since, the start of a monitor's history, is later than the monitor's first incident, moves
 * it back. */
enum result incident_write_monitors(const struct incident_set *set) MUST_USE;
/* Marks pages as unpublished: the pages that show a monitor of the set, and the pages that a
 * reported incident of the set names. */
enum result incident_mark_pages(const struct incident_set *set) MUST_USE;

#endif
