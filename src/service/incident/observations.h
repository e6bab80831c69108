/*
 * The operations for observations: for the hooks and for `incident open`. Each runs in a
 * transaction that has read nothing before. It locks the monitor, judges by
 * domain/incident/observation.h, and publishes the pages that show the monitor.
 */
#ifndef SERVICE_INCIDENT_OBSERVATIONS_H
#define SERVICE_INCIDENT_OBSERVATIONS_H

#include "domain/incident/observation.h"
#include "service/service.h"

enum observed_state { OBSERVED_UP, OBSERVED_DOWN };

/*
 * Reports that the monitor is down, or up, since observation->at. E_INVALID, with a violation at
 * `monitor`: monitor_id is 0, since no monitor was found. E_INVALID, with a violation at `at`: the
 * time is further in the future than clocks may differ. E_NOT_FOUND: the monitor was removed before
 * the lock. E_QUOTA_EXCEEDED. Outcome for rendering: `observed`.
 */
enum result service_observe(struct service *service, enum observed_state state,
			    const struct observation *observation, struct observed *observed)
	MUST_USE;

/* Opens an incident without judging, or finds the open one. E_QUOTA_EXCEEDED. Outcome for
 * rendering: `observed`. */
enum result service_open_incident(struct service *service, const struct observation *observation,
				  struct observed *observed) MUST_USE;

/*
 * A group of alerts that makes one reported incident for all monitors of the group. Pages show the
 * incidents of these monitors inside it. The reported incident itself has no impact: otherwise a
 * monitor that recovers first would count as down until the last one recovers.
 */
struct alert_group {
	const char *source; /* identifies the group in the account, in all payloads */
	const char *title;  /* public */
};

/* The data of a payload of alerts. */
struct alert_observations {
	int64_t account_id;
	struct alert_observation *rows;
	size_t count;
	size_t alert_count; /* all alerts of the payload, including those without a monitor */
	const struct alert_group *group; /* NULL: the group has no common incident */
	struct arena *arena; /* for one try of the transaction; emptied before each try */
};
/*
 * Judges all alerts of a payload at once, by statements for up to 512 rows of each table. Only an
 * alert that began before the newest incident of its monitor takes a separate statement. All alerts
 * of a monitor share one incident, which ends at the latest of their ends. Times beyond the
 * database's clock count as now.
 *
 * E_QUOTA_EXCEEDED: too many incidents today. Then no incidents are opened, but open ones still
 * end. Outcome for rendering: `alerts`.
 */
enum result service_observe_alerts(struct service *service, struct alert_observations *alerts)
	MUST_USE;

#endif
