/*
 * The operations for observations, which come from hooks and from `daymarkctl incident open`. Each
 * operation runs in one transaction, which first locks the monitor. It judges the observation by
 * domain/incident/observation.h, and publishes the pages that show the monitor.
 */
#ifndef SERVICE_INCIDENT_OBSERVATIONS_H
#define SERVICE_INCIDENT_OBSERVATIONS_H

#include "domain/incident/observation.h"
#include "service/service.h"

enum observed_state { OBSERVED_UP, OBSERVED_DOWN };

/*
 * Reports that the monitor is down, or up, since observation->at. E_INVALID, with a violation at
 * `monitor`: monitor_id is 0, because the caller has found no monitor. E_INVALID, with a violation
 * at `at`: the time is more than OBSERVATION_SKEW_S in the future. E_NOT_FOUND: the monitor was
 * removed after the caller had found it. E_QUOTA_EXCEEDED. The response renders *observed.
 */
enum result service_observe(struct service *service, enum observed_state state,
			    const struct observation *observation, struct observed *observed)
	MUST_USE;

/* Finds the monitor's open incident, or opens an incident without judging the observation.
 * E_QUOTA_EXCEEDED. The response renders *observed. */
enum result service_open_incident(struct service *service, const struct observation *observation,
				  struct observed *observed) MUST_USE;

/*
 * A group of alerts that opens one reported incident for all its monitors. Pages show the incidents
 * of these monitors inside the reported incident. The reported incident itself has no impact:
 * otherwise all monitors would count as down until the last monitor recovers.
 */
struct alert_group {
	const char *source; /* identifies the group in all payloads of the account */
	const char *title;  /* public */
};

/* The data of a payload of alerts. */
struct alert_observations {
	int64_t account_id;
	struct alert_observation *rows;
	size_t count;
	size_t alert_count; /* all alerts of the payload, including those without a monitor */
	const struct alert_group *group; /* NULL: the alerts have no common incident */
	struct arena *arena; /* for one attempt of the transaction; reset before each attempt */
};
/*
 * Judges all alerts of a payload at once. One statement handles up to 512 rows of a table. But an
 * alert that began before the newest incident of its monitor needs a separate statement. All alerts
 * of a monitor share one incident, which ends at the latest end of these alerts. A time in the
 * future is replaced by the database's present time.
 *
 * E_QUOTA_EXCEEDED: too many incidents today; the call has ended incidents, but has opened none.
 * The response renders *alerts.
 */
enum result service_observe_alerts(struct service *service, struct alert_observations *alerts)
	MUST_USE;

#endif
