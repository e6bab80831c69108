/* The one incident of a group of alerts: see struct alert_group. */
#include "domain/incident/incident_report.h"
#include "service/incident/alert_judging.h"
#include "service/incident/incident_changes.h"
#include "store/incident/alert_group.h"
#include "store/incident/incident.h"
#include "store/incident/incident_report.h"

/* The monitors of the payload's new alerts, and the earliest start of these alerts. */
struct newcomers {
	struct id_list ids;
	struct instant first;
	bool has_ends; /* at least one alert of the payload is over */
};

/* Finds the monitors of new alerts. The entries are sorted by monitor. */
static struct newcomers find_newcomers(const struct alert_batch *batch)
{
	struct newcomers found = { .ids = { ARENA_ARRAY(batch->arena, batch->count, int64_t), 0 } };
	for (size_t i = 0; i < batch->count; i++) {
		const struct alert_entry *entry = &batch->entries[i];
		struct instant at = entry->alert->observation.at;
		struct id_list *ids = &found.ids;
		found.has_ends |= alert_is_over(entry);
		if (!entry->is_new)
			continue;
		if (found.first.s == 0 || at.s < found.first.s)
			found.first = at;
		if (ids->count == 0 || ids->ids[ids->count - 1] != entry->monitor->id)
			ids->ids[ids->count++] = entry->monitor->id;
	}
	if (found.ids.count > INCIDENT_MONITORS_MAX)
		found.ids.count = INCIDENT_MONITORS_MAX;
	return found;
}

/* Opens the incident of the group. */
static enum result open_group(struct judging *judging, const struct alert_group *group,
			      const struct newcomers *new, struct incident *incident)
{
	struct service *service = judging->service;
	*incident = (struct incident){
		.account_id = judging->batch.account_id,
		.kind = INCIDENT_REPORTED,
		.title = group->title,
		.started_at = new->first,
		.phase = PHASE_INVESTIGATING,
	};
	incident_cover(incident, &new->ids, service->arena);
	enum result result = incident_report_lock(service->db, incident, NULL, service->arena,
						  service->violations, service->error);
	if (result == OK)
		result = incident_add(service, incident, EVENT_INCIDENT_REPORTED);
	if (result == OK)
		result = alert_group_save(&judging->batch, group->source, incident->id);
	judging->groups_added = 1;
	return result;
}

/* Adds the monitors of new alerts to the incident of the group. */
static enum result widen_group(struct judging *judging, const struct newcomers *new,
			       struct incident *incident)
{
	struct service *service = judging->service;
	struct incident before = *incident;
	incident_cover(incident, &new->ids, service->arena);
	if (incident->monitor_count == before.monitor_count)
		return OK;
	enum result result = incident_report_lock(service->db, incident, NULL, service->arena,
						  service->violations, service->error);
	return result == OK
		       ? incident_change(service, &before, incident, EVENT_INCIDENT_UPDATED, NULL)
		       : result;
}

/* Ends the incident of the group if no alert of the group is firing. */
static enum result end_group(struct judging *judging, const struct alert_group *group,
			     struct incident *incident)
{
	struct alert_group_state state = { 0 };
	enum incident_move move;
	enum result result = alert_group_count(&judging->batch, incident->id, &state);
	if (result != OK || state.firing > 0)
		return result;
	result =
		incident_end(judging->service, incident, state.ended_at, judging->batch.now, &move);
	return result == OK ? alert_group_end(&judging->batch, group->source, state.ended_at)
			    : result;
}

enum result alert_group_settle(struct judging *judging, const struct alert_group *group)
{
	struct service *service = judging->service;
	struct alert_batch *batch = &judging->batch;
	struct incident *incident = ARENA_NEW(service->arena, struct incident);
	const struct newcomers new = find_newcomers(batch);
	int64_t id = 0;
	bool has_new = new.ids.count > 0 && !judging->adds_nothing;
	if (!has_new && !new.has_ends)
		return OK;
	enum result result = alert_group_lock(batch, group->source, &id);
	if (result == OK && id > 0)
		result = incident_find(service->db, batch->account_id, id, true, service->arena,
				       incident, service->error);
	if (result != OK && result != E_NOT_FOUND)
		return result;
	/* If people have resolved or deleted the incident, only a new alert opens another
	 * incident. */
	bool is_open = id > 0 && result == OK && incident->ended_at.s == 0;
	result = OK;
	if (has_new)
		result = is_open ? widen_group(judging, &new, incident)
				 : open_group(judging, group, &new, incident);
	if (result == OK && has_new)
		result = alert_group_join(batch, incident->id);
	return result == OK && (is_open || has_new) && new.has_ends
		       ? end_group(judging, group, incident)
		       : result;
}
