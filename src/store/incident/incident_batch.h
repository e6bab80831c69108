/*
 * What a payload of alerts adds and changes of incidents, by statements for many rows at once. The
 * monitors must be locked. The caller appends the events.
 */
#ifndef STORE_INCIDENT_INCIDENT_BATCH_H
#define STORE_INCIDENT_INCIDENT_BATCH_H

#include "db/db.h"
#include "domain/incident.h"

enum { BATCH_NO_STATUS = -1 };

struct batch_incident {
	int64_t id; /* of a new incident: set by incident_batch_insert() */
	int64_t monitor_id;
	const char *title; /* this and `cause`: of a new incident only */
	const char *cause;
	struct instant started_at;
	struct instant ended_at;
	struct instant former_start; /* before the change; as started_at of a new incident */
	int former_status; /* enum incident_status, or BATCH_NO_STATUS of a new incident */
	int status;
	/* Of a new incident; a change makes the impact worse, never less. */
	int impact;
};

/* A monitor of which incidents have changed. */
struct batch_monitor {
	int64_t id;
	struct instant known_since; /* its record is to begin then; 0: unchanged */
	bool is_on_no_page;
};

struct incident_batch {
	struct db *db;
	int64_t account_id;
	struct instant now; /* created_at and updated_at */
	struct arena *row;  /* of one statement, emptied before the next */
	struct error *error;
};

/*
 * Inserts incidents, which must be sorted by monitor and start, and sets their ids: two statements
 * for each 512. No incident of a monitor may have the start of another. E_RETRY: a monitor has an
 * open incident that the transaction has not seen.
 */
enum result incident_batch_insert(const struct incident_batch *batch, struct batch_incident *rows,
				  size_t count) MUST_USE;
/* Stores started_at and ended_at: a statement for each 512. */
enum result incident_batch_move(const struct incident_batch *batch,
				const struct batch_incident *rows, size_t count) MUST_USE;
/*
 * Adds the rows to the kept counts, or the months that they concern: a statement for each 511. The
 * rows are new or changed, and there may be several of an incident.
 */
enum result incident_batch_count(const struct incident_batch *batch,
				 const struct batch_incident *rows, size_t count) MUST_USE;
enum result incident_batch_touch_months(const struct incident_batch *batch,
					const struct batch_incident *rows, size_t count) MUST_USE;
/*
 * Notes the change at the monitors, which are sorted by id, and marks the pages that show them as
 * unpublished, in the order of their ids.
 */
enum result incident_batch_mark_pages(const struct incident_batch *batch,
				      const struct batch_monitor *monitors, size_t count) MUST_USE;
/* Locks incidents of the account, and reads the columns that struct batch_incident has, but for
 * the texts: a list of struct incident, by id. `ids` must be sorted. */
enum result incident_batch_lock(const struct incident_batch *batch, const struct id_list *ids,
				struct arena *arena, struct db_list *found) MUST_USE;
/* The newest incident of each of the monitors: a list of struct incident as above, by monitor.
 * `monitor_ids` must be sorted. */
enum result incident_batch_newest(const struct incident_batch *batch,
				  const struct id_list *monitor_ids, struct arena *arena,
				  struct db_list *found) MUST_USE;

#endif
