/*
 * Decides in a transaction which incidents a payload of alerts opens, changes and ends: see
 * service/incident/observations.h. A single observation is a payload of one alert without a source.
 */
#ifndef SERVICE_INCIDENT_ALERT_JUDGING_H
#define SERVICE_INCIDENT_ALERT_JUDGING_H

#include "service/incident/observations.h"
#include "service/service.h"
#include "store/incident/alert_batch.h"

struct judging {
	struct alert_batch batch;
	struct service *service;
	bool adds_nothing;    /* the quota is used up, so no incidents are opened or recorded */
	int64_t groups_added; /* how many incidents of groups were opened; they count against the
				 quota */
};

static inline bool alert_is_over(const struct alert_entry *entry)
{
	return entry->alert->observation.ended_at.s > 0;
}

/* Stores that the alert belongs to the incident with this id. */
void alert_set_incident(struct alert_entry *entry, int64_t incident_id);
/* Stores that the alert belongs to a new incident of this payload, which has no id yet. */
void alert_set_added(struct alert_entry *entry, const struct incident *incident);

/* Locks the monitors, and makes the entries of the alerts. */
enum result judging_begin(struct judging *judging, struct alert_observation *alerts, size_t count)
	MUST_USE;
/* Moves the start of the monitor's open incident (monitor->open) back to the observation's time.
 * Does nothing if the incident would overlap a former incident. */
enum result judging_backdate(struct judging *judging, struct alert_entry *entry) MUST_USE;
/* Adds the changes of the monitor's open incident to the transaction's changes. */
enum result judging_change_open(struct judging *judging, struct alert_monitor *monitor) MUST_USE;
/* Adds a new incident for the alert, and sets *incident to it. */
enum result judging_add(struct judging *judging, const struct alert_entry *entry,
			struct incident **incident) MUST_USE;
/* Ends the incident, which is locked. Sets *has_ended if the incident was open. */
enum result judging_end(struct judging *judging, struct incident *before, struct instant ended_at,
			bool *has_ended) MUST_USE;
/* Stores the changes so far, and copies the ids of new incidents to sources and alerts. */
enum result judging_store(struct judging *judging) MUST_USE;

/* Ends each incident whose alerts are all over, at the time when the last of them ended. An
 * incident stays open if the payload has a new alert that began at or before this time. */
enum result alert_end_incidents(struct judging *judging) MUST_USE;

/* Handles alerts that are already over when they are first reported. Adds such an alert to the
 * incident that the monitor had at the alert's start; if there was none, adds an ended incident. */
enum result alert_record_old(struct judging *judging) MUST_USE;

/*
 * Handles the incident of a group of alerts: opens it for a new alert, adds the monitors of new
 * alerts to it, and ends it if all alerts of the group are over. Call it after the sources of the
 * alerts were stored.
 */
enum result alert_group_settle(struct judging *judging, const struct alert_group *group) MUST_USE;

#endif
