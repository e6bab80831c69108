#include "service/incident_changes.h"

#include "domain/report_time.h"
#include "store/incident.h"

enum result incident_change(struct service *service, const struct incident *before,
			    struct incident *after, enum event_kind kind, const char *detail)
{
	const struct principal *principal = &service->principal;
	struct incident_actor actor = {
		principal_text(principal_type_word(principal->type), principal->id,
			       principal->label, service->arena),
		service->now,
	};
	return incident_save(service->db, before, after, &actor,
			     event_action(event_kind_word(kind)), detail, service->error);
}

enum result incident_end(struct service *service, struct incident *incident, struct instant at,
			 struct instant now, enum incident_move *move)
{
	struct incident before = *incident;
	*move = report_end(incident, at, now);
	return *move == INCIDENT_MOVED
		       ? incident_change(service, &before, incident, EVENT_INCIDENT_RESOLVED, NULL)
		       : OK;
}
