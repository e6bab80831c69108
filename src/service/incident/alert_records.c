/* Alerts that are over already when they are first reported. */
#include "service/incident/alert_judging.h"
#include "store/incident/incident.h"

static bool is_old(const struct alert_entry *entry)
{
	return !entry->source->is_known && alert_is_over(entry);
}

/*
 * Records an alert that is over and whose beginning was never reported. Those of the monitor that
 * follow it and had begun by its end make one incident with it.
 */
static void record_alert(struct judging *judging, size_t from)
{
	struct alert_batch *batch = &judging->batch;
	struct alert_entry *entry = &batch->entries[from];
	struct observation observation = entry->alert->observation;
	size_t to = from;
	for (; to < batch->count && batch->entries[to].monitor == entry->monitor; to++) {
		const struct observation *next = &batch->entries[to].alert->observation;
		if (next->at.s > observation.ended_at.s)
			break;
		if (is_old(&batch->entries[to]) && next->ended_at.s > observation.ended_at.s)
			observation.ended_at = next->ended_at;
	}
	size_t place = alert_changes_add(&judging->changes, entry->monitor, &observation);
	for (size_t i = from; i < to; i++)
		if (is_old(&batch->entries[i]))
			alert_changes_worsen(
				&judging->changes, place,
				observation_impact(&batch->entries[i].alert->observation));
	entry->alert->observed.outcome = OBSERVATION_RECORDED;
	for (size_t i = from; i < to; i++)
		if (is_old(&batch->entries[i]))
			alert_set_added(&batch->entries[i], place);
	entry->monitor->recorded =
		(struct alert_last){ 0, place, observation.at, observation.ended_at };
}

/* The last stored incident that had started by the alert's start. */
static enum result find_stored(struct judging *judging, const struct alert_entry *entry,
			       struct alert_last *last)
{
	struct alert_batch *batch = &judging->batch;
	struct instant at = entry->alert->observation.at;
	struct incident found;
	*last = entry->monitor->newest;
	if (last->started_at.s <= at.s)
		return OK;
	*last = (struct alert_last){ 0 };
	arena_reset(batch->row);
	enum result result = incident_find_last(batch->db, entry->monitor->id, at, batch->row,
						&found, batch->error);
	if (result == OK)
		*last = (struct alert_last){ found.id, 0, found.started_at, found.ended_at };
	return result == E_NOT_FOUND ? OK : result;
}

static bool is_within(const struct alert_last *last, const struct observation *observation)
{
	const struct incident incident = { .started_at = last->started_at,
					   .ended_at = last->ended_at };
	return last->started_at.s > 0 &&
	       observation_is_within(&incident, observation->at, observation->now);
}

static enum result judge_old_alert(struct judging *judging, size_t at)
{
	struct alert_entry *entry = &judging->batch.entries[at];
	const struct alert_last *recorded = &entry->monitor->recorded;
	struct alert_last last;
	enum result result = find_stored(judging, entry, &last);
	if (result != OK)
		return result;
	/* Alerts come by their start: what the payload has recorded had started by now. */
	if (recorded->started_at.s > last.started_at.s)
		last = *recorded;
	if (!is_within(&last, &entry->alert->observation)) {
		if (!judging->adds_nothing)
			record_alert(judging, at);
	} else if (last.added > 0) {
		alert_set_added(entry, last.added);
	} else {
		alert_set_incident(entry, last.incident_id);
	}
	return OK;
}

/* Reads the newest incidents of the monitors of alerts that are over already. */
static enum result read_newest(struct judging *judging)
{
	struct alert_batch *batch = &judging->batch;
	struct id_list monitors = { ARENA_ARRAY(batch->arena, batch->monitor_count, int64_t), 0 };
	struct db_list found;
	for (size_t i = 0; i < batch->count; i++) {
		int64_t id = batch->entries[i].monitor->id;
		if (is_old(&batch->entries[i]) &&
		    (monitors.count == 0 || monitors.ids[monitors.count - 1] != id))
			monitors.ids[monitors.count++] = id;
	}
	enum result result = incident_batch_newest(&judging->changes.statements, &monitors,
						   batch->arena, &found);
	const struct incident *newest = found.rows;
	for (size_t i = 0; result == OK && i < found.count; i++)
		alert_batch_monitor(batch, newest[i].monitor_id)->newest =
			(struct alert_last){ newest[i].id, 0, newest[i].started_at,
					     newest[i].ended_at };
	return result;
}

enum result alert_record_old(struct judging *judging)
{
	struct alert_batch *batch = &judging->batch;
	enum result result = read_newest(judging);
	for (size_t i = 0; result == OK && i < batch->count; i++)
		if (is_old(&batch->entries[i]))
			result = judge_old_alert(judging, i);
	return result == OK ? alert_changes_store(&judging->changes) : result;
}
