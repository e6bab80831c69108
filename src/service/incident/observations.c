#include "service/incident/observations.h"

#include "service/incident/alert_judging.h"
#include "service/incident/incident_changes.h"
#include "store/incident/incident.h"
#include "store/page/publication.h"

/* A single observation. It is judged like a payload of one alert without a source. A hook does not
 * tell which observations belong to one incident, so only their times decide. */
struct observing {
	enum observed_state state;
	bool is_certain; /* open an incident without judging */
	const struct observation *given;
	struct observed *observed;
};

static void add_violation(struct service *service, const char *field, const char *message)
{
	if (!violations_has(service->violations, field))
		violations_add(service->violations, field, "%s", message);
}

static void add_violation_of_time(struct service *service)
{
	add_violation(service, "at", "The at field must not be in the future.");
}

/*
 * Refuses an observation without a monitor. Runs in the transaction, because a repeated request
 * with an Idempotency-Key gets its stored response instead.
 */
static enum result refuse_unknown(struct service *service, const struct observation *observation)
{
	add_violation(service, "monitor", "The selected monitor is invalid.");
	if (observation->at.s > service->now.s + OBSERVATION_SKEW_S)
		add_violation_of_time(service);
	return E_INVALID;
}

/* Locks and reads the monitor's open incident. */
static enum result lock_open(struct judging *judging, struct alert_monitor *monitor)
{
	struct db_list found = { 0 };
	const struct id_list ids = { &monitor->open_id, 1 };
	enum result result = alert_batch_lock_incidents(&judging->batch, &ids, &found);
	monitor->open = found.count > 0 ? found.rows : NULL;
	if (!monitor->open)
		return result;
	monitor->open->is_on_no_page = monitor->is_on_no_page;
	monitor->open_since = monitor->open->started_at;
	return result;
}

/* Adds the observation to the open incident. Moves the incident's start back if the observation is
 * earlier. */
static enum result join_open(struct judging *judging, struct alert_entry *entry)
{
	struct alert_monitor *monitor = entry->monitor;
	const struct observation *observation = &entry->alert->observation;
	entry->alert->observed.incident_id = monitor->open_id;
	if (observation->is_now)
		return OK;
	enum result result = lock_open(judging, monitor);
	/* If the incident was deleted before the lock, there is nothing to move. */
	if (result != OK || !monitor->open || observation->at.s >= monitor->open_since.s)
		return result;
	result = judging_backdate(judging, entry);
	return result == OK ? judging_change_open(judging, monitor) : result;
}

/* Adds an incident, which is open or has ended at observation->ended_at. */
static enum result add_incident(struct judging *judging, struct alert_entry *entry)
{
	struct observed *observed = &entry->alert->observed;
	struct incident *incident = NULL;
	enum result result = judging_add(judging, entry, &incident);
	if (result == OK)
		result = judging_store(judging);
	observed->outcome = alert_is_over(entry) ? OBSERVATION_RECORDED : OBSERVATION_OPENED;
	observed->incident_id = incident ? incident->id : 0;
	return result;
}

static enum result observe_down(struct judging *judging, struct alert_entry *entry)
{
	struct alert_batch *batch = &judging->batch;
	struct observation *observation = &entry->alert->observation;
	struct incident last = { 0 };
	enum result result = E_NOT_FOUND;
	if (!observation->is_now)
		result = incident_find_last(batch->db, entry->monitor->id, observation->at,
					    batch->arena, &last, batch->error);
	if (result != OK && result != E_NOT_FOUND)
		return result;
	switch (observation_judge_down(observation, entry->monitor->last_up_at,
				       result == OK ? &last : NULL)) {
	case OBSERVATION_KNOWN:
		entry->alert->observed.incident_id = last.id;
		return OK;
	case OBSERVATION_RECORD:
		observation->ended_at = entry->monitor->last_up_at;
		return add_incident(judging, entry);
	case OBSERVATION_OPEN:
		break;
	}
	return entry->monitor->open_id > 0 ? join_open(judging, entry)
					   : add_incident(judging, entry);
}

/* Makes the observation the start of the monitor's record, and marks the monitor's pages, because
 * they show when the record begins. */
static enum result begin_record(struct judging *judging, const struct observation *observation)
{
	const struct publication_change change = {
		.monitor_id = observation->monitor_id,
		.known_since = observation->at,
		.now = observation->now,
	};
	return publication_mark_dirty(judging->batch.db, &change, judging->batch.error);
}

static enum result observe_up(struct judging *judging, struct alert_entry *entry)
{
	struct alert_monitor *monitor = entry->monitor;
	const struct observation *observation = &entry->alert->observation;
	struct observed *observed = &entry->alert->observed;
	bool has_ended = false;
	enum result result = OK;
	/* A stored last_up_at that is in the future counts as missing, so it is replaced. */
	if (observation_is_latest_up(observation, monitor->last_up_at))
		result = alert_batch_up(&judging->batch, observation);
	if (result == OK && observation_begins_record(observation, monitor->known_since))
		result = begin_record(judging, observation);
	if (result == OK && monitor->open_id > 0)
		result = lock_open(judging, monitor);
	if (result != OK || !monitor->open || !observation_ends(observation, monitor->open))
		return result;
	observed->incident_id = monitor->open_id;
	result = judging_end(judging, monitor->open, observation->at, &has_ended);
	if (has_ended)
		observed->outcome = OBSERVATION_RESOLVED;
	return result;
}

static enum result judge(struct judging *judging, const struct observing *observing)
{
	struct alert_entry *entry = &judging->batch.entries[0];
	struct observation *observation = &entry->alert->observation;
	struct alert_monitor *monitor = entry->monitor;
	entry->alert->observed.incident_id = monitor->open_id;
	if (observing->is_certain)
		return monitor->open_id > 0 ? OK : add_incident(judging, entry);
	entry->alert->observed.incident_id = 0;
	if (!observation_settle(observation, &monitor->last_up_at, judging->batch.now)) {
		add_violation_of_time(judging->service);
		return E_INVALID;
	}
	return observing->state == OBSERVED_DOWN ? observe_down(judging, entry)
						 : observe_up(judging, entry);
}

static enum result observe_work(struct service *service, void *context)
{
	const struct observing *observing = context;
	const struct observation *given = observing->given;
	struct arena row CLEANUP(arena_done);
	struct alert_observation alert = { .observation = *given };
	struct judging judging = {
		.batch = { .db = service->db,
			   .account_id = given->account_id,
			   .arena = service->arena,
			   .row = &row,
			   .error = service->error },
		.service = service,
	};
	arena_init(&row, service->arena->cap_bytes);
	*observing->observed = (struct observed){ .monitor_id = given->monitor_id };
	if (given->monitor_id == 0)
		return refuse_unknown(service, given);
	enum result result = judging_begin(&judging, &alert, 1);
	if (result == OK && alert.is_gone)
		result = E_NOT_FOUND;
	/* Publish even without a change: the process that stored this observation in an earlier
	 * request may have died before it published. */
	if (alert.is_gone || result != OK || !judging.batch.monitors[0].is_on_no_page)
		service_mark_monitor(service, given->monitor_id, given->account_id);
	if (result == OK)
		result = judge(&judging, observing);
	*observing->observed = alert.observed;
	return result == OK
		       ? incident_count_additions(service, given->account_id,
						  observation_is_addition(alert.observed.outcome))
		       : result;
}

enum result service_observe(struct service *service, enum observed_state state,
			    const struct observation *observation, struct observed *observed)
{
	struct observing observing = { .state = state, .given = observation, .observed = observed };
	return service_transact(service, PERMISSION_REPORT, observe_work, &observing, observed);
}

enum result service_open_incident(struct service *service, const struct observation *observation,
				  struct observed *observed)
{
	struct observing observing = { .is_certain = true,
				       .given = observation,
				       .observed = observed };
	return service_transact(service, PERMISSION_REPORT, observe_work, &observing, observed);
}
