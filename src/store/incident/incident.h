/*
 * Incidents in MySQL. Each write also updates the counts that lists take their totals from, and the
 * revision of the incident's month. The pages that show the incident must be marked as unpublished
 * in the same transaction, as late as possible, because their rows stay locked until COMMIT:
 * incident_save() marks them, after the other functions incident_mark_pages() does. The caller
 * appends the event: see store/event.h.
 *
 * Every write must run in a transaction.
 */
#ifndef STORE_INCIDENT_INCIDENT_H
#define STORE_INCIDENT_INCIDENT_H

#include "db/db.h"
#include "domain/incident.h"
#include "store/event.h"
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
	/* With one of these the incidents are counted, as in a search: no kept count has them. */
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
	int64_t total; /* without limit and offset */
};

/*
 * One statement for a page near the front, two for a search, a deep page or a page past the end;
 * one more as incident_report_complete() says. Without a search the total comes from the kept
 * counts, as of the moment of the rows. Needs no transaction: the total always agrees with the
 * rows.
 */
enum result incident_list(struct db *db, const struct incident_query *query, struct arena *arena,
			  struct incident_list *list, struct error *error) MUST_USE;

/* E_NOT_FOUND: unknown, or not of that account (0: of any). */
enum result incident_find(struct db *db, int64_t account_id, int64_t id, bool for_update,
			  struct arena *arena, struct incident *incident, struct error *error)
	MUST_USE;
/* The monitor's open incident, locked. E_NOT_FOUND: none is open. */
enum result incident_find_open(struct db *db, int64_t monitor_id, struct arena *arena,
			       struct incident *incident, struct error *error) MUST_USE;
/* The monitor's last incident that had started by then. E_NOT_FOUND. */
enum result incident_find_last(struct db *db, int64_t monitor_id, struct instant by,
			       struct arena *arena, struct incident *incident, struct error *error)
	MUST_USE;

/* Another detected incident of the monitor whose time overlaps with this one's. E_NOT_FOUND. */
enum result incident_find_overlap(struct db *db, const struct incident *incident,
				  struct arena *arena, int64_t *id, struct error *error) MUST_USE;

/* Sets incident->id. E_CONFLICT: the monitor has an open one already. */
enum result incident_insert(struct db *db, struct incident *incident, struct instant now,
			    struct error *error) MUST_USE;
/* Gives `after`, a change of `before`, its revision and updated_at, as incident_save() stores it.
 */
void incident_advance(const struct incident *before, struct incident *after, struct instant now);
/*
 * Stores the differences between `before` and `after`, and marks the pages: one statement, one more
 * if the status has changed, and one if the start has.
 */
enum result incident_save(struct db *db, const struct incident *before,
			  const struct incident *after, struct error *error) MUST_USE;
enum result incident_delete(struct db *db, const struct incident *incident, struct error *error)
	MUST_USE;
/* Marks the pages that show the incident's monitor, whose record begins with it at the latest. */
enum result incident_mark_pages(struct db *db, const struct incident *incident, struct instant now,
				struct error *error) MUST_USE;
/*
 * Inserts `count` incidents, whose monitors must be the account's (else E_INVALID): a
 * statement for each 512 of them, and six for all. Of each row monitor_id, cause, title,
 * comment and the first three times are read. Run it in a transaction.
 */
enum result incident_import(struct db *db, int64_t account_id, const struct incident *rows,
			    size_t count, const struct event_source *actor, struct error *error)
	MUST_USE;

/* *wrong: how many of the kept counts differ from the incidents. */
enum result incident_counts_check(struct db *db, struct arena *arena, int64_t *wrong,
				  struct error *error) MUST_USE;
/* Counts the incidents again. Must run in a transaction. */
enum result incident_counts_rebuild(struct db *db, struct error *error) MUST_USE;

#endif
