/*
 * The statements for judging alerts, each for all alerts of a payload at once.
 * service/incident/alert_observations.c judges them.
 */
#ifndef STORE_INCIDENT_ALERT_BATCH_H
#define STORE_INCIDENT_ALERT_BATCH_H

#include "db/db.h"
#include "domain/incident/observation.h"

struct alert_monitor {
	int64_t id;
	struct instant now;
	struct instant last_up_at;
	struct instant known_since; /* the start of its record; 0: no state was ever observed */
	bool is_on_no_page;	    /* as in struct incident */
	int64_t open_id;	    /* the open incident; 0: none */
	struct instant open_since;  /* the start of the open incident, or of an earlier alert */
	/* `open`: the open incident as stored. `changed`: this incident after alerts have changed
	 * it, otherwise NULL. */
	struct incident *open, *changed;
	int worst_new; /* the worst impact among the alerts that join the incident */
	struct instant
		first_new; /* the earliest start among its alerts that are new in this payload */
	struct incident
		*opened; /* the incident that this payload opens, not stored yet; NULL: none */
	/* Used while alerts that are over are judged by their start. `newest`: the monitor's newest
	 * stored incident. `recorded`: the last incident that the payload records. NULL: none. */
	struct incident *newest, *recorded;
};

struct alert_source {
	const char *source;
	int64_t monitor_id; /* above 0: this row is a monitor's, not a source's */
	int64_t incident_id;
	struct instant started_at; /* this and the next three: of a monitor's open incident */
	int64_t impact;
	int64_t phase;
	struct instant next_update_at;
	struct instant ended_at;
	const struct incident *added; /* the new incident of the source, until the incident has an
					 id; NULL: none */
	bool is_on_no_page;	      /* of a monitor */
	bool is_known;
	bool is_changed;
};

/* An alert with its monitor and source. */
struct alert_entry {
	struct alert_observation *alert;
	struct alert_monitor *monitor;
	struct alert_source *source; /* two entries of the same alert share the source */
	bool is_new;		     /* the alert is new in this payload */
};

struct alert_batch {
	struct db *db;
	int64_t account_id;
	struct arena *arena;
	struct arena *row; /* for one incident or one statement, then emptied */
	struct error *error;
	struct alert_entry *entries; /* the alerts whose monitor exists */
	size_t count;
	struct alert_monitor *monitors; /* by id */
	size_t monitor_count;
	struct alert_source *sources; /* by source */
	size_t source_count;
	struct instant now;
};

/*
 * Locks the alerts' monitors, in order, and reads the database's time after all are locked. The
 * caller owns the entries. For a single observation without a source it also reads open_id and
 * is_on_no_page.
 */
enum result alert_batch_lock(struct alert_batch *batch, struct alert_observation *alerts,
			     size_t count) MUST_USE;
/* The locked monitor with this id; NULL: it does not exist. */
struct alert_monitor *alert_batch_monitor(const struct alert_batch *batch, int64_t id);
/* Reads the stored data of the sources, and the open incidents of the monitors. */
enum result alert_batch_read(struct alert_batch *batch) MUST_USE;
/* Locks incidents of the account, and reads the members that monitoring changes: a list of struct
 * incident, by id. `ids` must be sorted. */
enum result alert_batch_lock_incidents(struct alert_batch *batch, const struct id_list *ids,
				       struct db_list *found) MUST_USE;
/* Reads the newest incident of each monitor, with the members that monitoring changes: a list of
 * struct incident, by monitor. `monitor_ids` must be sorted. */
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
	struct instant ended_at; /* the latest */
};
/* Finds the open incidents among these: a list of struct alert_ended, by id. */
enum result alert_batch_ended(struct alert_batch *batch, int64_t *ids, size_t count,
			      struct db_list *found) MUST_USE;

#endif
