/* What single observations and payloads of alerts are judged with, inside their transactions. */
#ifndef SERVICE_OBSERVING_H
#define SERVICE_OBSERVING_H

#include "domain/observation.h"
#include "service/service.h"

/*
 * Opens an incident, or finds the one that is open. `arena` is for the incidents that are read, as
 * below.
 */
enum result observing_open(struct service *service, const struct observation *observation,
			   struct arena *arena, struct observed *observed) MUST_USE;
/* Backdates the open incident to observation->at, unless an earlier incident overlaps. */
enum result observing_backdate(struct service *service, const struct observation *observation,
			       int64_t incident_id, struct arena *arena) MUST_USE;
/* The monitor's last incident that had started by observation->at. NULL: none. */
enum result observing_find_last(struct service *service, const struct observation *observation,
				struct arena *arena, struct incident **last) MUST_USE;
/* Adds an incident that is over already, at observation->ended_at. */
enum result observing_record(struct service *service, const struct observation *observation,
			     struct observed *observed) MUST_USE;
/* Ends the incident at observation->ended_at. */
enum result observing_end(struct service *service, struct incident *incident,
			  const struct observation *observation, struct observed *observed)
	MUST_USE;
/* Counts new incidents against the account's quota; last in the transaction. */
enum result observing_count(struct service *service, int64_t account_id, int64_t count) MUST_USE;

#endif
