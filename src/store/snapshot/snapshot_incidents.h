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
	int64_t monitor_id; /* for a notice that names a page: snapshot_notice_key() */
	struct instant started_at;
	struct instant ended_at; /* 0: open */
	struct instant acknowledged_at;
	struct instant updated_at;
	const struct reported_times *reported; /* NULL: detected */
	const struct incident_monitor *course; /* how the impact changed; NULL: the incident had its
									impact for the whole time */
	int impact;			       /* enum incident_impact */
	bool exclude_from_uptime;
	const char *title; /* NULL: none */
};

/* The part of a reported incident that concerns one of its monitors. */
struct reported_times {
	struct incident_monitor monitor;
};

/* The key in place of a monitor's id for incidents that name only the page. */
static inline int64_t snapshot_notice_key(int64_t page_id)
{
	return -page_id;
}

/* Sorted by monitor, then by id. */
struct times_list {
	struct incident_times *rows;
	size_t count;
	size_t room;
};

struct times_list times_of(const struct times_list *list, int64_t monitor_id);

/*
 * Distributes the incidents to the pages of the set. Reads the texts of the incidents that a page
 * shows: the open ones, the newest ones, and some of each recent day. These are the first
 * PAGE_DAY_INCIDENTS_MAX that are not inside another incident, and as many that are. Other
 * incidents have no texts.
 */
enum result snapshot_fill_incidents(struct db *db, struct snapshot_set *set,
				    const struct times_list *list, struct arena *arena,
				    struct error *error) MUST_USE;

/* Sets page->outages from the times, which must all be of monitors of the page. */
void snapshot_fill_outages(struct page_snapshot *page, const struct times_list *list,
			   struct arena *arena);

/* Up to this number of incidents, all incidents of a monitor are read at once, whatever their age.
 * Exception: the monitors of a page have many in sum. */
enum { TIMES_FEW = PAGE_NEWEST_MAX };

struct times_loading {
	struct db *db;
	const struct snapshot_set *set;
	struct arena *arena;
	size_t most;	  /* rows */
	enum result over; /* the result for more incidents */
	bool is_old_left; /* the first statements leave out incidents older than the bars */
	struct times_list list;
};

/* Monitors whose older incidents are needed: those with few incidents, and those with many. */
struct old_monitors {
	struct id_list few, many;
};

/* Whether times_read_bars() reads all incidents of the monitor, whatever their age. */
bool times_are_few(const struct times_loading *loading, const struct snapshot_monitor *monitor);

/* Appends the incidents of the set's monitors, and the notices of its pages, that touch the bars.
 * The list is sorted. */
enum result times_read_bars(struct times_loading *loading, struct error *error) MUST_USE;

/* Appends incidents that began before the bars; of a monitor with many incidents only the newest
 * of these. The list is sorted. */
enum result times_read_old(struct times_loading *loading, const struct old_monitors *old,
			   struct error *error) MUST_USE;

#endif
