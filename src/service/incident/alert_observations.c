/* Judges a payload of alerts: see service_observe_alerts(). */
#include <stdlib.h>

#include "service/incident/alert_judging.h"
#include "service/incident/incident_changes.h"
#include "service/incident/observations.h"

/* Sorts by monitor and start, then in the order of the payload. */
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

void alert_set_added(struct alert_entry *entry, const struct incident *incident)
{
	entry->source->added = incident;
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

static enum result join_incident(struct judging *judging, struct alert_entry *entry)
{
	int impact = observation_impact(&entry->alert->observation);
	alert_set_incident(entry, entry->monitor->open_id);
	if (impact > entry->monitor->worst_new)
		entry->monitor->worst_new = impact;
	if (entry->alert->observation.at.s >= entry->monitor->open_since.s)
		return OK;
	/* The open incident must begin earlier. This is rare, and happens at most once per monitor,
	 * because the entries are sorted by start. */
	return judging_backdate(judging, entry);
}

static enum result open_incident(struct judging *judging, struct alert_entry *entry)
{
	struct alert_monitor *monitor = entry->monitor;
	int impact = observation_impact(&entry->alert->observation);
	enum result result = OK;
	if (!monitor->opened) {
		result = judging_add(judging, entry, &monitor->opened);
		entry->alert->observed.outcome = OBSERVATION_OPENED;
	}
	if (impact > monitor->opened->impact)
		monitor->opened->impact = impact;
	alert_set_added(entry, monitor->opened);
	return result;
}

/* Begins new alerts: each alert joins the open incident of its monitor, or opens an incident. */
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
			result = open_incident(judging, entry);
	}
	for (size_t i = 0; result == OK && i < batch->monitor_count; i++) {
		batch->monitors[i].first_new = (struct instant){ 0 };
		result = judging_change_open(judging, &batch->monitors[i]);
	}
	return result == OK ? judging_store(judging) : result;
}

/* Replaces times that are in the future by the time of the database. Sorts the entries. */
static void settle_entries(struct alert_batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		struct observation *observation = &batch->entries[i].alert->observation;
		observation->now = batch->now;
		observation->at = observation_time(observation->at, batch->now);
		observation->ended_at = observation_time(observation->ended_at, batch->now);
	}
	if (batch->count > 1)
		qsort(batch->entries, batch->count, sizeof(*batch->entries), by_start);
}

/* Marks all monitors of the payload, even without a change: the process that stored these alerts in
 * an earlier request may have died before it published. */
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
	/* The payload may also end alerts that begin_alerts() has just stored. */
	if (result == OK)
		result = alert_end_incidents(judging);
	if (result == OK)
		result = alert_batch_save(&judging->batch);
	return result == OK && group ? alert_group_settle(judging, group) : result;
}

static enum result judge_alerts(struct judging *judging, const struct alert_observations *alerts)
{
	struct arena row CLEANUP(arena_done);
	struct alert_batch *batch = &judging->batch;
	arena_init(&row, alerts->arena->cap_bytes);
	batch->row = &row;
	if (alerts->count == 0)
		return OK;
	enum result result = judging_begin(judging, alerts->rows, alerts->count);
	if (result != OK || batch->count == 0)
		return result;
	settle_entries(batch);
	return judge_entries(judging, alerts->group);
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
	return result == OK ? incident_count_additions(service, alerts->account_id, added) : result;
}

enum result service_observe_alerts(struct service *service, struct alert_observations *alerts)
{
	struct observing_alerts observing = { alerts, false };
	enum result result =
		service_transact(service, PERMISSION_REPORT, observe_work, &observing, alerts);
	if (result != E_QUOTA_EXCEEDED)
		return result;
	/* The sender will send the refused payload again. Store at least the ends of alerts now. */
	struct error refusal = *service->error;
	observing.adds_nothing = true;
	if (service_transact_silently(service, PERMISSION_REPORT, observe_work, &observing) != OK)
		alerts->count = 0;
	*service->error = refusal;
	return result;
}
