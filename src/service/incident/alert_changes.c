/* Applies the results of judging: adds incidents and changes them. */
#include "service/incident/alert_judging.h"
#include "service/incident/incident_changes.h"
#include "store/incident/incident.h"

/* Makes an entry for each alert whose monitor still exists. */
static void make_entries(struct alert_batch *batch, struct alert_observation *alerts, size_t count)
{
	batch->entries = ARENA_ARRAY(batch->arena, count, struct alert_entry);
	for (size_t i = 0; i < count; i++) {
		struct alert_observation *alert = &alerts[i];
		struct alert_monitor *monitor =
			alert_batch_monitor(batch, alert->observation.monitor_id);
		alert->observed = (struct observed){ .monitor_id = alert->observation.monitor_id };
		alert->is_gone = !monitor;
		if (monitor)
			batch->entries[batch->count++] =
				(struct alert_entry){ .alert = alert, .monitor = monitor };
	}
}

enum result judging_begin(struct judging *judging, struct alert_observation *alerts, size_t count)
{
	int64_t ids[RUNNING_WRITES_ROWS_MAX];
	struct running_writes_rows rows = { RUNNING_WRITES_MONITORS, ids, 0 };
	for (size_t i = 0; i < count && rows.count < RUNNING_WRITES_ROWS_MAX; i++) {
		int64_t id = alerts[i].observation.monitor_id;
		if (rows.count == 0 || ids[rows.count - 1] != id)
			ids[rows.count++] = id;
	}
	enum result result = service_await(judging->service, &rows);
	if (result == OK)
		result = alert_batch_lock(&judging->batch, alerts, count);
	if (result == OK)
		make_entries(&judging->batch, alerts, count);
	return result;
}

/* Returns the monitor's open incident as this payload has changed it so far. */
static struct incident *changed_of(struct judging *judging, struct alert_monitor *monitor)
{
	if (!monitor->changed) {
		monitor->changed = ARENA_NEW(judging->batch.arena, struct incident);
		*monitor->changed = *monitor->open;
	}
	return monitor->changed;
}

enum result judging_backdate(struct judging *judging, struct alert_entry *entry)
{
	struct alert_batch *batch = &judging->batch;
	struct alert_monitor *monitor = entry->monitor;
	struct incident former;
	struct instant before = { monitor->open_since.s - 1 }, at = entry->alert->observation.at;
	arena_reset(batch->row);
	enum result result = incident_find_last(batch->db, monitor->id, before, batch->row, &former,
						batch->error);
	if (result != OK && result != E_NOT_FOUND)
		return result;
	monitor->open_since = at;
	if (observation_backdates(monitor->open, result == OK ? &former : NULL, at))
		changed_of(judging, monitor)->started_at = at;
	return OK;
}

enum result judging_change_open(struct judging *judging, struct alert_monitor *monitor)
{
	if (monitor->open && monitor->worst_new > monitor->open->impact)
		changed_of(judging, monitor)->impact = monitor->worst_new;
	monitor->worst_new = INCIDENT_IMPACT_NONE;
	if (!monitor->changed)
		return OK;
	bool is_start_new = monitor->changed->started_at.s != monitor->open->started_at.s;
	const struct incident_change change = {
		.before = monitor->open,
		.after = monitor->changed,
		.why = { { is_start_new ? EVENT_INCIDENT_BACKDATED : EVENT_INCIDENT_UPDATED,
			   NULL } },
	};
	monitor->open = monitor->changed;
	monitor->changed = NULL;
	return incident_changes_put(judging->service, &change);
}

enum result judging_add(struct judging *judging, const struct alert_entry *entry,
			struct incident **incident)
{
	struct incident *added = ARENA_NEW(judging->batch.arena, struct incident);
	*added = observation_incident(&entry->alert->observation);
	added->is_on_no_page = entry->monitor->is_on_no_page;
	bool is_over = added->ended_at.s > 0;
	*incident = added;
	return incident_changes_put(
		judging->service,
		&(struct incident_change){
			.after = added,
			.why = { { is_over ? EVENT_INCIDENT_RECORDED : EVENT_INCIDENT_OPENED,
				   added->cause } },
		});
}

enum result judging_end(struct judging *judging, struct incident *before, struct instant ended_at,
			bool *has_ended)
{
	struct incident *after = ARENA_NEW(judging->batch.arena, struct incident);
	struct alert_monitor *monitor = alert_batch_monitor(&judging->batch, before->monitor_id);
	before->is_on_no_page = monitor && monitor->is_on_no_page;
	*after = *before;
	if (monitor && monitor->open_id == before->id) {
		monitor->open_id = 0;
		monitor->open = NULL;
	}
	*has_ended = observation_end(after, ended_at, judging->batch.now) == INCIDENT_MOVED;
	return *has_ended ? incident_changes_put(
				    judging->service,
				    &(struct incident_change){
					    .before = before,
					    .after = after,
					    .why = { { EVENT_INCIDENT_RESOLVED, NULL } } })
			  : OK;
}

/* Copies the ids of new incidents to the monitors, the sources and the alerts. */
static void settle_ids(struct alert_batch *batch)
{
	for (size_t i = 0; i < batch->monitor_count; i++) {
		struct alert_monitor *monitor = &batch->monitors[i];
		if (monitor->opened) {
			monitor->open = monitor->opened;
			monitor->open_id = monitor->opened->id;
			monitor->open_since = monitor->opened->started_at;
		}
		monitor->opened = NULL;
	}
	for (size_t i = 0; i < batch->source_count; i++)
		if (batch->sources[i].added)
			batch->sources[i].incident_id = batch->sources[i].added->id;
	for (size_t i = 0; i < batch->count; i++)
		if (batch->entries[i].source && batch->entries[i].source->added)
			batch->entries[i].alert->observed.incident_id =
				batch->entries[i].source->incident_id;
	for (size_t i = 0; i < batch->source_count; i++)
		batch->sources[i].added = NULL;
}

enum result judging_store(struct judging *judging)
{
	enum result result = incident_changes_store(judging->service);
	if (result == E_CONFLICT)
		return error_log(judging->service->error, E_RETRY,
				 "an incident was opened meanwhile");
	if (result == OK)
		settle_ids(&judging->batch);
	return result;
}
