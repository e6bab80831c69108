/*
 * The steps of snapshot_load_incidents(): reads the times of a set, then the incidents that each
 * page shows.
 */
#ifndef STORE_SNAPSHOT_SNAPSHOT_INCIDENTS_H
#define STORE_SNAPSHOT_SNAPSHOT_INCIDENTS_H

#include "store/snapshot/snapshot.h"

/* An incident without its texts. */
struct incident_times {
	int64_t id;
	int64_t monitor_id; /* or snapshot_notice_key(), for a notice to a page */
	struct instant started_at;
	struct instant ended_at; /* 0: open */
	struct instant acknowledged_at;
	struct instant updated_at;
	const struct reported_times *reported; /* NULL: detected */
	const struct incident_monitor
		*course; /* NULL: the incident has its impact for the whole time */
	int impact;	 /* enum incident_impact */
	bool exclude_from_uptime;
};

/* The part of a reported incident that concerns one of its monitors. */
struct reported_times {
	struct incident_monitor monitor;
};

/* Stands for a monitor in incidents that name only the page. */
static inline int64_t snapshot_notice_key(int64_t page_id)
{
	return -page_id;
}

/* By monitor, then by id. */
struct times_list {
	struct incident_times *rows;
	size_t count;
	size_t room;
};

struct times_list times_of(const struct times_list *list, int64_t monitor_id);

/*
 * Distributes the incidents to the pages of the set, and reads the texts of the incidents that a
 * page shows: the open ones; of each recent day the first PAGE_DAY_INCIDENTS_MAX that are not
 * inside another incident, and as many that are; and the newest. Other incidents have no texts.
 */
enum result snapshot_fill_incidents(struct db *db, struct snapshot_set *set,
				    const struct times_list *list, struct arena *arena,
				    struct error *error) MUST_USE;

/* Sets page->outages from the times, which must all be of the page's monitors. */
void snapshot_fill_outages(struct page_snapshot *page, const struct times_list *list,
			   struct arena *arena);

/* All incidents of a monitor that has so few are read at once, whatever their age, unless those of
 * a page's monitors are many. */
enum { TIMES_FEW = PAGE_NEWEST_MAX };

struct times_loading {
	struct db *db;
	const struct snapshot_set *set;
	struct arena *arena;
	size_t most;	  /* rows */
	enum result over; /* the result if there are more */
	bool is_old_left; /* the first statements leave out what is older than the bars */
	struct times_list list;
};

/* Monitors whose older incidents are needed, by how many incidents they have. */
struct old_monitors {
	struct id_list few, many;
};

/* Whether times_read_bars() reads all incidents of the monitor, whatever their age. */
bool times_are_few(const struct times_loading *loading, const struct snapshot_monitor *monitor);

/* Appends what touches the bars of the set's monitors, and of its pages. The list is sorted. */
enum result times_read_bars(struct times_loading *loading, struct error *error) MUST_USE;

/* Appends what began before the bars: of each monitor with many incidents the newest. The list is
 * sorted. */
enum result times_read_old(struct times_loading *loading, const struct old_monitors *old,
			   struct error *error) MUST_USE;

#endif
