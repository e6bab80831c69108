/*
 * Reads the times of incidents, for the loader of snapshots: in the order times_read_bars(),
 * times_read_old(). Only for this folder.
 */
#ifndef STORE_SNAPSHOT_SNAPSHOT_TIMES_H
#define STORE_SNAPSHOT_SNAPSHOT_TIMES_H

#include "store/snapshot/snapshot_incidents.h"

/*
 * If a monitor has at most this number of incidents, all are read at once, whatever their age,
 * unless the page's monitors together have many.
 */
enum { TIMES_FEW = PAGE_NEWEST_MAX };

struct times_loading {
	struct db *db;
	const struct snapshot_set *set;
	struct arena *arena;
	size_t most;	  /* rows */
	enum result over; /* the result if there are more */
	bool is_old_left; /* the first statements leave out incidents from before the bars */
	struct times_list list;
};

/* Monitors whose older incidents are needed: those with few incidents, and those with many. */
struct old_monitors {
	struct id_list few, many;
};

/* Whether times_read_bars() reads all incidents of the monitor, whatever their age. */
bool times_are_few(const struct times_loading *loading, const struct snapshot_monitor *monitor);

/*
 * Appends the incidents in the days of the bars, of the set's monitors and of its pages. The list
 * is sorted.
 */
enum result times_read_bars(struct times_loading *loading, struct error *error) MUST_USE;

/*
 * Appends incidents from before the bars: of each monitor with many incidents the newest ones. The
 * list is sorted.
 */
enum result times_read_old(struct times_loading *loading, const struct old_monitors *old,
			   struct error *error) MUST_USE;

#endif
