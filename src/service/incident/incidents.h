/*
 * The operations on incidents. Each runs in one transaction, appends an event, and publishes the
 * pages that show the incident's monitor.
 *
 * An outcome is valid if the result is OK; its texts belong to the service's arena. Every
 * operation may also return the results of service_transact() and db/db.h.
 */
#ifndef SERVICE_INCIDENT_INCIDENTS_H
#define SERVICE_INCIDENT_INCIDENTS_H

#include "domain/incident/incident.h"
#include "service/service.h"

/*
 * Acknowledges an incident, withdraws the acknowledgement, or changes the comment. E_NOT_FOUND;
 * E_INVALID: the state of the incident does not allow the update. An update without a change stores
 * nothing. The response renders the incident with its updates.
 */
enum result service_update_incident(struct service *service, int64_t id,
				    const struct incident_update *update,
				    struct incident_resource *outcome) MUST_USE;

/* The incident to resolve, and the end of its outage. */
struct incident_resolution {
	int64_t incident_id;
	int64_t monitor_id; /* not 0: resolve the open incident of this monitor, and ignore
			       incident_id */
	struct instant at;
};
/* Resolves an incident. E_NOT_FOUND: there is no such incident, or the monitor has no open
 * incident. If the incident was already resolved, it keeps its end, and *is_new is false. */
enum result service_resolve_incident(struct service *service,
				     const struct incident_resolution *resolution,
				     struct incident *incident, bool *is_new) MUST_USE;

/* Deletes an incident; its events stay. E_NOT_FOUND. The response renders the incident. */
enum result service_delete_incident(struct service *service, int64_t id, struct incident *incident)
	MUST_USE;

#endif
