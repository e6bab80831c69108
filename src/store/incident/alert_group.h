/* The stored data of a group of alerts, which has one reported incident. The table incident_sources
 * has a row for the group, whose source is the name of the group. It also has a row for each alert
 * of the group, whose group_incident_id is the group's incident. */
#ifndef STORE_INCIDENT_ALERT_GROUP_H
#define STORE_INCIDENT_ALERT_GROUP_H

#include "store/incident/alert_batch.h"

struct alert_group_state {
	int64_t incident_id;	 /* the incident of the group; 0: none yet */
	int64_t firing;		 /* how many alerts of the group are not over */
	struct instant ended_at; /* the latest end of the group's alerts */
};

/* Locks the row of the group, and reads the id of the group's newest incident; 0: there is none. */
enum result alert_group_lock(struct alert_batch *batch, const char *source, int64_t *incident_id)
	MUST_USE;
/* Stores the id of the group's new open incident in the row of the group. */
enum result alert_group_save(struct alert_batch *batch, const char *source, int64_t incident_id)
	MUST_USE;
/* Adds the new alerts of the batch to the group. Runs a statement for each 4,096 alerts. */
enum result alert_group_join(struct alert_batch *batch, int64_t incident_id) MUST_USE;
/* Sets state->firing and state->ended_at from the alerts of the group's incident. */
enum result alert_group_count(struct alert_batch *batch, int64_t incident_id,
			      struct alert_group_state *state) MUST_USE;
enum result alert_group_end(struct alert_batch *batch, const char *source, struct instant ended_at)
	MUST_USE;

#endif
