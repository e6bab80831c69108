/* The same change of several monitors, in one transaction. */
#include "service/monitor_changes.h"
#include "service/monitors.h"
#include "store/page/publication.h"

struct changing {
	const struct monitors_order *order;
	int64_t *changed;
	struct publication_shown shown; /* the monitors whose change pages show */
};

static enum result refuse(struct service *service, const char *message)
{
	violations_add(service->violations, "monitor_ids", "%s", message);
	return E_INVALID;
}

/* Adds the channels of the monitor to those of the input. */
static void keep_channels(struct service *service, const struct id_list *own, struct id_list *ids)
{
	const struct id_list more = *ids;
	ids->ids = ARENA_ARRAY(service->arena, own->count + more.count, int64_t);
	ids->count += own->count;
	for (size_t i = 0; i < ids->count; i++)
		ids->ids[i] = i < more.count ? more.ids[i] : own->ids[i - more.count];
	id_list_settle(ids);
	if (ids->count > ALERT_CHANNELS_OF_MONITOR_MAX)
		violations_add(service->violations, "alert_channel_ids",
			       "The alert channel ids field must have at most %d items.",
			       ALERT_CHANNELS_OF_MONITOR_MAX);
}

static enum result change_monitor(struct service *service, struct changing *changing,
				  struct monitor *monitor)
{
	const struct monitors_order *order = changing->order;
	const struct monitor before = *monitor;
	struct monitor_input input = order->input;
	struct monitor_change change = { .before = &before, .input = &input, .sent = order->sent };
	if (order->adds_channels)
		keep_channels(service, &before.alert_channel_ids, &input.alert_channel_ids);
	enum result result = monitor_settle_change(service, &change);
	if (result == OK)
		result = monitor_refuse_change(service, &change);
	if (result != OK || field_set_is_empty(change.changed))
		return result;
	++*changing->changed;
	if (!field_set_is_empty(fields_on_page(monitor_update_fields, change.changed))) {
		changing->shown.monitors.ids[changing->shown.monitors.count++] = monitor->id;
		service_mark_monitor(service, monitor->id, monitor->account_id);
	}
	return monitor_change_fields(service, monitor, &change, false);
}

/* Locks the monitors in the order of their ids, and reads them. */
static enum result find_monitors(struct service *service, const struct id_list *ids,
				 struct monitor_page *found)
{
	const struct monitor_query query = {
		.list = { .account_id = service->principal.account_id,
			  .sort_by = MONITOR_BY_ID,
			  .is_ascending = true,
			  .limit = MONITORS_CHANGED_MAX,
			  .now = service->now },
		.chosen = ids,
	};
	enum result result =
		service_await(service, &(struct running_writes_rows){ RUNNING_WRITES_MONITORS,
								      ids->ids, ids->count });
	if (result == OK)
		result = monitors_lock(service->db, query.list.account_id, ids, service->arena,
				       service->error);
	if (result == E_NOT_FOUND)
		return refuse(service, "Not all of the chosen systems exist.");
	return result == OK ? monitor_list_page(service->db, &query, service->arena, found,
						service->error)
			    : result;
}

static enum result change_work(struct service *service, void *context)
{
	struct changing *changing = context;
	const struct id_list *ids = changing->order->ids;
	struct monitor_page found = { 0 };
	*changing->changed = 0;
	changing->shown = (struct publication_shown){
		.monitors = { ARENA_ARRAY(service->arena, ids->count, int64_t) },
		.account_id = service->principal.account_id,
		.now = service->now,
	};
	if (service->violations->count > 0)
		return E_INVALID;
	if (ids->count == 0 || ids->count > MONITORS_CHANGED_MAX)
		return refuse(service, "Choose from 1 to 100 systems.");
	enum result result = find_monitors(service, ids, &found);
	/*
	 * A loop, since each monitor has its own other columns and channels: at most three
	 * statements for each of at most MONITORS_CHANGED_MAX monitors.
	 */
	for (size_t i = 0; result == OK && i < found.count; i++) {
		const char *name = found.rows[i].name;
		result = change_monitor(service, changing, &found.rows[i]);
		for (struct violation *at = service->violations->first; at; at = at->next)
			at->message = arena_printf(service->arena, "%s: %s", name, at->message);
	}
	if (result == OK && changing->shown.monitors.count > 0)
		result = publication_mark_shown(service->db, &changing->shown, service->arena,
						service->error);
	return result;
}

enum result service_update_monitors(struct service *service, struct monitors_order *order,
				    int64_t *changed)
{
	struct changing changing = { .order = order, .changed = changed };
	monitor_check(&order->input, monitor_update_fields, order->sent, service->now,
		      service->arena, service->violations);
	return service_transact(service, PERMISSION_EDIT, change_work, &changing, changed);
}
