/* How a payload of alerts is judged: see service_observe_alerts(). */
#include <stdlib.h>

#include "service/incident/alert_judging.h"
#include "service/incident/observations.h"
#include "service/incident/observed_incident.h"
#include "store/incident/incident.h"

/* By monitor and start; alerts with the same start in the order of the payload. */
static int by_start(const void *a, const void *b)
{
	const struct alert_entry *left = a, *right = b;
	int64_t apart = left->monitor->id - right->monitor->id;
	if (apart == 0)
		apart = left->alert->observation.at.s - right->alert->observation.at.s;
	if (apart == 0)
		apart = left->alert < right->alert ? -1 : 1;
	return apart < 0 ? -1 : 1;
}

static void set_known(struct alert_entry *entry)
{
	entry->source->ended_at = entry->alert->observation.ended_at;
	entry->source->is_known = entry->source->is_changed = true;
}

void alert_set_incident(struct alert_entry *entry, int64_t incident_id)
{
	entry->source->incident_id = incident_id;
	entry->alert->observed.incident_id = incident_id;
	set_known(entry);
}

/* The incident is added by the payload, and has no id yet. */
void alert_set_added(struct alert_entry *entry, size_t place)
{
	entry->source->added = place;
	set_known(entry);
}

static void find_first_starts(struct alert_batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		struct alert_entry *entry = &batch->entries[i];
		struct instant *first = &entry->monitor->first_new;
		struct instant at = entry->alert->observation.at;
		if (!entry->source->is_known && !alert_is_over(entry) &&
		    (first->s == 0 || at.s < first->s))
			*first = at;
	}
}

/*
 * Begins the open incident earlier, if no former one overlaps. Rare, and at most once for a
 * monitor, since alerts come by their start.
 */
static enum result backdate_incident(struct judging *judging, struct alert_entry *entry)
{
	struct alert_batch *batch = &judging->batch;
	struct alert_monitor *monitor = entry->monitor;
	struct incident former, open = { .id = monitor->open_id,
					 .monitor_id = monitor->id,
					 .started_at = monitor->open_since };
	struct instant before = { open.started_at.s - 1 }, at = entry->alert->observation.at;
	arena_reset(batch->row);
	enum result result = incident_find_last(batch->db, monitor->id, before, batch->row, &former,
						batch->error);
	if (result != OK && result != E_NOT_FOUND)
		return result;
	monitor->open_since = at;
	if (!observation_backdates(&open, result == OK ? &former : NULL, at))
		return OK;
	struct incident after = open;
	after.started_at = at;
	monitor->moved = alert_changes_move(&judging->changes, &open, &after);
	return OK;
}

/* A worse alert makes the open incident worse. The end of an alert does not make it better. */
static void worsen_incident(struct judging *judging, struct alert_monitor *monitor)
{
	struct alert_changes *changes = &judging->changes;
	struct incident open = { .id = monitor->open_id,
				 .monitor_id = monitor->id,
				 .started_at = monitor->open_start,
				 .impact = monitor->worst_new };
	if (monitor->worst_new > monitor->open_impact && monitor->moved > 0)
		changes->moved.rows[monitor->moved - 1].impact = monitor->worst_new;
	else if (monitor->worst_new > monitor->open_impact)
		alert_changes_move(changes, &open, &open);
	if (monitor->worst_new > monitor->open_impact)
		monitor->open_impact = monitor->worst_new;
	monitor->worst_new = INCIDENT_IMPACT_NONE;
	monitor->moved = 0;
}

static enum result join_incident(struct judging *judging, struct alert_entry *entry)
{
	int impact = observation_impact(&entry->alert->observation);
	alert_set_incident(entry, entry->monitor->open_id);
	if (impact > entry->monitor->worst_new)
		entry->monitor->worst_new = impact;
	if (entry->alert->observation.at.s >= entry->monitor->open_since.s)
		return OK;
	return backdate_incident(judging, entry);
}

static void open_incident(struct judging *judging, struct alert_entry *entry)
{
	struct alert_monitor *monitor = entry->monitor;
	if (monitor->opened == 0) {
		monitor->opened =
			alert_changes_add(&judging->changes, monitor, &entry->alert->observation);
		entry->alert->observed.outcome = OBSERVATION_OPENED;
	}
	alert_changes_worsen(&judging->changes, monitor->opened,
			     observation_impact(&entry->alert->observation));
	alert_set_added(entry, monitor->opened);
}

/* Alerts that begin: each joins its monitor's open incident, or opens one. */
static enum result begin_alerts(struct judging *judging)
{
	struct alert_batch *batch = &judging->batch;
	enum result result = OK;
	for (size_t i = 0; result == OK && i < batch->count; i++) {
		struct alert_entry *entry = &batch->entries[i];
		if (entry->source->is_known || alert_is_over(entry))
			continue;
		entry->is_new = entry->monitor->open_id > 0 || !judging->adds_nothing;
		if (entry->monitor->open_id > 0)
			result = join_incident(judging, entry);
		else if (!judging->adds_nothing)
			open_incident(judging, entry);
	}
	for (size_t i = 0; i < batch->monitor_count; i++) {
		batch->monitors[i].first_new = (struct instant){ 0 };
		worsen_incident(judging, &batch->monitors[i]);
	}
	return result == OK ? alert_changes_store(&judging->changes) : result;
}

/* Omits alerts whose monitor is gone, and moves times beyond the database's clock to now. */
static void make_entries(struct alert_batch *batch, const struct alert_observations *alerts)
{
	batch->entries = ARENA_ARRAY(batch->arena, alerts->count, struct alert_entry);
	for (size_t i = 0; i < alerts->count; i++) {
		struct alert_observation *alert = &alerts->rows[i];
		struct observation *observation = &alert->observation;
		struct alert_monitor *monitor = alert_batch_monitor(batch, observation->monitor_id);
		alert->observed = (struct observed){ .monitor_id = observation->monitor_id };
		alert->is_gone = !monitor;
		if (!monitor)
			continue;
		observation->now = batch->now;
		observation->at = observation_time(observation->at, batch->now);
		observation->ended_at = observation_time(observation->ended_at, batch->now);
		batch->entries[batch->count++] =
			(struct alert_entry){ .alert = alert, .monitor = monitor };
	}
	qsort(batch->entries, batch->count, sizeof(*batch->entries), by_start);
}

/* Even if unchanged: the worker that stored these alerts may have died before publishing. */
static void mark_monitors(struct judging *judging)
{
	const struct alert_batch *batch = &judging->batch;
	for (size_t i = 0; i < batch->monitor_count; i++)
		if (!batch->monitors[i].is_on_no_page)
			service_mark_monitor(judging->service, batch->monitors[i].id,
					     batch->account_id);
}

static enum result judge_entries(struct judging *judging, const struct alert_group *group)
{
	enum result result = alert_batch_read(&judging->batch);
	if (result != OK)
		return result;
	mark_monitors(judging);
	find_first_starts(&judging->batch);
	result = alert_end_incidents(judging);
	if (result == OK)
		result = begin_alerts(judging);
	if (result == OK)
		result = alert_record_old(judging);
	/* An alert that began above may be over in the same payload. */
	if (result == OK)
		result = alert_end_incidents(judging);
	if (result == OK)
		result = alert_batch_save(&judging->batch);
	if (result == OK && group)
		result = alert_group_settle(judging, group);
	return result == OK ? alert_changes_finish(&judging->changes) : result;
}

static enum result await_monitors(struct service *service, const struct alert_observations *alerts)
{
	int64_t ids[RUNNING_WRITES_ROWS_MAX];
	struct running_writes_rows rows = { RUNNING_WRITES_MONITORS, ids, 0 };
	for (size_t i = 0; i < alerts->count && rows.count < RUNNING_WRITES_ROWS_MAX; i++) {
		int64_t id = alerts->rows[i].observation.monitor_id;
		if (rows.count == 0 || ids[rows.count - 1] != id)
			ids[rows.count++] = id;
	}
	return service_await(service, &rows);
}

static enum result judge_alerts(struct judging *judging, const struct alert_observations *alerts)
{
	struct arena row CLEANUP(arena_done);
	struct alert_batch *batch = &judging->batch;
	arena_init(&row, alerts->arena->cap_bytes);
	batch->row = &row;
	if (alerts->count == 0)
		return OK;
	enum result result = await_monitors(judging->service, alerts);
	if (result == OK)
		result = alert_batch_lock(batch, alerts->rows, alerts->count);
	if (result != OK)
		return result;
	judging->changes = alert_changes_of(judging->service, batch);
	make_entries(batch, alerts);
	return batch->count > 0 ? judge_entries(judging, alerts->group) : OK;
}

static int64_t count_additions(const struct alert_observations *alerts)
{
	int64_t count = 0;
	for (size_t i = 0; i < alerts->count; i++)
		count += observation_is_addition(alerts->rows[i].observed.outcome);
	return count;
}

struct observing_alerts {
	struct alert_observations *alerts;
	bool adds_nothing;
};

static enum result observe_work(struct service *service, void *context)
{
	const struct observing_alerts *observing = context;
	struct alert_observations *alerts = observing->alerts;
	struct judging judging = {
		.batch = { .db = service->db,
			   .account_id = alerts->account_id,
			   .arena = alerts->arena,
			   .error = service->error },
		.service = service,
		.adds_nothing = observing->adds_nothing,
	};
	arena_reset(alerts->arena);
	enum result result = judge_alerts(&judging, alerts);
	int64_t added = judging.groups_added + count_additions(alerts);
	return result == OK ? observed_incident_count(service, alerts->account_id, added) : result;
}

enum result service_observe_alerts(struct service *service, struct alert_observations *alerts)
{
	struct observing_alerts observing = { alerts, false };
	enum result result =
		service_transact(service, PERMISSION_REPORT, observe_work, &observing, alerts);
	if (result != E_QUOTA_EXCEEDED)
		return result;
	/* The sender repeats a refused payload. The ends of its alerts are stored now. */
	struct error refusal = *service->error;
	observing.adds_nothing = true;
	if (service_transact_silently(service, PERMISSION_REPORT, observe_work, &observing) != OK)
		alerts->count = 0;
	*service->error = refusal;
	return result;
}
