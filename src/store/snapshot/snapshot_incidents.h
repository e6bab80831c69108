/* The steps of snapshot_load_incidents(): the times of a set, and what each page shows. */
#ifndef STORE_SNAPSHOT_SNAPSHOT_INCIDENTS_H
#define STORE_SNAPSHOT_SNAPSHOT_INCIDENTS_H

#include "store/snapshot/snapshot.h"

/* An incident without its texts. */
struct incident_times {
	int64_t id;
	int64_t monitor_id; /* snapshot_notice_key(): a notice for a page */
	struct instant started_at;
	struct instant ended_at; /* 0: open */
	struct instant acknowledged_at;
	struct instant updated_at;
	const struct reported_times *reported; /* NULL: detected */
	const struct incident_monitor *course; /* NULL: the impact for its whole time */
	int impact;			       /* enum incident_impact */
	bool exclude_from_uptime;
};

/* What a reported incident is for one of its monitors. */
struct reported_times {
	struct incident_monitor monitor;
};

/* In place of a monitor: the incidents that name the page. */
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
 * Distributes the incidents to the pages of the set, and reads the texts of those that a page
 * shows: the open ones, of each recent day the first PAGE_DAY_INCIDENTS_MAX that stand alone and as
 * many that are inside of others, and the newest. The others lack texts.
 */
enum result snapshot_fill_incidents(struct db *db, struct snapshot_set *set,
				    const struct times_list *list, struct arena *arena,
				    struct error *error) MUST_USE;

/* Sets page->outages from the times, which are those of the page's monitors alone. */
void snapshot_fill_outages(struct page_snapshot *page, const struct times_list *list,
			   struct arena *arena);

#endif
