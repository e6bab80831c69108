/*
 * What store/incident/incident_write.c derives from a set of changes. Each function takes a
 * statement for up to 512 rows of its table, and none if the set changes none of them.
 */
#ifndef STORE_INCIDENT_INCIDENT_DERIVED_H
#define STORE_INCIDENT_INCIDENT_DERIVED_H

#include "store/incident/incident_write.h"

/* The systems of an incident: of a detected one its monitor, also if `monitors` were not read. */
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

/* Numbers that are added to stored ones: to those of an id and a part of it, such as a month. */
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
/* Sorts by id and part. Numbers of the same place become one. */
void sums_settle(struct sums *sums);
/* Systems of reported incidents, and the rows of the pages that they name, for changes from `from`
 * on; also of removed incidents, before their own rows go. */
enum result incident_write_systems(const struct incident_set *set, size_t from) MUST_USE;
/* The kept counts by monitor or account, and status. */
enum result incident_write_counts(const struct incident_set *set) MUST_USE;
/* The first moment of the month in which the incident began. */
struct instant incident_month_of(const struct incident *incident);
/* The next month in which the incident goes on, of the newest PAGE_MONTHS_MAX; 0: none, or it is
 * open. */
struct instant incident_later_month(const struct incident *incident, struct instant month);
/*
 * The revisions of the months in which an incident began, and of those in which it goes on. With
 * has_start the month of an unchanged start is omitted.
 */
enum result incident_write_months(const struct incident_set *set, bool has_start) MUST_USE;
/*
 * When the state of monitors changed, and since when it is known: each record begins with the
 * monitor's first incident at the latest.
 */
enum result incident_write_monitors(const struct incident_set *set) MUST_USE;
/* Marks the pages that show a monitor of the set, or that a notice names, as unpublished. */
enum result incident_mark_pages(const struct incident_set *set) MUST_USE;

#endif
