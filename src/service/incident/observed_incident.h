/* What single observations and payloads of alerts are judged with, inside their transactions. */
#ifndef SERVICE_INCIDENT_OBSERVED_INCIDENT_H
#define SERVICE_INCIDENT_OBSERVED_INCIDENT_H

#include "domain/observation.h"
#include "service/service.h"

/*
 * Opens an incident, or finds the one that is open. `arena` is for the incidents that are read, as
 * below.
 */
enum result observed_incident_open(struct service *service, const struct observation *observation,
				   struct arena *arena, struct observed *observed) MUST_USE;
/* Backdates the open incident to observation->at, unless an earlier incident overlaps. */
enum result observed_incident_backdate(struct service *service,
				       const struct observation *observation, int64_t incident_id,
				       struct arena *arena) MUST_USE;
/* The monitor's last incident that had started by observation->at. NULL: none. */
enum result observed_incident_find_last(struct service *service,
					const struct observation *observation, struct arena *arena,
					struct incident **last) MUST_USE;
/* Adds an incident that is over already, at observation->ended_at. */
enum result observed_incident_record(struct service *service, const struct observation *observation,
				     struct observed *observed) MUST_USE;
/* Ends the incident at observation->ended_at. */
enum result observed_incident_end(struct service *service, struct incident *incident,
				  const struct observation *observation, struct observed *observed)
	MUST_USE;
/* Counts new incidents against the account's quota; last in the transaction. */
enum result observed_incident_count(struct service *service, int64_t account_id, int64_t count)
	MUST_USE;

#endif
