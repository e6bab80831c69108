/* One change of several monitors, in one transaction. */
#include "service/monitor_changes.h"
#include "service/monitors.h"
#include "store/monitor/monitor.h"
#include "store/page/publication.h"

struct changing {
	const struct monitors_order *order;
	int64_t *changed;
	struct id_list differing;	/* ids of the monitors that the change alters */
	struct publication_shown shown; /* the altered monitors whose change is visible on pages */
};

static enum result refuse(struct service *service, const char *message)
{
	violations_add(service->violations, "monitor_ids", "%s", message);
	return E_INVALID;
}

/* Adds the alert channels of the monitor to the channels of the input. */
static void keep_channels(struct service *service, const struct monitor *monitor,
			  struct id_list *ids)
{
	const struct id_list *own = &monitor->alert_channel_ids;
	const struct id_list more = *ids;
	ids->ids = ARENA_ARRAY(service->arena, own->count + more.count, int64_t);
	ids->count += own->count;
	for (size_t i = 0; i < ids->count; i++)
		ids->ids[i] = i < more.count ? more.ids[i] : own->ids[i - more.count];
	id_list_settle(ids);
	if (ids->count > ALERT_CHANNELS_OF_MONITOR_MAX)
		violations_add(service->violations, "alert_channel_ids",
			       "%s: The alert channel ids field must have at most %d items.",
			       monitor->name, ALERT_CHANNELS_OF_MONITOR_MAX);
}

/* If the change alters the monitor, adds the monitor to the lists, and adds an event. */
static void judge_monitor(struct service *service, struct changing *changing,
			  const struct monitor *before)
{
	const struct monitors_order *order = changing->order;
	struct monitor_input input = order->input;
	struct monitor after = *before;
	if (order->adds_channels && field_set_has(order->sent, MONITOR_FIELD_alert_channel_ids))
		keep_channels(service, before, &input.alert_channel_ids);
	monitor_merge(&after, &input, order->sent);
	const struct field_set changed = fields_differing(monitor_update_fields, order->sent,
							  monitor_fields, before, &after);
	if (field_set_is_empty(changed))
		return;
	changing->differing.ids[changing->differing.count++] = before->id;
	monitor_change_add_event(service, before, EVENT_MONITOR_UPDATED, before->name);
	if (field_set_is_empty(fields_on_page(monitor_update_fields, changed)))
		return;
	changing->shown.monitors.ids[changing->shown.monitors.count++] = before->id;
	service_mark_monitor(service, before->id, before->account_id);
}

/* Locks the monitors in the order of their ids, and reads them. */
static enum result find_monitors(struct service *service, const struct id_list *ids,
				 struct monitor_list *found)
{
	enum result result =
		service_await(service, &(struct running_writes_rows){ RUNNING_WRITES_MONITORS,
								      ids->ids, ids->count });
	if (result == OK)
		result = monitors_lock(service->db, service->principal.account_id, ids,
				       service->arena, service->error);
	if (result == E_NOT_FOUND)
		return refuse(service, "Not all of the chosen systems exist.");
	return result == OK ? monitors_read(service->db, ids, service->arena, found, service->error)
			    : result;
}

static enum result store_change(struct service *service, const struct changing *changing)
{
	const struct monitors_order *order = changing->order;
	const struct monitors_change change = {
		.ids = &changing->differing,
		.sets_pause = field_set_has(order->sent, MONITOR_FIELD_is_paused),
		.is_paused = order->input.is_paused,
		.sets_group = field_set_has(order->sent, MONITOR_FIELD_group),
		.group = order->input.group,
		.now = service->now,
	};
	enum result result =
		monitors_store_change(service->db, &change, service->arena, service->error);
	if (result == OK && field_set_has(order->sent, MONITOR_FIELD_alert_channel_ids))
		result = monitor_change_channels(
			service,
			&(struct monitor_channels){ .monitors = changing->differing,
						    .channels = order->input.alert_channel_ids,
						    .keeps_others = order->adds_channels });
	if (result == OK && changing->shown.monitors.count > 0)
		result = publication_mark_shown(service->db, &changing->shown, service->arena,
						service->error);
	return result;
}

static enum result change_work(struct service *service, void *context)
{
	struct changing *changing = context;
	const struct id_list *ids = changing->order->ids;
	struct monitor_list found = { 0 };
	*changing->changed = 0;
	if (service->violations->count > 0)
		return E_INVALID;
	if (ids->count == 0 || ids->count > MONITORS_CHANGED_MAX)
		return refuse(service, "Choose from 1 to 1000 systems.");
	changing->differing = (struct id_list){ ARENA_ARRAY(service->arena, ids->count, int64_t) };
	changing->shown = (struct publication_shown){
		.monitors = { ARENA_ARRAY(service->arena, ids->count, int64_t) },
		.account_id = service->principal.account_id,
		.now = service->now,
	};
	enum result result = find_monitors(service, ids, &found);
	for (size_t i = 0; result == OK && i < found.count; i++)
		judge_monitor(service, changing, &found.rows[i]);
	if (result == OK && service->violations->count > 0)
		result = E_INVALID;
	*changing->changed = (int64_t)changing->differing.count;
	return result == OK && changing->differing.count > 0 ? store_change(service, changing)
							     : result;
}

enum result service_find_monitors(struct service *service, struct monitor_query *query,
				  struct id_list *ids)
{
	if (!principal_may(&service->principal, PERMISSION_READ))
		return E_FORBIDDEN;
	query->list.account_id = service->principal.account_id;
	query->list.now = service->now;
	return monitor_ids(service->db, query, MONITORS_CHANGED_MAX + 1, service->arena, ids,
			   service->error);
}

enum result service_update_monitors(struct service *service, struct monitors_order *order,
				    int64_t *changed)
{
	struct changing changing = { .order = order, .changed = changed };
	monitor_check(&order->input, monitor_update_fields, order->sent, service->now,
		      service->arena, service->violations);
	return service_transact(service, PERMISSION_EDIT, change_work, &changing, changed);
}
