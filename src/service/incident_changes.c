#include "service/incident_changes.h"

#include "domain/observation.h"
#include "store/incident.h"

static void add_event(struct service *service, const struct incident *incident,
		      enum event_kind kind, const char *detail)
{
	service_mark_monitor(service, incident->monitor_id, incident->account_id);
	service_add_event(service, &(struct event_change){
					   .kind = kind,
					   .account_id = incident->account_id,
					   .object_id = incident->id,
					   .monitor_id = incident->monitor_id,
					   .detail = detail,
				   });
}

enum result incident_add(struct service *service, struct incident *incident, enum event_kind kind)
{
	enum result result = incident_insert(service->db, incident, service->now, service->error);
	if (result == OK)
		add_event(service, incident, kind, incident->cause);
	return result;
}

enum result incident_change(struct service *service, const struct incident *before,
			    struct incident *after, enum event_kind kind, const char *detail)
{
	enum result result =
		incident_save(service->db, before, after, service->now, service->error);
	if (result == OK)
		add_event(service, after, kind, detail);
	return result;
}

enum result incident_end(struct service *service, struct incident *incident, struct instant at,
			 struct instant now, enum incident_move *move)
{
	struct incident before = *incident;
	*move = observation_end(incident, at, now);
	return *move == INCIDENT_MOVED
		       ? incident_change(service, &before, incident, EVENT_INCIDENT_RESOLVED, NULL)
		       : OK;
}

enum result incident_remove(struct service *service, const struct incident *incident)
{
	enum result result = incident_delete(service->db, incident, service->now, service->error);
	if (result == OK)
		add_event(service, incident, EVENT_INCIDENT_DELETED, incident->cause);
	return result;
}
