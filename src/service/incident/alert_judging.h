/*
 * The judging of observations in their transaction: see service/incident/observations.h. The
 * observations are a payload of alerts. A single observation counts as a payload of one alert
 * without a source.
 */
#ifndef SERVICE_INCIDENT_ALERT_JUDGING_H
#define SERVICE_INCIDENT_ALERT_JUDGING_H

#include "service/incident/observations.h"
#include "service/service.h"
#include "store/incident/alert_batch.h"

struct judging {
	struct alert_batch batch;
	struct service *service;
	bool adds_nothing;    /* the quota is used up: open and record no incidents */
	int64_t groups_added; /* incidents of groups, which count against the quota */
};

static inline bool alert_is_over(const struct alert_entry *entry)
{
	return entry->alert->observation.ended_at.s > 0;
}

/* Makes the incident with this id the incident of the alert. */
void alert_set_incident(struct alert_entry *entry, int64_t incident_id);
/* Makes a new incident of the payload, which has no id yet, the incident of the alert. */
void alert_set_added(struct alert_entry *entry, const struct incident *incident);

/* Locks the monitors, and makes the entries of the alerts. */
enum result judging_begin(struct judging *judging, struct alert_observation *alerts, size_t count)
	MUST_USE;
/* Moves the begin of the open incident to the observation's time, unless a former incident
 * overlaps. Needs monitor->open. */
enum result judging_backdate(struct judging *judging, struct alert_entry *entry) MUST_USE;
/* Adds the changes of the monitor's open incident to the transaction's changes. */
enum result judging_change_open(struct judging *judging, struct alert_monitor *monitor) MUST_USE;
/* Adds an incident. */
enum result judging_add(struct judging *judging, const struct alert_entry *entry,
			struct incident **incident) MUST_USE;
/* Ends the incident, which is locked. *has_ended: the incident was open. */
enum result judging_end(struct judging *judging, struct incident *before, struct instant ended_at,
			bool *has_ended) MUST_USE;
/* Stores the changes so far, and gives sources and alerts the ids of new incidents. */
enum result judging_store(struct judging *judging) MUST_USE;

/* Ends the incidents whose alerts are all over, at the latest end of their alerts. An incident
 * goes on if another alert of the payload had begun by then. */
enum result alert_end_incidents(struct judging *judging) MUST_USE;

/* Records alerts that are over and whose beginning was never reported. Leaves out an alert if the
 * monitor already had an incident at the alert's start. */
enum result alert_record_old(struct judging *judging) MUST_USE;

/*
 * Handles the incident of a group of alerts. Opens the incident for a new alert, adds the monitors
 * of new alerts, and ends it when all alerts of the group are over. Must run after the sources of
 * the alerts are stored.
 */
enum result alert_group_settle(struct judging *judging, const struct alert_group *group) MUST_USE;

#endif
