#include "service/incident/observed_incident.h"

#include "service/incident/incident_changes.h"
#include "store/account/usage.h"
#include "store/incident/incident.h"

static enum result find_open(struct service *service, const struct observation *observation,
			     struct arena *arena, struct observed *observed)
{
	struct incident open;
	*service->error = (struct error){ 0 };
	enum result result = incident_find_open(service->db, observation->monitor_id, arena, &open,
						service->error);
	*observed = (struct observed){ OBSERVATION_UNCHANGED, result == OK ? open.id : 0,
				       observation->monitor_id };
	/* It ended between the two statements: begin again. */
	return result == E_NOT_FOUND
		       ? error_log(service->error, E_RETRY, "the open incident ended meanwhile")
		       : result;
}

enum result observed_incident_open(struct service *service, const struct observation *observation,
				   struct arena *arena, struct observed *observed)
{
	struct incident incident = observation_incident(observation);
	enum result result = incident_add(service, &incident, EVENT_INCIDENT_OPENED);
	if (result == E_CONFLICT)
		return find_open(service, observation, arena, observed);
	*observed = (struct observed){ OBSERVATION_OPENED, incident.id, observation->monitor_id };
	return result;
}

enum result observed_incident_backdate(struct service *service,
				       const struct observation *observation, int64_t incident_id,
				       struct arena *arena)
{
	struct incident open, former;
	enum result result = incident_find(service->db, observation->account_id, incident_id, true,
					   arena, &open, service->error);
	/* Deleted meanwhile: nothing is left to backdate. */
	if (result != OK || observation->at.s >= open.started_at.s)
		return result == E_NOT_FOUND ? OK : result;
	struct instant before = { open.started_at.s - 1 };
	result = incident_find_last(service->db, open.monitor_id, before, arena, &former,
				    service->error);
	if (result != OK && result != E_NOT_FOUND)
		return result;
	if (!observation_backdates(&open, result == OK ? &former : NULL, observation->at))
		return OK;
	struct incident after = open;
	after.started_at = observation->at;
	return incident_change(service, &open, &after, EVENT_INCIDENT_BACKDATED, NULL);
}

enum result observed_incident_find_last(struct service *service,
					const struct observation *observation, struct arena *arena,
					struct incident **last)
{
	struct incident *found = ARENA_NEW(arena, struct incident);
	enum result result = incident_find_last(service->db, observation->monitor_id,
						observation->at, arena, found, service->error);
	*last = result == OK ? found : NULL;
	return result == E_NOT_FOUND ? OK : result;
}

enum result observed_incident_record(struct service *service, const struct observation *observation,
				     struct observed *observed)
{
	struct incident incident = observation_incident(observation);
	enum result result = incident_add(service, &incident, EVENT_INCIDENT_RECORDED);
	*observed = (struct observed){ OBSERVATION_RECORDED, incident.id, observation->monitor_id };
	return result;
}

enum result observed_incident_end(struct service *service, struct incident *incident,
				  const struct observation *observation, struct observed *observed)
{
	enum incident_move move;
	enum result result =
		incident_end(service, incident, observation->ended_at, observation->now, &move);
	observed->incident_id = incident->id;
	if (move == INCIDENT_MOVED)
		observed->outcome = OBSERVATION_RESOLVED;
	return result;
}

struct counting {
	int64_t account_id;
	int64_t count;
};

static enum result count_work(struct service *service, void *context)
{
	const struct counting *counting = context;
	return usage_count_incidents(service->db, counting->account_id, counting->count,
				     service->config->most_incidents_per_day, service->error);
}

enum result observed_incident_count(struct service *service, int64_t account_id, int64_t count)
{
	struct counting *counting;
	if (count == 0)
		return OK;
	counting = ARENA_NEW(service->arena, struct counting);
	*counting = (struct counting){ account_id, count };
	/* What opens incidents in the account waits from this statement to COMMIT. */
	return service_write_last(service, count_work, counting);
}
