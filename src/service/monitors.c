#include "service/monitors.h"

#include "base/clock.h"
#include "service/incident/incident_changes.h"
#include "service/monitor_changes.h"
#include "store/account/removal.h"
#include "store/check/check_settings_store.h"
#include "store/check/monitor_gaps.h"
#include "store/incident/incident.h"

void monitor_change_add_event(struct service *service, const struct monitor *monitor,
			      enum event_kind kind, const char *detail)
{
	service_add_event(service, &(struct event_change){
					   .kind = kind,
					   .account_id = monitor->account_id,
					   .object_id = monitor->id,
					   .monitor_id = monitor->id,
					   .detail = detail,
				   });
}

/* Returns `result`. Adds a violation if a quota is used up, or another monitor has the label. */
static enum result add_violation(struct service *service, enum result result)
{
	if (result == E_CONFLICT)
		violations_add(service->violations, "label", "The label has already been taken.");
	if (result == E_QUOTA_EXCEEDED)
		violations_add(service->violations, "monitors", "%s", service->error->client);
	return result;
}

enum result monitor_change_channels(struct service *service, const struct monitor_channels *links)
{
	enum result result =
		monitor_channels_put(service->db, links, service->arena, service->error);
	if (result != E_NOT_FOUND)
		return result;
	violations_add(
		service->violations, "alert_channel_ids",
		"The alert channel ids field must have ids of alert channels of the account.");
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

/*
 * For a monitor that Daymark no longer checks: ends its open gap, and the outage that the checks
 * have found, because no later check will end them. If a monitor is only paused, the checker ends
 * them.
 */
static enum result end_checks(struct service *service, struct monitor *monitor)
{
	bool had_outage = false;
	enum result result =
		monitor_gaps_end(service->db, monitor->id, service->now, service->error);
	if (result == OK)
		result = check_outage_forget(service->db, monitor->id, service->now, &had_outage,
					     service->error);
	if (result != OK || !had_outage)
		return result;
	monitor->open_since.s = 0;
	monitor->last_ended_at = service->now;
	monitor_derive_state(monitor);
	return end_open_incident(service, monitor->id);
}

/* Stores the settings of the checks, the alert channels, and the maintenance window of the
 * input. */
static enum result store_beside(struct service *service, struct monitor *monitor,
				const struct monitor_change *change)
{
	bool has_changed = monitor_has_check_fields(change->changed);
	enum result result = has_changed ? check_settings_put(service->db, monitor, service->arena,
							      service->error)
					 : OK;
	if (result == OK && monitor->type == CHECK_EXTERNAL &&
	    field_set_has(change->changed, MONITOR_FIELD_type))
		result = end_checks(service, monitor);
	if (result == OK)
		result = monitor_check_dependency(service, monitor, change->changed);
	if (result == OK && field_set_has(change->changed, MONITOR_FIELD_alert_channel_ids))
		result = monitor_change_channels(service,
						 &(struct monitor_channels){
							 .monitors = { &monitor->id, 1 },
							 .channels = monitor->alert_channel_ids,
						 });
	return result == OK ? monitor_add_window(service, monitor, change->input, change->sent)
			    : result;
}

enum result monitor_change_add(struct service *service, struct monitor *monitor,
			       const struct monitor_change *change, int64_t most)
{
	monitor_merge(monitor, change->input, change->sent);
	monitor_settle_pause(monitor, service->now);
	monitor_derive_state(monitor);
	enum result result = monitor_add(service->db, monitor, most, service->error);
	if (result == OK)
		monitor_change_add_event(service, monitor, EVENT_MONITOR_CREATED, monitor->name);
	result = add_violation(service, result);
	return result == OK ? store_beside(service, monitor, change) : result;
}

/* A new monitor. */
struct adding {
	int64_t account_id;
	struct monitor_input input;
	struct field_set sent;
	struct monitor *monitor;
};

static enum result add_work(struct service *service, void *context)
{
	const struct adding *adding = context;
	struct monitor_input input = adding->input;
	const struct monitor before = monitor_new(adding->account_id, service->now);
	struct monitor_change change = { .before = &before, .input = &input, .sent = adding->sent };
	*adding->monitor = before;
	enum result result = monitor_settle_change(service, &change);
	if (result == OK)
		result = monitor_refuse_change(service, &change);
	if (result == OK)
		result = monitor_change_add(service, adding->monitor, &change,
					    service->config->most_monitors);
	return result == OK ? monitors_present(service, adding->monitor, 1) : result;
}

enum result service_add_monitor(struct service *service, int64_t account_id,
				const struct monitor_input *input, struct field_set sent,
				struct monitor *monitor)
{
	struct adding adding = { account_id, *input, sent, monitor };
	monitor_check(&adding.input, monitor_create_fields, sent, service->now, service->arena,
		      service->violations);
	enum result result = service_admit(service, NULL);
	return result == OK ? service_transact(service, PERMISSION_EDIT, add_work, &adding, monitor)
			    : result;
}

/* A change of an existing monitor. */
struct changing {
	int64_t id;
	struct monitor_input input; /* for an update */
	struct field_set sent;
	struct monitor monitor;
	struct monitor_deletion deletion; /* for a removal */
};

/* Locks the monitor, reads it with its counts and its state, and calls service_admit() for it. */
static enum result find_monitor(struct service *service, struct changing *changing)
{
	int64_t account_id = service->principal.account_id;
	enum result result = service_await_one(service, RUNNING_WRITES_MONITORS, changing->id);
	if (result == OK)
		result = monitor_lock(service->db, account_id, changing->id, service->arena,
				      &changing->monitor, service->error);
	if (result == OK)
		result = monitor_find(service->db, account_id, changing->id, service->now,
				      service->arena, &changing->monitor, service->error);
	/* Set heartbeat_url, because the client may send it back as it read it. */
	if (result == OK)
		result = monitors_set_heartbeat_urls(service, &changing->monitor, 1);
	return result == OK ? service_admit(service, &changing->monitor) : result;
}

/* Whether the client has sent a field that clients may set. */
static bool changes_monitor(struct field_set sent)
{
	for (size_t i = 0; i < monitor_update_fields.count; i++)
		if (field_set_has(sent, i) &&
		    !(monitor_update_fields.rows[i].flags & FIELD_READ_ONLY))
			return true;
	return false;
}

/* Adds an event for the name, an event for the label, and an event for all other changed fields. */
static void add_update_events(struct service *service, const struct monitor *monitor,
			      struct field_set sent)
{
	if (field_set_has(sent, MONITOR_FIELD_name))
		monitor_change_add_event(service, monitor, EVENT_MONITOR_RENAMED, monitor->name);
	if (field_set_has(sent, MONITOR_FIELD_label))
		monitor_change_add_event(service, monitor, EVENT_MONITOR_LABELLED, monitor->label);
	field_set_remove(&sent, MONITOR_FIELD_name);
	field_set_remove(&sent, MONITOR_FIELD_label);
	if (changes_monitor(sent))
		monitor_change_add_event(service, monitor, EVENT_MONITOR_UPDATED, monitor->name);
}

enum result monitor_change_fields(struct service *service, struct monitor *monitor,
				  const struct monitor_change *change, bool marks_pages)
{
	const struct field_set changed = change->changed;
	bool is_on_page = marks_pages &&
			  !field_set_is_empty(fields_on_page(monitor_update_fields, changed));
	enum result result = OK;
	monitor_merge(monitor, change->input, changed);
	monitor_settle_pause(monitor, service->now);
	monitor_derive_state(monitor);
	if (!field_set_is_empty(changed)) {
		monitor->updated_at = service->now;
		result = monitor_update(service->db, monitor, is_on_page, service->error);
	}
	result = add_violation(service, result);
	if (result == OK)
		result = store_beside(service, monitor, change);
	if (result != OK)
		return result;
	if (is_on_page)
		service_mark_monitor(service, monitor->id, monitor->account_id);
	add_update_events(service, monitor, changed);
	return OK;
}

static enum result update_work(struct service *service, void *context)
{
	struct changing *changing = context;
	enum result result = find_monitor(service, changing);
	/* Refuse a label for a retired monitor: alerts do not find the monitor, and another monitor
	 * must be able to get the label. */
	if (result == OK && changing->monitor.retired_at.s > 0 && changing->input.label)
		violations_add(service->violations, "label",
			       "The label field must be empty for a retired monitor.");
	/* Encrypt the secrets in a copy of the input, because the transaction may run again. */
	struct monitor_input input = changing->input;
	const struct monitor before = changing->monitor;
	struct monitor_change change = { .before = &before,
					 .input = &input,
					 .sent = changing->sent };
	if (result == OK)
		result = monitor_settle_change(service, &change);
	if (result == OK)
		result = monitor_refuse_change(service, &change);
	if (result == OK)
		result = monitor_change_fields(service, &changing->monitor, &change, true);
	return result == OK ? monitors_present(service, &changing->monitor, 1) : result;
}

enum result service_update_monitor(struct service *service, int64_t id,
				   const struct monitor_input *input, struct field_set sent,
				   struct monitor *monitor)
{
	struct changing changing = { .id = id, .input = *input, .sent = sent };
	monitor_check(&changing.input, monitor_update_fields, sent, service->now, service->arena,
		      service->violations);
	enum result result = service_transact(service, PERMISSION_EDIT, update_work, &changing,
					      &changing.monitor);
	*monitor = changing.monitor;
	return result;
}

enum result monitor_change_retire(struct service *service, const struct monitor *monitor)
{
	enum result result = end_open_incident(service, monitor->id);
	if (result == OK)
		result = monitor_retire(service->db, monitor->id, service->now, service->error);
	if (result == OK)
		result = check_dependency_clear(service->db, monitor->account_id, monitor->id,
						service->now, service->error);
	if (result != OK)
		return result;
	service_mark_account(service, monitor->account_id);
	monitor_change_add_event(service, monitor, EVENT_MONITOR_RETIRED, monitor->name);
	return OK;
}

static enum result retire_work(struct service *service, void *context)
{
	struct changing *changing = context;
	enum result result = find_monitor(service, changing);
	bool is_retired = changing->monitor.retired_at.s > 0;
	if (result == OK && is_retired && service->principal.account_id > 0)
		result = E_NOT_FOUND;
	return result == OK ? monitor_change_retire(service, &changing->monitor) : result;
}

enum result service_retire_monitor(struct service *service, int64_t id)
{
	struct changing changing = { .id = id };
	struct monitor_deletion deletion = { .id = id };
	return service_transact(service, PERMISSION_EDIT, retire_work, &changing, &deletion);
}

/* Adds the event of the removal, unless an interrupted removal has already added it. */
static enum result add_removal_event(struct service *service, const struct monitor *monitor)
{
	const struct event_query query = {
		.account_id = monitor->account_id,
		.kind = event_kind_word(EVENT_MONITOR_DELETED),
		.object = event_object_words[EVENT_OF_MONITOR],
		.object_id = monitor->id,
	};
	int64_t total = 0;
	enum result result =
		event_count(service->db, &query, service->arena, &total, service->error);
	if (result == OK && total == 0)
		monitor_change_add_event(service, monitor, EVENT_MONITOR_DELETED, monitor->name);
	return result;
}

enum result monitor_change_detach(struct service *service, const struct monitor *monitor)
{
	enum result result = monitor_detach(service->db, monitor->id, service->now, service->error);
	if (result == OK)
		result = check_dependency_clear(service->db, monitor->account_id, monitor->id,
						service->now, service->error);
	if (result == OK)
		result = add_removal_event(service, monitor);
	/* The pages that showed the monitor are no longer known: mark all pages of the account. */
	if (result == OK)
		service_mark_account(service, monitor->account_id);
	return result;
}

static enum result detach_work(struct service *service, void *context)
{
	struct changing *changing = context;
	enum result result = find_monitor(service, changing);
	if (result == OK)
		result = monitor_change_detach(service, &changing->monitor);
	int64_t reported = 0;
	if (result == OK)
		result = removal_reported_count(service->db, changing->id, service->arena,
						&reported, service->error);
	changing->deletion.incidents = changing->monitor.incident_count + reported;
	return result;
}

/* Deletes the incidents and the monitor. In a request, stops after IN_REQUEST_MS: the background
 * loop deletes the rest. */
enum result monitor_delete_rows(struct service *service, int64_t id)
{
	enum { IN_REQUEST_MS = 2000 };
	int64_t until_ms = clock_ms() + IN_REQUEST_MS;
	bool is_done = false;
	enum result result = OK;
	while (result == OK && !is_done && (!service->caller || clock_ms() < until_ms))
		result = removal_monitor_some(service->db, id, &is_done, service->error);
	return result;
}

enum result service_remove_monitor(struct service *service, int64_t id)
{
	struct changing changing = { .id = id, .deletion = { .id = id } };
	enum result result = service_transact(service, PERMISSION_EDIT, detach_work, &changing,
					      &changing.deletion);
	if (result != OK || monitor_delete_rows(service, id) == OK)
		return result;
	/*
	 * The first transaction has committed the response. The background loop deletes the rest,
	 * and reports failures.
	 */
	if (service->caller) {
		*service->error = (struct error){ 0 };
		return OK;
	}
	return error_client(service->error, E_FAILED,
			    "The monitor is on no page any more, but not all of its incidents are "
			    "deleted. Run the command again.");
}

enum result service_read_response_times(struct service *service, int64_t id, int range,
					struct db_list *list)
{
	const struct response_query query = { service->principal.account_id, id, range,
					      service->now };
	return principal_may(&service->principal, PERMISSION_READ)
		       ? response_times_read(service->db, &query, service->arena, list,
					     service->error)
		       : E_FORBIDDEN;
}

enum result service_name_monitors(struct service *service, struct monitor_name_query *query,
				  struct db_list *names)
{
	if (!principal_may(&service->principal, PERMISSION_READ))
		return E_FORBIDDEN;
	query->account_id = service->principal.account_id;
	return monitor_names(service->db, query, service->arena, names, service->error);
}
