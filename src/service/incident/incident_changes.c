#include "service/incident/incident_changes.h"

#include "domain/incident/observation.h"
#include "store/account/usage.h"
#include "store/incident/incident.h"

void incident_publish(struct service *service, const struct incident *incident)
{
	/* A reported incident may be on the pages of many monitors, or on pages without any of its
	 * monitors. */
	if (incident->kind == INCIDENT_REPORTED)
		service_mark_account(service, incident->account_id);
	else if (!incident->is_on_no_page)
		service_mark_monitor(service, incident->monitor_id, incident->account_id);
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

static void add_events(struct service *service, const struct incident_change *change)
{
	const struct incident *incident = change->after ? change->after : change->before;
	for (size_t i = 0; i < INCIDENT_WHY_MAX; i++)
		if (change->why[i].kind != EVENT_NONE)
			service_add_event(service, &(struct event_change){
							   .kind = change->why[i].kind,
							   .account_id = incident->account_id,
							   .object_id = incident->id,
							   .monitor_id = incident->monitor_id,
							   .detail = change->why[i].detail,
							   .update_id = change->why[i].update_id,
						   });
}

static enum result write_work(struct service *service, void *context)
{
	(void)context;
	struct incident_set *set = service->incidents;
	service->incidents = NULL;
	return incident_write_all(set);
}

/* Begins the set of incident changes, unless this transaction already has one. */
static enum result begin_set(struct service *service, int64_t account_id)
{
	if (service->incidents)
		return OK;
	service->incidents = ARENA_NEW(service->arena, struct incident_set);
	*service->incidents = (struct incident_set){ .db = service->db,
						     .account_id = account_id,
						     .now = service->now,
						     .error = service->error };
	return service_write_last(service, write_work, NULL);
}

/* Sets the members that every change sets, such as the revision. */
static void stamp(const struct incident *before, struct incident *after, struct instant now)
{
	after->updated_at = now;
	after->revision = before ? before->revision + 1 : 1;
	if (before)
		return;
	after->created_at = now;
	incident_settle(after);
	if (after->kind == INCIDENT_REPORTED && after->monitor_count > 0) {
		after->monitor_id = after->monitors[0].id;
		after->monitor_name = after->monitors[0].name;
	}
}

enum result incident_changes_put(struct service *service, const struct incident_change *change)
{
	const struct incident *incident = change->after ? change->after : change->before;
	enum result result = begin_set(service, incident->account_id);
	if (result != OK)
		return result;
	struct incident_set *set = service->incidents;
	set->rows =
		arena_grow(service->arena, set->rows, set->count, &set->room, sizeof(*set->rows));
	set->rows[set->count++] = *change;
	if (change->after)
		stamp(change->before, change->after, service->now);
	incident_publish(service, incident);
	/* Add the events of a new incident later: they need its id. */
	if (change->before)
		add_events(service, change);
	return OK;
}

enum result incident_changes_store(struct service *service)
{
	struct incident_set *set = service->incidents;
	if (!set || set->stored == set->count)
		return OK;
	const size_t from = set->stored;
	enum result result = incident_write_rows(set);
	for (size_t i = from; result == OK && i < set->count; i++)
		if (!set->rows[i].before)
			add_events(service, &set->rows[i]);
	return result;
}

/* If the set already has a change of the incident, stores the set first, because one statement can
 * change an incident only once. */
static enum result store_earlier(struct service *service, int64_t id)
{
	const struct incident_set *set = service->incidents;
	for (size_t i = set ? set->stored : 0; set && i < set->count; i++) {
		const struct incident_change *change = &set->rows[i];
		if (change->after && change->after->id == id)
			return incident_changes_store(service);
	}
	return OK;
}

static struct incident *kept(struct service *service, const struct incident *incident)
{
	struct incident *copy = ARENA_NEW(service->arena, struct incident);
	*copy = *incident;
	return copy;
}

enum result incident_add(struct service *service, struct incident *incident, enum event_kind kind)
{
	const char *detail = incident->kind == INCIDENT_REPORTED ? incident->title
								 : incident->cause;
	struct incident *after = kept(service, incident);
	enum result result = incident_changes_put(
		service, &(struct incident_change){ .after = after, .why = { { kind, detail } } });
	if (result == OK)
		result = incident_changes_store(service);
	*incident = *after;
	return result;
}

enum result incident_change_all(struct service *service, const struct incident *before,
				struct incident *after,
				const struct incident_why why[INCIDENT_WHY_MAX])
{
	struct incident_change change = { .before = kept(service, before),
					  .after = kept(service, after) };
	for (size_t i = 0; i < INCIDENT_WHY_MAX; i++)
		change.why[i] = why[i];
	enum result result = store_earlier(service, before->id);
	if (result == OK)
		result = incident_changes_put(service, &change);
	*after = *change.after;
	return result;
}

enum result incident_change(struct service *service, const struct incident *before,
			    struct incident *after, enum event_kind kind, const char *detail)
{
	const struct incident_why why[INCIDENT_WHY_MAX] = { { kind, detail } };
	return incident_change_all(service, before, after, why);
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
	const char *detail = incident->kind == INCIDENT_REPORTED ? incident->title
								 : incident->cause;
	const struct incident_change change = { .before = kept(service, incident),
						.why = { { EVENT_INCIDENT_DELETED, detail } } };
	enum result result = store_earlier(service, incident->id);
	return result == OK ? incident_changes_put(service, &change) : result;
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

enum result incident_count_additions(struct service *service, int64_t account_id, int64_t count)
{
	struct counting *counting;
	if (count == 0)
		return OK;
	counting = ARENA_NEW(service->arena, struct counting);
	*counting = (struct counting){ account_id, count };
	/* Count at the end of the transaction: from this statement until COMMIT, other writes that
	 * open incidents in the account must wait. */
	return service_write_last(service, count_work, counting);
}
