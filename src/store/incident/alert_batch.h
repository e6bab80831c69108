/*
 * The statements by which alerts are judged, each for all alerts of a payload at once. The
 * judging is in service/incident/alert_observations.c.
 */
#ifndef STORE_INCIDENT_ALERT_BATCH_H
#define STORE_INCIDENT_ALERT_BATCH_H

#include "db/db.h"
#include "domain/observation.h"

struct alert_monitor {
	int64_t id;
	struct instant now;
	struct instant last_up_at;
	struct instant known_since; /* the start of its record; 0: no state was ever observed */
	bool is_on_no_page;	    /* as in struct incident */
	int64_t open_id;	    /* the incident that is open; 0: none */
	struct instant open_since;  /* its start, or that of an earlier alert */
	/* The open incident as it is stored, and as alerts have changed it; NULL: not. */
	struct incident *open, *changed;
	int worst_new;		  /* the worst impact of alerts that join it */
	struct instant first_new; /* the first start of its alerts that begin with this payload */
	struct incident *opened;  /* by this payload, and not stored yet; NULL: none */
	/* While alerts that are over are judged by their start: its newest stored incident, and the
	 * last that the payload records. NULL: none. */
	struct incident *newest, *recorded;
};

struct alert_source {
	const char *source;
	int64_t monitor_id; /* of a monitor, which is listed like the sources */
	int64_t incident_id;
	struct instant started_at; /* of a monitor's open incident, as the next three */
	int64_t impact;
	int64_t phase;
	struct instant next_update_at;
	struct instant ended_at;
	const struct incident *added; /* its incident, until that has an id; NULL: none */
	bool is_on_no_page;	      /* of a monitor */
	bool is_known;
	bool is_changed;
};

/* An alert with its monitor and source. */
struct alert_entry {
	struct alert_observation *alert;
	struct alert_monitor *monitor;
	struct alert_source *source; /* shared where the payload has the alert twice */
	bool is_new;		     /* it began with this payload */
};

struct alert_batch {
	struct db *db;
	int64_t account_id;
	struct arena *arena;
	struct arena *row; /* of one incident or one statement, emptied before the next */
	struct error *error;
	struct alert_entry *entries; /* those whose monitor is there */
	size_t count;
	struct alert_monitor *monitors; /* by id */
	size_t monitor_count;
	struct alert_source *sources; /* by source */
	size_t source_count;
	struct instant now;
};

/* Locks the alerts' monitors, in order, and takes the time from the database once all are
 * locked. The entries are the caller's. Of a single observation without a source it also reads
 * open_id and is_on_no_page. */
enum result alert_batch_lock(struct alert_batch *batch, struct alert_observation *alerts,
			     size_t count) MUST_USE;
/* The locked monitor of that id; NULL: there is none. */
struct alert_monitor *alert_batch_monitor(const struct alert_batch *batch, int64_t id);
/* Reads what is known of the sources, and which incidents are open. */
enum result alert_batch_read(struct alert_batch *batch) MUST_USE;
/*
 * Locks incidents of the account, and reads what monitoring changes of them: a list of struct
 * incident, by id. `ids` must be sorted.
 */
enum result alert_batch_lock_incidents(struct alert_batch *batch, const struct id_list *ids,
				       struct db_list *found) MUST_USE;
/* The newest incident of each of the monitors: a list as above, by monitor. `monitor_ids` must be
 * sorted. */
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
	int64_t firing;		 /* alerts of it that are not over */
	struct instant ended_at; /* the latest */
};
/* The open ones of these incidents: a list of struct alert_ended, by id. */
enum result alert_batch_ended(struct alert_batch *batch, int64_t *ids, size_t count,
			      struct db_list *found) MUST_USE;

#endif
