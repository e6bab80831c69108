/*
 * What monitoring observes: the operations behind the hooks, and behind `incident open`. Each
 * runs in one transaction that has not read before, locks the monitor, judges by
 * domain/observation.h, and publishes the pages that show the monitor.
 */
#ifndef SERVICE_INCIDENT_OBSERVATIONS_H
#define SERVICE_INCIDENT_OBSERVATIONS_H

#include "domain/observation.h"
#include "service/service.h"

enum observed_state { OBSERVED_UP, OBSERVED_DOWN };

/*
 * The monitor is down, or up, since observation->at. E_INVALID: monitor_id is 0, for a monitor
 * that was not found, or `at` is further in the future than clocks differ (violations at `monitor`
 * and `at`). E_NOT_FOUND: the monitor was removed meanwhile. E_QUOTA_EXCEEDED. Outcome for
 * rendering: `observed`.
 */
enum result service_observe(struct service *service, enum observed_state state,
			    const struct observation *observation, struct observed *observed)
	MUST_USE;

/*
 * Opens an incident without judging, or finds the one that is open already. E_QUOTA_EXCEEDED.
 * Outcome for rendering: `observed`.
 */
enum result service_open_incident(struct service *service, const struct observation *observation,
				  struct observed *observed) MUST_USE;

/*
 * A group of alerts that makes one reported incident, which covers the group's monitors: pages show
 * the incidents of these monitors inside it. It has no impact of its own, so that a monitor that
 * recovers first does not count as down until the last one does.
 */
struct alert_group {
	const char *source; /* names the group from one payload to the next; of the account */
	const char *title;  /* public */
};

/* What a payload of alerts says. */
struct alert_observations {
	int64_t account_id;
	struct alert_observation *rows;
	size_t count;
	size_t alert_count;		 /* of the payload: alerts without a monitor, too */
	const struct alert_group *group; /* NULL: no incident of the whole group */
	struct arena *arena;		 /* of one try of the transaction; emptied before it */
};
/*
 * Judges all alerts of a payload at once, by statements of up to 512 rows of each table. A
 * statement of its own takes only what began before the newest incident of its monitor. Alerts of a
 * monitor share its incident, which ends with the last of them, at the latest of their ends. Times
 * beyond the database's clock count as now.
 *
 * E_QUOTA_EXCEEDED: too many incidents today; then incidents are ended all the same, and only
 * new ones are held back. Outcome for rendering: `alerts`.
 */
enum result service_observe_alerts(struct service *service, struct alert_observations *alerts)
	MUST_USE;

#endif
