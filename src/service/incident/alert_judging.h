/*
 * How observations are judged in their transaction: a payload of alerts, or a single observation,
 * which is a payload of one without a source. See service/incident/observations.h.
 */
#ifndef SERVICE_INCIDENT_ALERT_JUDGING_H
#define SERVICE_INCIDENT_ALERT_JUDGING_H

#include "service/incident/observations.h"
#include "service/service.h"
#include "store/incident/alert_batch.h"

struct judging {
	struct alert_batch batch;
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
/* The alert belongs to an incident that the payload adds, and that has no id yet. */
void alert_set_added(struct alert_entry *entry, const struct incident *incident);

/* Locks the monitors, and makes the entries of the alerts. */
enum result judging_begin(struct judging *judging, struct alert_observation *alerts, size_t count)
	MUST_USE;
/* Begins the open incident with that observation, unless a former incident overlaps. Needs
 * monitor->open. */
enum result judging_backdate(struct judging *judging, struct alert_entry *entry) MUST_USE;
/* Hands over the changes of the monitor's open incident. */
enum result judging_change_open(struct judging *judging, struct alert_monitor *monitor) MUST_USE;
/* Adds an incident. */
enum result judging_add(struct judging *judging, const struct alert_entry *entry,
			struct incident **incident) MUST_USE;
/* Ends the incident, which is locked. *has_ended: it was open. */
enum result judging_end(struct judging *judging, struct incident *before, struct instant ended_at,
			bool *has_ended) MUST_USE;
/* Stores the changes so far, and gives sources and alerts the ids of new incidents. */
enum result judging_store(struct judging *judging) MUST_USE;

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
