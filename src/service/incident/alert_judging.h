/* How a payload of alerts is judged in its transaction: see service_observe_alerts(). */
#ifndef SERVICE_INCIDENT_ALERT_JUDGING_H
#define SERVICE_INCIDENT_ALERT_JUDGING_H

#include "service/incident/alert_changes.h"
#include "service/incident/observations.h"

struct judging {
	struct alert_batch batch;
	struct alert_changes changes;
	struct service *service;
	bool adds_nothing;    /* the quota is used up: no incident is opened or recorded */
	int64_t groups_added; /* incidents of groups, which count against the quota */
};

static inline bool alert_is_over(const struct alert_entry *entry)
{
	return entry->alert->observation.ended_at.s > 0;
}

/* The alert belongs to that incident. */
void alert_set_incident(struct alert_entry *entry, int64_t incident_id);
/* The alert belongs to an incident that the payload adds; `place` is the incident's place among the
 * changes. */
void alert_set_added(struct alert_entry *entry, size_t place);

/*
 * Ends the incidents of which no alert is left, at the latest end of their alerts. An incident
 * goes on where another alert of the payload had begun by then.
 */
enum result alert_end_incidents(struct judging *judging) MUST_USE;

/*
 * Records alerts that are over and whose beginning was never reported, unless an incident of the
 * monitor lasted at their start.
 */
enum result alert_record_old(struct judging *judging) MUST_USE;

/*
 * Opens the incident of a group of alerts when an alert of the group is new, adds the monitors of
 * new alerts to it, and ends it when no alert of the group is left. Must run when the sources of
 * the alerts are stored.
 */
enum result alert_group_settle(struct judging *judging, const struct alert_group *group) MUST_USE;

#endif
