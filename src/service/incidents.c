#include "service/incidents.h"

#include "service/incident_changes.h"
#include "store/incident.h"

static enum result find_incident(struct service *service, int64_t id, struct incident *incident)
{
	return incident_find(service->db, service->principal.account_id, id, true, service->arena,
			     incident, service->error);
}

static void mark_pages(struct service *service, const struct incident *incident)
{
	if (!incident->is_on_no_page)
		service_mark_monitor(service, incident->monitor_id, incident->account_id);
}

struct updating {
	int64_t id;
	const struct incident_update *update;
	struct incident *incident;
};

static enum result update_work(struct service *service, void *context)
{
	const struct updating *updating = context;
	struct incident before, *incident = updating->incident;
	bool is_comment_new;
	enum result result = find_incident(service, updating->id, &before);
	if (result == OK)
		result = service_admit(service, &before);
	if (result != OK)
		return result;
	*incident = before;
	enum event_kind kind = incident_apply(incident, updating->update, service->now,
					      &is_comment_new, service->violations);
	if (service->violations->count > 0)
		return E_INVALID;
	/* Even if unchanged: the worker that stored this change may have died before publishing. */
	mark_pages(service, incident);
	return kind == EVENT_NONE ? OK
				  : incident_change(service, &before, incident, kind,
						    is_comment_new ? incident->comment : NULL);
}

enum result service_update_incident(struct service *service, int64_t id,
				    const struct incident_update *update, struct incident *incident)
{
	struct updating updating = { id, update, incident };
	return service_transact(service, update_work, &updating, incident);
}

struct resolving {
	const struct incident_resolution *resolution;
	struct incident *incident;
	enum incident_move move;
};

static enum result find_open_incident(struct service *service, int64_t monitor_id,
				      struct incident *incident)
{
	int64_t account_id = service->principal.account_id;
	enum result result = incident_find_open(service->db, monitor_id, service->arena, incident,
						service->error);
	bool is_foreign = account_id > 0 && result == OK && incident->account_id != account_id;
	return is_foreign ? E_NOT_FOUND : result;
}

static enum result resolve_work(struct service *service, void *context)
{
	struct resolving *resolving = context;
	const struct incident_resolution *resolution = resolving->resolution;
	enum result result =
		resolution->monitor_id > 0
			? find_open_incident(service, resolution->monitor_id, resolving->incident)
			: find_incident(service, resolution->incident_id, resolving->incident);
	if (result != OK)
		return result;
	mark_pages(service, resolving->incident);
	return incident_end(service, resolving->incident, resolution->at, service->now,
			    &resolving->move);
}

enum result service_resolve_incident(struct service *service,
				     const struct incident_resolution *resolution,
				     struct incident *incident, bool *is_new)
{
	struct resolving resolving = { resolution, incident, INCIDENT_WAS_SO };
	enum result result = service_transact(service, resolve_work, &resolving, incident);
	*is_new = resolving.move == INCIDENT_MOVED;
	return result;
}

struct deleting {
	int64_t id;
	struct incident *incident;
};

static enum result delete_work(struct service *service, void *context)
{
	const struct deleting *deleting = context;
	enum result result = find_incident(service, deleting->id, deleting->incident);
	if (result == OK)
		result = service_admit(service, deleting->incident);
	if (result != OK)
		return result;
	return incident_remove(service, deleting->incident);
}

enum result service_delete_incident(struct service *service, int64_t id, struct incident *incident)
{
	struct deleting deleting = { id, incident };
	return service_transact(service, delete_work, &deleting, incident);
}
