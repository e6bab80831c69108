/*
 * The statements with which service/incident/alert_observations.c judges the alerts of a payload.
 * Each statement is for all alerts of the payload.
 */
#ifndef STORE_INCIDENT_ALERT_BATCH_H
#define STORE_INCIDENT_ALERT_BATCH_H

#include "db/db.h"
#include "domain/incident/observation.h"

struct alert_monitor {
	int64_t id;
	struct instant now;
	struct instant last_up_at;
	struct instant known_since; /* when its history begins; 0: no state was ever observed */
	bool is_on_no_page;	    /* see is_on_no_page of struct incident */
	int64_t open_id;	    /* the open incident; 0: none */
	struct instant open_since;  /* the start of the open incident, or an earlier start that an
				       alert has reported */
	/* `open` is the open incident as it is stored. `changed` is the same incident with the
	 * changes by alerts; NULL: no alert has changed it. */
	struct incident *open, *changed;
	int worst_new;		  /* the worst impact of the alerts that join the open incident */
	struct instant first_new; /* the earliest start of the monitor's new alerts */
	struct incident *opened;  /* a new incident of this payload, not stored yet; NULL: none */
	/* For alerts that are already over when they are first reported. `newest`: the monitor's
	 * newest stored incident. `recorded`: the last ended incident that the payload adds. NULL:
	 * none. */
	struct incident *newest, *recorded;
};

struct alert_source {
	const char *source;
	int64_t monitor_id; /* above 0: this struct describes this monitor instead of a source */
	int64_t incident_id;
	struct instant started_at; /* this and the next three: of the monitor's open incident */
	int64_t impact;
	int64_t phase;
	struct instant next_update_at;
	struct instant ended_at;
	const struct incident *added; /* the source's new incident without an id; NULL: none */
	bool is_on_no_page;	      /* of a monitor; see struct incident */
	bool is_known;
	bool is_changed;
};

/* An alert with its monitor and source. */
struct alert_entry {
	struct alert_observation *alert;
	struct alert_monitor *monitor;
	struct alert_source *source; /* an alert that occurs twice in the payload has two entries
					with one source */
	bool is_new;		     /* this payload is the first with the alert */
};

struct alert_batch {
	struct db *db;
	int64_t account_id;
	struct arena *arena;
	struct arena *row; /* memory for one incident or one statement, reset before the next */
	struct error *error;
	struct alert_entry *entries; /* the alerts whose monitor exists */
	size_t count;
	struct alert_monitor *monitors; /* sorted by id */
	size_t monitor_count;
	struct alert_source *sources; /* sorted by source */
	size_t source_count;
	struct instant now;
};

/*
 * Locks the monitors of the alerts, in the order of ids. Sets batch->now to the database's time
 * after all monitors are locked. For a single observation without a source, also reads open_id and
 * is_on_no_page. The caller owns batch->entries.
 */
enum result alert_batch_lock(struct alert_batch *batch, struct alert_observation *alerts,
			     size_t count) MUST_USE;
/* Returns the locked monitor with this id; NULL: it does not exist. */
struct alert_monitor *alert_batch_monitor(const struct alert_batch *batch, int64_t id);
/* Reads the stored data of the sources, and the open incidents of the monitors. */
enum result alert_batch_read(struct alert_batch *batch) MUST_USE;
/* Locks incidents of the account. Returns a list of struct incident, by id, in which only the
 * members that monitoring changes are read. `ids` must be sorted. */
enum result alert_batch_lock_incidents(struct alert_batch *batch, const struct id_list *ids,
				       struct db_list *found) MUST_USE;
/* Reads the newest incident of each monitor: only the members that monitoring changes. Returns a
 * list of struct incident, by monitor. `monitor_ids` must be sorted. */
enum result alert_batch_newest(struct alert_batch *batch, const struct id_list *monitor_ids,
			       struct db_list *found) MUST_USE;
/* Stores observation->at as the last time that the monitor was up. */
enum result alert_batch_up(struct alert_batch *batch, const struct observation *observation)
	MUST_USE;
/* Stores the sources that have changed. */
enum result alert_batch_save(struct alert_batch *batch) MUST_USE;

struct alert_ended {
	int64_t incident_id;
	int64_t monitor_id;
	int64_t firing;		 /* how many alerts of the incident are not over */
	struct instant ended_at; /* the latest end of the incident's alerts */
};
/* Finds which of the incidents `ids` are open, and counts their alerts. Returns rows of struct
 * alert_ended, by id. */
enum result alert_batch_ended(struct alert_batch *batch, int64_t *ids, size_t count,
			      struct db_list *found) MUST_USE;

#endif
