/* Records alerts that are already over when they are first reported. */
#include "service/incident/alert_judging.h"
#include "store/incident/incident.h"

static bool is_old(const struct alert_entry *entry)
{
	return !entry->source->is_known && alert_is_over(entry);
}

/* Adds an ended incident for an old alert (see is_old()). Adds to the incident all old alerts of
 * the monitor that overlap it. */
static enum result record_alert(struct judging *judging, size_t from)
{
	struct alert_batch *batch = &judging->batch;
	struct alert_entry *entry = &batch->entries[from];
	const struct observation *observation = &entry->alert->observation;
	struct instant ended_at = observation->ended_at;
	int impact = observation_impact(observation);
	struct incident *recorded;
	size_t to = from;
	for (; to < batch->count && batch->entries[to].monitor == entry->monitor; to++) {
		const struct observation *next = &batch->entries[to].alert->observation;
		if (next->at.s > ended_at.s)
			break;
		if (!is_old(&batch->entries[to]))
			continue;
		if (next->ended_at.s > ended_at.s)
			ended_at = next->ended_at;
		if (observation_impact(next) > impact)
			impact = observation_impact(next);
	}
	enum result result = judging_add(judging, entry, &recorded);
	recorded->ended_at = ended_at;
	recorded->impact = impact;
	entry->alert->observed.outcome = OBSERVATION_RECORDED;
	for (size_t i = from; i < to; i++)
		if (is_old(&batch->entries[i]))
			alert_set_added(&batch->entries[i], recorded);
	entry->monitor->recorded = recorded;
	return result;
}

/* Finds the last stored incident of the monitor that did not begin after the alert; *last is NULL
 * if there is none. */
static enum result find_stored(struct judging *judging, const struct alert_entry *entry,
			       struct incident **last)
{
	struct alert_batch *batch = &judging->batch;
	struct instant at = entry->alert->observation.at;
	*last = entry->monitor->newest;
	if (!*last || (*last)->started_at.s <= at.s)
		return OK;
	struct incident found, *kept = ARENA_NEW(batch->arena, struct incident);
	arena_reset(batch->row);
	enum result result = incident_find_last(batch->db, entry->monitor->id, at, batch->row,
						&found, batch->error);
	/* Do not keep the texts, because their memory is in batch->row. */
	*kept = (struct incident){ .id = found.id,
				   .started_at = found.started_at,
				   .ended_at = found.ended_at };
	*last = result == OK ? kept : NULL;
	return result == E_NOT_FOUND ? OK : result;
}

static enum result judge_old_alert(struct judging *judging, size_t at)
{
	struct alert_entry *entry = &judging->batch.entries[at];
	const struct observation *observation = &entry->alert->observation;
	struct incident *recorded = entry->monitor->recorded, *last;
	enum result result = find_stored(judging, entry, &last);
	if (result != OK)
		return result;
	/* The entries are sorted by start, so the recorded incident began before this alert. */
	if (recorded && (!last || recorded->started_at.s > last->started_at.s))
		last = recorded;
	if (!last || !observation_is_within(last, observation->at, observation->now))
		return judging->adds_nothing ? OK : record_alert(judging, at);
	if (last->id == 0)
		alert_set_added(entry, last);
	else
		alert_set_incident(entry, last->id);
	return OK;
}

/* Reads the newest incident of each monitor for which an alert is first reported after its end. */
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
	enum result result = alert_batch_newest(batch, &monitors, &found);
	struct incident *newest = found.rows;
	for (size_t i = 0; result == OK && i < found.count; i++)
		alert_batch_monitor(batch, newest[i].monitor_id)->newest = &newest[i];
	return result;
}

enum result alert_record_old(struct judging *judging)
{
	struct alert_batch *batch = &judging->batch;
	enum result result = read_newest(judging);
	for (size_t i = 0; result == OK && i < batch->count; i++)
		if (is_old(&batch->entries[i]))
			result = judge_old_alert(judging, i);
	return result == OK ? judging_store(judging) : result;
}
