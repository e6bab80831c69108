/*
 * The steps of snapshot_load_incidents(): first read the times of a set, then the incidents that
 * each page shows.
 */
#ifndef STORE_SNAPSHOT_SNAPSHOT_INCIDENTS_H
#define STORE_SNAPSHOT_SNAPSHOT_INCIDENTS_H

#include "store/snapshot/snapshot.h"

/* An incident without its texts. */
struct incident_times {
	int64_t id;
	int64_t monitor_id; /* for a notice that names a page: the value of snapshot_notice_key() */
	struct instant started_at;
	struct instant ended_at; /* 0: the incident is open */
	struct instant acknowledged_at;
	struct instant updated_at;
	const struct reported_times *reported; /* NULL: the incident was detected */
	const struct incident_monitor *course; /* how the impact changed; NULL: the impact has never
									changed */
	int impact;			       /* enum incident_impact */
	bool exclude_from_uptime;
	const char *title; /* NULL: none */
};

/* The part of a reported incident that concerns one of its monitors. */
struct reported_times {
	struct incident_monitor monitor;
};

/* Returns the monitor_id for incidents that name a page but no monitor. */
static inline int64_t snapshot_notice_key(int64_t page_id)
{
	return -page_id;
}

/* Incidents, sorted by monitor, then by id. */
struct times_list {
	struct incident_times *rows;
	size_t count;
	size_t room;
};

struct times_list times_of(const struct times_list *list, int64_t monitor_id);

/*
 * Distributes the incidents to the pages of the set. Then reads the texts of the incidents that a
 * page shows:
 * - the open incidents
 * - the newest incidents
 * - of each recent day, the first PAGE_DAY_INCIDENTS_MAX that are not inside another incident
 * - of each recent day, the first PAGE_DAY_INCIDENTS_MAX that are inside another incident
 */
enum result snapshot_fill_incidents(struct db *db, struct snapshot_set *set,
				    const struct times_list *list, struct arena *arena,
				    struct error *error) MUST_USE;

/* Sets page->outages from the list. All incidents of the list must be of monitors of the page. */
void snapshot_fill_outages(struct page_snapshot *page, const struct times_list *list,
			   struct arena *arena);

/* A monitor has "few" incidents if it has at most this number. times_read_bars() reads all
 * incidents of such a monitor, also older ones, if is_old_left is false. */
enum { TIMES_FEW = PAGE_NEWEST_MAX };

struct times_loading {
	struct db *db;
	const struct snapshot_set *set;
	struct arena *arena;
	size_t most;	  /* how many rows to read at most */
	enum result over; /* the result if there are more rows */
	/* times_read_bars() reads only incidents in the days of the bars, also of monitors with few
	 * incidents. */
	bool is_old_left;
	struct times_list list;
};

/* The monitors whose older incidents are needed. `few` has the monitors with few incidents, `many`
 * has the other monitors. */
struct old_monitors {
	struct id_list few, many;
};

/* Whether times_read_bars() reads all incidents of the monitor, whatever their age. */
bool times_are_few(const struct times_loading *loading, const struct snapshot_monitor *monitor);

/* Appends the incidents of the set's monitors, and the notices of its pages, in the days of the
 * bars. Of a monitor with few incidents, appends all incidents. Sorts the list. */
enum result times_read_bars(struct times_loading *loading, struct error *error) MUST_USE;

/* Appends incidents that began before the bars: all those of the monitors in old->few, and the
 * newest PAGE_NEWEST_MAX of each monitor in old->many. Sorts the list. */
enum result times_read_old(struct times_loading *loading, const struct old_monitors *old,
			   struct error *error) MUST_USE;

#endif
