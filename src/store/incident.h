/*
 * Incidents in MySQL, with what goes with each change: the counts that lists
 * take their totals from, and the history that outlives the incident.
 *
 * Every write here is to be run in a transaction.
 */
#ifndef STORE_INCIDENT_H
#define STORE_INCIDENT_H

#include "db/db.h"
#include "domain/incident.h"

enum incident_sort { INCIDENT_BY_STARTED_AT, INCIDENT_BY_ENDED_AT };
enum incident_search {
	INCIDENT_SEARCH_ALL,
	INCIDENT_SEARCH_MONITOR,
	INCIDENT_SEARCH_CAUSE,
	INCIDENT_SEARCH_URL
};
enum { INCIDENT_ANY_STATUS = -1 };

struct incident_query {
	int64_t account_id;
	const char *search; /* NULL for all */
	int search_by;	    /* enum incident_search */
	int64_t monitor_id; /* 0 for all */
	int status;	    /* enum incident_status, or INCIDENT_ANY_STATUS */
	int sort_by;	    /* enum incident_sort */
	bool is_ascending;
	int64_t limit;
	int64_t offset;
};

struct incident_list {
	struct incident *rows;
	size_t count;
	int64_t total; /* without limit and offset */
};

/* Two statements. Without a search the total comes from the kept counts. */
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

/* Who changes an incident, for its history: "key 7 (deploy)", "daymarkctl". */
struct incident_actor {
	const char *name;
	struct instant now;
};

/* Sets incident->id. E_CONFLICT: the monitor has an open one already. */
enum result incident_insert(struct db *db, struct incident *incident,
			    const struct incident_actor *actor, const char *action,
			    struct error *error) MUST_USE;
/*
 * Stores what `after` has beside what was there, with a line of history that
 * says `action`.
 */
enum result incident_save(struct db *db, const struct incident *before, struct incident *after,
			  const struct incident_actor *actor, const char *action,
			  const char *detail, struct error *error) MUST_USE;
enum result incident_delete(struct db *db, const struct incident *incident,
			    const struct incident_actor *actor, struct error *error) MUST_USE;
/*
 * Inserts `count` incidents, whose monitors must be the account's (else E_INVALID): a
 * statement for each 512 of them, and five for all. Of each row monitor_id, cause, title,
 * comment and the first three times are read. Run it in a transaction.
 */
enum result incident_import(struct db *db, int64_t account_id, const struct incident *rows,
			    size_t count, const struct incident_actor *actor, struct error *error)
	MUST_USE;

struct incident_event {
	struct instant at;
	const char *action;
	const char *actor;
	const char *detail;
};
struct incident_event_list {
	struct incident_event *rows;
	size_t count;
};
extern const struct fields incident_event_fields;
/* Up to 1,000 lines, oldest first; of a deleted incident, too. account_id 0: of any. */
enum result incident_events(struct db *db, int64_t account_id, int64_t incident_id,
			    struct arena *arena, struct incident_event_list *list,
			    struct error *error) MUST_USE;

/* How many of the kept counts are not what counting gives. */
enum result incident_counts_check(struct db *db, struct arena *arena, int64_t *wrong,
				  struct error *error) MUST_USE;
/* Counts anew; in a transaction. */
enum result incident_counts_rebuild(struct db *db, struct error *error) MUST_USE;

#endif
