/*
 * The operations on incidents. Each runs in one transaction, appends an event, and publishes the
 * pages that show the incident's monitor.
 *
 * An outcome is valid when the result is OK; its texts belong to the service's arena.
 * Every operation may also return what service_transact() and db/db.h say.
 */
#ifndef SERVICE_INCIDENT_INCIDENTS_H
#define SERVICE_INCIDENT_INCIDENTS_H

#include "domain/incident.h"
#include "service/service.h"

/*
 * Acknowledges an incident, withdraws the acknowledgement, changes the comment. E_NOT_FOUND;
 * E_INVALID: the state of the incident does not allow it. An update that changes nothing
 * stores nothing. Outcome for rendering: the incident with its updates.
 */
enum result service_update_incident(struct service *service, int64_t id,
				    const struct incident_update *update,
				    struct incident_resource *outcome) MUST_USE;

/* What to resolve, and since when the outage is over. */
struct incident_resolution {
	int64_t incident_id;
	int64_t monitor_id; /* not 0: the open incident of this monitor instead */
	struct instant at;
};
/*
 * E_NOT_FOUND: no such incident, or none is open. A resolved incident keeps its end; then
 * *is_new is false.
 */
enum result service_resolve_incident(struct service *service,
				     const struct incident_resolution *resolution,
				     struct incident *incident, bool *is_new) MUST_USE;

/* Deletes an incident; its events stay. E_NOT_FOUND. Outcome for rendering: the incident. */
enum result service_delete_incident(struct service *service, int64_t id, struct incident *incident)
	MUST_USE;

#endif
