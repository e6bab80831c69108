#include "service/incident/incidents.h"

#include "domain/incident/update_impacts.h"
#include "service/incident/incident_changes.h"
#include "service/incident/incident_reports.h"
#include "service/incident/pending_updates.h"
#include "store/incident/incident.h"
#include "store/incident/incident_report.h"
#include "store/incident/incident_update.h"

/* Adds a comment as a new update, so that no published text is overwritten. */
static enum result add_comment(struct service *service, const struct incident *incident,
			       int64_t *update_id)
{
	struct posted_update update = {
		.phase = incident->phase,
		.body = incident->comment,
		.at = service->now,
		.impacts = update_impacts_text(incident->monitors, incident->monitor_count,
					       incident, service->arena),
	};
	enum result result = incident_update_insert(service->db, incident, INCIDENT_UPDATES_MAX,
						    &update, service->error);
	*update_id = update.id;
	return incident_updates_full(service, result, "comment");
}

/* Handles an empty comment: deletes the newest update. The body of the update before it is then the
 * comment of the incident. */
static enum result withdraw_comment(struct service *service, struct incident *incident)
{
	struct posted_update newest;
	enum result result = incident_update_newest(service->db, incident->id, service->arena,
						    &newest, service->error);
	if (result == OK)
		result = incident_update_delete(service->db, newest.id, service->error);
	if (result != OK)
		return result == E_NOT_FOUND ? OK : result;
	return incident_take_comment(service, incident);
}

/* Stores or withdraws the comment. Sets *update_id to the id of the new update; a withdrawal does
 * not change it. */
static enum result store_comment(struct service *service, struct incident *incident,
				 int64_t *update_id)
{
	return incident->comment ? add_comment(service, incident, update_id)
				 : withdraw_comment(service, incident);
}

/* Adds a violation if the incident overlaps another incident of its monitor. Observations are
 * judged by the monitor's last incident, so its incidents must not overlap. */
static enum result check_overlap(struct service *service, const struct incident *incident)
{
	int64_t other = 0;
	enum result result = incident_find_overlap(service->db, incident, service->arena, &other,
						   service->error);
	if (result == OK)
		violations_add(service->violations, "started_at",
			       "The times overlap with those of incident %lld of the monitor.",
			       (long long)other);
	return result == E_NOT_FOUND ? OK : result;
}

/* Stores the changed incident, with an event for each changed part. `update_id` is the update that
 * a new comment has added; 0: the comment was withdrawn or not changed. */
static enum result change_incident(struct service *service, const struct incident *before,
				   struct incident *after, const struct incident_changes *changes,
				   int64_t update_id)
{
	bool is_comment = changes->acknowledgement == EVENT_INCIDENT_COMMENTED;
	const struct incident_why why[INCIDENT_WHY_MAX] = {
		{ is_comment && update_id == 0 ? EVENT_INCIDENT_UPDATE_WITHDRAWN
					       : changes->acknowledgement,
		  changes->is_comment_new ? after->comment : NULL, update_id },
		{ .kind = changes->end },
		{ .kind = changes->fields },
		{ .kind = changes->postmortem },
	};
	return incident_change_all(service, before, after, why);
}

struct updating {
	int64_t id;
	const struct incident_update *update;
	struct incident_resource *outcome;
};

/* Stores the request for a second person, if a second person must publish the change. An
 * acknowledgement alone is not public, so it does not wait. */
static enum result hold(struct service *service, const struct updating *updating,
			const struct incident *incident, const struct incident_changes *changes)
{
	bool is_public = changes->is_comment_new || changes->end != EVENT_NONE ||
			 changes->fields != EVENT_NONE || changes->postmortem != EVENT_NONE;
	return is_public ? pending_update_hold(service, PENDING_CHANGE, incident, 0,
					       &updating->update->input, updating->update->sent)
			 : pending_update_take(service, incident->id);
}

static enum result update_work(struct service *service, void *context)
{
	const struct updating *updating = context;
	struct incident before, *incident = &updating->outcome->row;
	int64_t update_id = 0;
	enum result result = incident_lock(service, updating->id, &before);
	if (result == OK)
		result = service_admit(service, &before);
	if (result != OK)
		return result;
	*incident = incident_copy(&before, service->arena);
	struct incident_changes changes =
		incident_apply(incident, updating->update, service->now, service->violations);
	if (changes.are_times_new && incident->kind == INCIDENT_DETECTED &&
	    service->violations->count == 0)
		result = check_overlap(service, incident);
	if (result == OK && changes.are_monitors_new && service->violations->count == 0)
		result = incident_report_lock(service->db, incident,
					      &updating->update->input.monitor_ids, service->arena,
					      service->violations, service->error);
	if (service->violations->count > 0)
		return E_INVALID;
	if (result == OK)
		result = hold(service, updating, incident, &changes);
	if (result != OK || service->held)
		return result;
	/* Publish even without a change: the process that stored this change in an earlier request
	 * may have died before it published. */
	incident_publish(service, incident);
	/* The new impact is valid from the start of the incident, so clear the impacts that earlier
	 * updates have set. */
	if (result == OK && before.comment && incident->impact != before.impact)
		result = incident_update_forget_impacts(service->db, incident->id, service->error);
	if (result == OK && changes.is_comment_new)
		result = store_comment(service, incident, &update_id);
	if (result == OK && incident_has_changed(&changes))
		result = change_incident(service, &before, incident, &changes, update_id);
	return result == OK ? incident_updates_read(service->db, incident, service->arena,
						    &updating->outcome->updates, service->error)
			    : result;
}

enum result service_update_incident(struct service *service, int64_t id,
				    const struct incident_update *update,
				    struct incident_resource *outcome)
{
	struct updating updating = { id, update, outcome };
	return service_transact(service, PERMISSION_RESPOND, update_work, &updating, outcome);
}

struct resolving {
	const struct incident_resolution *resolution;
	struct incident *incident;
	enum incident_move move;
};

static enum result find_open_incident(struct service *service, int64_t monitor_id,
				      struct incident *incident)
{
	int64_t account_id = service->principal.account_id;
	enum result result = incident_find_open(service->db, monitor_id, service->arena, incident,
						service->error);
	bool is_foreign = account_id > 0 && result == OK && incident->account_id != account_id;
	return is_foreign ? E_NOT_FOUND : result;
}

static enum result resolve_work(struct service *service, void *context)
{
	struct resolving *resolving = context;
	const struct incident_resolution *resolution = resolving->resolution;
	enum result result =
		resolution->monitor_id > 0
			? find_open_incident(service, resolution->monitor_id, resolving->incident)
			: incident_lock(service, resolution->incident_id, resolving->incident);
	if (result != OK)
		return result;
	incident_publish(service, resolving->incident);
	return incident_end(service, resolving->incident, resolution->at, service->now,
			    &resolving->move);
}

enum result service_resolve_incident(struct service *service,
				     const struct incident_resolution *resolution,
				     struct incident *incident, bool *is_new)
{
	struct resolving resolving = { resolution, incident, INCIDENT_WAS_SO };
	enum result result =
		service_transact(service, PERMISSION_RESPOND, resolve_work, &resolving, incident);
	*is_new = resolving.move == INCIDENT_MOVED;
	return result;
}

struct deleting {
	int64_t id;
	struct incident *incident;
};

static enum result delete_work(struct service *service, void *context)
{
	const struct deleting *deleting = context;
	enum result result = incident_lock(service, deleting->id, deleting->incident);
	if (result == OK)
		result = service_admit(service, deleting->incident);
	if (result != OK)
		return result;
	return incident_remove(service, deleting->incident);
}

enum result service_delete_incident(struct service *service, int64_t id, struct incident *incident)
{
	struct deleting deleting = { id, incident };
	return service_transact(service, PERMISSION_RESPOND, delete_work, &deleting, incident);
}
