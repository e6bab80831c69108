#include "service/incident/incident_changes.h"

#include "domain/observation.h"
#include "store/incident/incident.h"

void incident_publish(struct service *service, const struct incident *incident)
{
	/* A reported incident may be on pages of many monitors, and of none. */
	if (incident->kind == INCIDENT_REPORTED)
		service_mark_account(service, incident->account_id);
	else if (!incident->is_on_no_page)
		service_mark_monitor(service, incident->monitor_id, incident->account_id);
}

void incident_add_event(struct service *service, const struct incident *incident,
			enum event_kind kind, const char *detail)
{
	incident_publish(service, incident);
	service_add_event(service, &(struct event_change){
					   .kind = kind,
					   .account_id = incident->account_id,
					   .object_id = incident->id,
					   .monitor_id = incident->monitor_id,
					   .detail = detail,
				   });
}

enum result incident_lock(struct service *service, int64_t id, struct incident *incident)
{
	enum result result = service_await_one(service, RUNNING_WRITES_INCIDENTS, id);
	if (result == OK)
		result = incident_find(service->db, service->principal.account_id, id, true,
				       service->arena, incident, service->error);
	if (result != OK)
		return result;
	incident_list_ids(incident, service->arena);
	const struct id_list *monitors = &incident->monitor_ids;
	return service_await(service,
			     &(struct running_writes_rows){ RUNNING_WRITES_MONITORS, monitors->ids,
							    monitors->count });
}

static enum result mark_work(struct service *service, void *context)
{
	return incident_mark_pages(service->db, context, service->now, service->error);
}

/* Marks the pages at the end of the transaction. */
static enum result mark_pages_last(struct service *service, const struct incident *incident)
{
	struct incident *marked = ARENA_NEW(service->arena, struct incident);
	*marked = *incident;
	return service_write_last(service, mark_work, marked);
}

enum result incident_add(struct service *service, struct incident *incident, enum event_kind kind)
{
	enum result result = incident_insert(service->db, incident, service->now, service->error);
	if (result != OK)
		return result;
	incident_add_event(service, incident, kind, incident->cause);
	return mark_pages_last(service, incident);
}

struct saving {
	struct incident before;
	struct incident after;
};

static enum result save_work(struct service *service, void *context)
{
	const struct saving *saving = context;
	return incident_save(service->db, &saving->before, &saving->after, service->error);
}

enum result incident_store(struct service *service, const struct incident *before,
			   struct incident *after)
{
	struct saving *saving = ARENA_NEW(service->arena, struct saving);
	incident_advance(before, after, service->now);
	*saving = (struct saving){ *before, *after };
	return service_write_last(service, save_work, saving);
}

enum result incident_change(struct service *service, const struct incident *before,
			    struct incident *after, enum event_kind kind, const char *detail)
{
	incident_add_event(service, after, kind, detail);
	return incident_store(service, before, after);
}

enum result incident_change_all(struct service *service, const struct incident *before,
				struct incident *after, const struct incident_changes *changes)
{
	const enum event_kind kinds[] = { changes->acknowledgement, changes->end, changes->fields,
					  changes->postmortem };
	const char *comment = changes->is_comment_new ? after->comment : NULL;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (kinds[i] != EVENT_NONE)
			incident_add_event(service, after, kinds[i], i == 0 ? comment : NULL);
	return incident_store(service, before, after);
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
	bool is_reported = incident->kind == INCIDENT_REPORTED;
	enum result result = incident_delete(service->db, incident, service->error);
	if (result != OK)
		return result;
	incident_add_event(service, incident, EVENT_INCIDENT_DELETED,
			   is_reported ? incident->title : incident->cause);
	/* Of a reported one, whose rows name its pages, they are marked already. */
	return is_reported ? OK : mark_pages_last(service, incident);
}
