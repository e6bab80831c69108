#include "service/monitors.h"

#include "service/incident_changes.h"
#include "store/incident.h"
#include "store/removal.h"

static void add_event(struct service *service, const struct monitor *monitor, enum event_kind kind,
		      const char *detail)
{
	service_add_event(service, &(struct event_change){
					   .kind = kind,
					   .account_id = monitor->account_id,
					   .object_id = monitor->id,
					   .monitor_id = monitor->id,
					   .detail = detail,
				   });
}

static enum result add_work(struct service *service, void *context)
{
	struct monitor *monitor = context;
	monitor->created_at = monitor->updated_at = service->now;
	enum result result =
		monitor_add(service->db, monitor, service->config->most_monitors, service->error);
	if (result == OK)
		add_event(service, monitor, EVENT_MONITOR_ADDED, monitor->name);
	return result;
}

enum result service_add_monitor(struct service *service, int64_t account_id,
				const struct monitor_input *input, struct monitor *monitor)
{
	struct monitor_input checked = *input;
	monitor_check(&checked, monitor_create_fields, 0, service->now, service->arena,
		      service->violations);
	if (service->violations->count > 0)
		return E_INVALID;
	*monitor = (struct monitor){ .account_id = account_id };
	monitor_merge(monitor, &checked, UINT64_MAX);
	return service_transact(service, add_work, monitor, monitor);
}

/* A change of a monitor that there is. */
struct changing {
	int64_t id;
	struct monitor_input input; /* of an update */
	uint64_t sent;
	struct monitor monitor;
};

static enum result lock_monitor(struct service *service, struct changing *changing)
{
	return monitor_lock(service->db, service->principal.account_id, changing->id,
			    service->arena, &changing->monitor, service->error);
}

/* An event for the name, an event for the label, and an event for all other fields. */
static void add_update_events(struct service *service, const struct changing *changing)
{
	const uint64_t name = FIELD_BIT(MONITOR_FIELD_name), label = FIELD_BIT(MONITOR_FIELD_label);
	const struct monitor *monitor = &changing->monitor;
	if (changing->sent & name)
		add_event(service, monitor, EVENT_MONITOR_RENAMED, monitor->name);
	if (changing->sent & label)
		add_event(service, monitor, EVENT_MONITOR_LABELLED, monitor->label);
	if (changing->sent & ~(name | label))
		add_event(service, monitor, EVENT_MONITOR_UPDATED, monitor->name);
}

static enum result update_work(struct service *service, void *context)
{
	struct changing *changing = context;
	bool is_on_page = fields_on_page(monitor_update_fields, changing->sent) != 0;
	enum result result = lock_monitor(service, changing);
	if (result != OK || changing->sent == 0)
		return result;
	monitor_merge(&changing->monitor, &changing->input, changing->sent);
	changing->monitor.updated_at = service->now;
	result = monitor_update(service->db, &changing->monitor, is_on_page, service->error);
	if (result != OK)
		return result;
	if (is_on_page)
		service_mark_monitor(service, changing->id, changing->monitor.account_id);
	add_update_events(service, changing);
	return OK;
}

enum result service_update_monitor(struct service *service, int64_t id,
				   const struct monitor_input *input, uint64_t sent,
				   struct monitor *monitor)
{
	struct changing changing = { .id = id, .input = *input, .sent = sent };
	monitor_check(&changing.input, monitor_update_fields, sent, service->now, service->arena,
		      service->violations);
	if (service->violations->count > 0)
		return E_INVALID;
	enum result result = service_transact(service, update_work, &changing, &changing.monitor);
	*monitor = changing.monitor;
	return result;
}

static enum result end_open_incident(struct service *service, int64_t monitor_id)
{
	struct incident open;
	enum incident_move move;
	enum result result =
		incident_find_open(service->db, monitor_id, service->arena, &open, service->error);
	if (result != OK)
		return result == E_NOT_FOUND ? OK : result;
	return incident_end(service, &open, service->now, service->now, &move);
}

static enum result retire_work(struct service *service, void *context)
{
	struct changing *changing = context;
	enum result result = lock_monitor(service, changing);
	if (result == OK)
		result = end_open_incident(service, changing->id);
	if (result == OK)
		result = monitor_retire(service->db, changing->id, service->now, service->error);
	if (result != OK)
		return result;
	service_mark_account(service, changing->monitor.account_id);
	add_event(service, &changing->monitor, EVENT_MONITOR_RETIRED, changing->monitor.name);
	return OK;
}

enum result service_retire_monitor(struct service *service, int64_t id)
{
	struct changing changing = { .id = id };
	return service_transact(service, retire_work, &changing, &changing.monitor);
}

/* Adds the event of a removal once: an interrupted removal is repeated. */
static enum result add_removal_event(struct service *service, const struct monitor *monitor)
{
	const struct event_query query = {
		.account_id = monitor->account_id,
		.kind = event_kind_word(EVENT_MONITOR_REMOVED),
		.object = event_object_words[EVENT_OF_MONITOR],
		.object_id = monitor->id,
	};
	int64_t total = 0;
	enum result result =
		event_count(service->db, &query, service->arena, &total, service->error);
	if (result == OK && total == 0)
		add_event(service, monitor, EVENT_MONITOR_REMOVED, monitor->name);
	return result;
}

static enum result detach_work(struct service *service, void *context)
{
	struct changing *changing = context;
	enum result result = lock_monitor(service, changing);
	if (result == OK)
		result = monitor_detach(service->db, changing->id, service->now, service->error);
	if (result == OK)
		result = add_removal_event(service, &changing->monitor);
	/* A monitor that is on no page no longer tells which pages showed it. */
	if (result == OK)
		service_mark_account(service, changing->monitor.account_id);
	return result;
}

/* Some incidents of a monitor that is on no page. */
struct deleting {
	int64_t monitor_id;
	int64_t count;
};

static enum result delete_work(struct db *db, void *context, struct error *error)
{
	enum { ARENA_BYTES = 4 << 20 };
	struct deleting *deleting = context;
	struct arena arena CLEANUP(arena_done);
	arena_init(&arena, ARENA_BYTES);
	return removal_incidents_some(db, deleting->monitor_id, &arena, &deleting->count, error);
}

enum result service_remove_monitor(struct service *service, int64_t id)
{
	struct changing changing = { .id = id };
	struct deleting deleting = { .monitor_id = id };
	enum result result = service_transact(service, detach_work, &changing, &changing.monitor);
	if (result != OK)
		return result;
	do
		result = db_transact(service->db, DB_WRITE, delete_work, &deleting, service->error);
	while (result == OK && deleting.count > 0);
	if (result == OK)
		result = monitor_remove(service->db, id, service->error);
	if (result == OK)
		return OK;
	return error_client(service->error, E_FAILED,
			    "The monitor is on no page any more, but not all of its incidents are "
			    "deleted. Run the command again.");
}
