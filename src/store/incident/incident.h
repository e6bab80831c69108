/* Reads incidents from MySQL. store/incident/incident_write.h writes them. */
#ifndef STORE_INCIDENT_INCIDENT_H
#define STORE_INCIDENT_INCIDENT_H

#include "db/db.h"
#include "domain/incident/incident.h"
#include "store/list.h"

enum incident_sort { INCIDENT_BY_STARTED_AT, INCIDENT_BY_ENDED_AT };
enum incident_search {
	INCIDENT_SEARCH_ALL,
	INCIDENT_SEARCH_MONITOR,
	INCIDENT_SEARCH_CAUSE,
	INCIDENT_SEARCH_URL
};
enum {
	INCIDENT_ANY_STATUS = -1,
	INCIDENT_OPEN = INCIDENT_RESOLVED + 1, /* unresolved or acknowledged */
};

struct incident_query {
	struct list_query list; /* search_by: enum incident_search; sort_by: enum incident_sort */
	int64_t monitor_id;	/* 0 for all */
	int status;		/* enum incident_status, INCIDENT_OPEN or INCIDENT_ANY_STATUS */
	/* There are no kept counts for these filters. So the incidents are counted one by one, as
	 * for a search. */
	struct incident_filter {
		int kind_1;		       /* enum incident_kind + 1; 0 for all */
		int phase_1;		       /* enum update_phase + 1; 0 for all */
		int impact_1;		       /* enum incident_impact + 1, as stored; 0 for all */
		int64_t status_page_id;	       /* 0 for all */
		struct instant started_from;   /* 0: any */
		struct instant started_before; /* 0: any */
	} filter;
};

struct incident_list {
	struct incident *rows;
	size_t count;
	int64_t total; /* the number of incidents in the whole list */
};

/*
 * Lists incidents. Runs one statement for a page near the front of the list, and two for a search,
 * a filter, a deep page, or a page past the end. incident_report_complete() may run one more.
 * Without a search or a filter, the total comes from the kept counts, and is read at the same
 * moment as the rows. So it agrees with the rows even without a transaction.
 */
enum result incident_list(struct db *db, const struct incident_query *query, struct arena *arena,
			  struct incident_list *list, struct error *error) MUST_USE;

/* Finds an incident of the account (0: of any account), and locks its row if for_update.
 * E_NOT_FOUND: there is no such incident. */
enum result incident_find(struct db *db, int64_t account_id, int64_t id, bool for_update,
			  struct arena *arena, struct incident *incident, struct error *error)
	MUST_USE;
/* Reads and locks the monitor's open incident. E_NOT_FOUND: none is open. */
enum result incident_find_open(struct db *db, int64_t monitor_id, struct arena *arena,
			       struct incident *incident, struct error *error) MUST_USE;
/* Finds the last detected incident of the monitor that began at `by` or before. E_NOT_FOUND: there
 * is none. */
enum result incident_find_last(struct db *db, int64_t monitor_id, struct instant by,
			       struct arena *arena, struct incident *incident, struct error *error)
	MUST_USE;

/*
 * Locks the first `most` incidents of a monitor, and reads them without texts: a list of struct
 * incident.
 */
enum result incidents_lock_of_monitor(struct db *db, int64_t monitor_id, size_t most,
				      struct arena *arena, struct db_list *found,
				      struct error *error) MUST_USE;

/* Finds another detected incident of the same monitor that overlaps with `incident`. E_NOT_FOUND:
 * there is none. */
enum result incident_find_overlap(struct db *db, const struct incident *incident,
				  struct arena *arena, int64_t *id, struct error *error) MUST_USE;

/* Lists the first INCIDENT_SHOWN_PAGES_MAX pages that show the incident, by id: rows of struct
 * incident_page. */
enum { INCIDENT_SHOWN_PAGES_MAX = 20 };
struct incident_page {
	int64_t id;
	const char *name;
};
enum result incident_list_pages(struct db *db, const struct incident *incident, struct arena *arena,
				struct db_list *pages, struct error *error) MUST_USE;

/* Sets *wrong to the number of kept counts that differ from the incidents. */
enum result incident_counts_check(struct db *db, int64_t *wrong, struct error *error) MUST_USE;
/* Builds the kept counts of incidents again. Call it in a transaction. */
enum result incident_counts_rebuild(struct db *db, struct error *error) MUST_USE;

#endif
