/*
 * What is stored of a group of alerts that makes one reported incident: a row of incident_sources
 * under the name of the group, and the group's incident at the sources of its alerts.
 */
#ifndef STORE_INCIDENT_ALERT_GROUP_H
#define STORE_INCIDENT_ALERT_GROUP_H

#include "store/incident/alert_batch.h"

struct alert_group_state {
	int64_t incident_id;	 /* of the group; 0: none yet */
	int64_t firing;		 /* alerts of the group that are not over */
	struct instant ended_at; /* the latest end of its alerts */
};

/* Locks and reads the incident that the group had last. */
enum result alert_group_lock(struct alert_batch *batch, const char *source, int64_t *incident_id)
	MUST_USE;
/* Stores the incident of the group, which is open. */
enum result alert_group_save(struct alert_batch *batch, const char *source, int64_t incident_id)
	MUST_USE;
/* Makes the new alerts of the batch alerts of the group: a statement for each 4,096. */
enum result alert_group_join(struct alert_batch *batch, int64_t incident_id) MUST_USE;
/* Counts the alerts of the group's incident. */
enum result alert_group_count(struct alert_batch *batch, int64_t incident_id,
			      struct alert_group_state *state) MUST_USE;
enum result alert_group_end(struct alert_batch *batch, const char *source, struct instant ended_at)
	MUST_USE;

#endif
