#include "service/monitors.h"

#include "domain/monitor.h"
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

enum result service_add_monitor(struct service *service, struct monitor *monitor)
{
	struct violations *violations = service->violations;
	monitor->name = monitor_name(service->arena, monitor->name);
	if (!monitor->name)
		violations_add(violations, "name", "The name field must have 1 to %d characters.",
			       MONITOR_NAME_MAX_CHARS);
	if (!monitor_url_is_valid(monitor->url))
		violations_add(violations, "url",
			       "The url field must be an absolute http or https URL.");
	if (monitor->known_since.s > service->now.s)
		violations_add(violations, "known_since",
			       "The known_since field must not be in the future.");
	return violations->count > 0 ? E_INVALID
				     : service_transact(service, add_work, monitor, monitor);
}

/* A change of a monitor that there is. */
struct changing {
	int64_t id;
	const char *text; /* the new name, or label */
	struct monitor monitor;
};

static enum result lock_monitor(struct service *service, struct changing *changing)
{
	return monitor_lock(service->db, service->principal.account_id, changing->id,
			    service->arena, &changing->monitor, service->error);
}

static enum result rename_work(struct service *service, void *context)
{
	struct changing *changing = context;
	enum result result = lock_monitor(service, changing);
	if (result == OK)
		result = monitor_rename(service->db, changing->id, changing->text, service->now,
					service->error);
	if (result != OK)
		return result;
	service_mark_monitor(service, changing->id, changing->monitor.account_id);
	add_event(service, &changing->monitor, EVENT_MONITOR_RENAMED, changing->text);
	return OK;
}

enum result service_rename_monitor(struct service *service, int64_t id, const char *name)
{
	struct changing changing = { .id = id, .text = monitor_name(service->arena, name) };
	if (changing.text)
		return service_transact(service, rename_work, &changing, &changing.monitor);
	violations_add(service->violations, "name", "The name field must have 1 to %d characters.",
		       MONITOR_NAME_MAX_CHARS);
	return E_INVALID;
}

static enum result label_work(struct service *service, void *context)
{
	struct changing *changing = context;
	enum result result = lock_monitor(service, changing);
	if (result == OK)
		result = monitor_set_label(service->db, changing->id, changing->text, service->now,
					   service->error);
	if (result == OK)
		add_event(service, &changing->monitor, EVENT_MONITOR_LABELLED, changing->text);
	return result;
}

enum result service_label_monitor(struct service *service, int64_t id, const char *label)
{
	struct changing changing = { .id = id };
	changing.text = label ? monitor_label(service->arena, label) : NULL;
	if (!label || changing.text)
		return service_transact(service, label_work, &changing, &changing.monitor);
	violations_add(service->violations, "label", "The label field must be NAME=VALUE.");
	return E_INVALID;
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
