/*
 * The statements by which alerts are judged, each for all alerts of a payload at once. The
 * judging is in service/incident/alert_observations.c.
 */
#ifndef STORE_INCIDENT_ALERT_BATCH_H
#define STORE_INCIDENT_ALERT_BATCH_H

#include "db/db.h"
#include "domain/observation.h"

/* What an alert that is over is compared with. */
struct alert_last {
	int64_t incident_id;
	size_t added; /* the place of an incident that the payload adds, from 1; 0: stored */
	struct instant started_at; /* 0: none */
	struct instant ended_at;
};

struct alert_monitor {
	int64_t id;
	struct instant now;
	int64_t open_id; /* the incident that is open, or 0 */
	struct instant open_since;
	struct instant open_start;  /* as it is stored; open_since may be of an earlier alert */
	int64_t open_impact;	    /* enum incident_impact */
	int worst_new;		    /* the worst impact of alerts that join it */
	size_t moved;		    /* its place among the changes, from 1; 0: unchanged */
	struct instant first_new;   /* the first start of its alerts that begin with this payload */
	struct instant known_since; /* the start of its record; 0: no state was ever observed */
	bool is_on_no_page;	    /* as in struct incident */
	/* Of the payload's changes: the first start, 0: none; and whether there are any. */
	struct instant changed_since;
	/* The incident that the payload opens: a place among the changes, from 1; 0: none. */
	size_t opened;
	/* While alerts that are over are judged by their start: its newest stored incident, and the
	 * last that the payload records. */
	struct alert_last newest, recorded;
};

struct alert_source {
	const char *source;
	int64_t monitor_id; /* of a monitor, which is listed like the sources */
	int64_t incident_id;
	struct instant started_at; /* of a monitor's open incident */
	int64_t impact;		   /* of the same */
	struct instant ended_at;
	size_t added;	    /* of an incident that has no id yet: its place, from 1; 0: none */
	bool is_on_no_page; /* of a monitor */
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
 * locked. The entries are the caller's. */
enum result alert_batch_lock(struct alert_batch *batch, struct alert_observation *alerts,
			     size_t count) MUST_USE;
/* The locked monitor of that id; NULL: there is none. */
struct alert_monitor *alert_batch_monitor(const struct alert_batch *batch, int64_t id);
/* Reads what is known of the sources, and which incidents are open. */
enum result alert_batch_read(struct alert_batch *batch) MUST_USE;
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
