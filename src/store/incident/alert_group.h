/* A group of alerts that makes one reported incident. In incident_sources the group has a row, with
 * its name as the source. The rows of the group's alerts have its incident in group_incident_id. */
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
/* Adds the new alerts of the batch to the group, by a statement for each 4,096. */
enum result alert_group_join(struct alert_batch *batch, int64_t incident_id) MUST_USE;
/* Counts the alerts of the group's incident. */
enum result alert_group_count(struct alert_batch *batch, int64_t incident_id,
			      struct alert_group_state *state) MUST_USE;
enum result alert_group_end(struct alert_batch *batch, const char *source, struct instant ended_at)
	MUST_USE;

#endif
