#include "service/incident/observations.h"

#include "service/incident/incident_changes.h"
#include "service/incident/observed_incident.h"
#include "store/incident/incident.h"
#include "store/incident/observation.h"
#include "store/page/publication.h"

struct observing {
	enum observed_state state;
	const struct observation *given;
	struct observation observation; /* as it is judged */
	struct monitor_record record;
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

/* In the transaction, since a request with an Idempotency-Key may have had its response. */
static enum result refuse_unknown(struct service *service, const struct observation *observation)
{
	add_violation(service, "monitor", "The selected monitor is invalid.");
	if (observation->at.s > service->now.s + OBSERVATION_SKEW_S)
		add_violation_of_time(service);
	return E_INVALID;
}

static enum result lock_and_settle(struct service *service, struct observing *observing)
{
	struct observation *observation = &observing->observation;
	enum result result =
		service_await_one(service, RUNNING_WRITES_MONITORS, observation->monitor_id);
	if (result == OK)
		result = monitor_record_lock(service->db, observation, service->arena,
					     &observing->record, service->error);
	if (result != OK)
		return result;
	if (observation_settle(observation, &observing->record))
		return OK;
	add_violation_of_time(service);
	return E_INVALID;
}

static enum result observe_down(struct service *service, struct observing *observing)
{
	struct observation *observation = &observing->observation;
	struct observed *observed = observing->observed;
	struct incident *last = NULL;
	enum result result = OK;
	if (!observation->is_now)
		result = observed_incident_find_last(service, observation, service->arena, &last);
	if (result != OK)
		return result;
	switch (observation_judge_down(observation, &observing->record, last)) {
	case OBSERVATION_KNOWN:
		observed->incident_id = last->id;
		return OK;
	case OBSERVATION_RECORD:
		observation->ended_at = observing->record.last_up_at;
		return observed_incident_record(service, observation, observed);
	case OBSERVATION_OPEN:
		break;
	}
	if (observing->record.open_id > 0)
		observed->incident_id = observing->record.open_id;
	else
		result = observed_incident_open(service, observation, service->arena, observed);
	if (result == OK && observed->outcome == OBSERVATION_UNCHANGED && !observation->is_now)
		result = observed_incident_backdate(service, observation, observed->incident_id,
						    service->arena);
	return result;
}

/* The first state of a monitor changes what pages show of it. */
static enum result begin_record(struct service *service, const struct observation *observation)
{
	const struct publication_change change = {
		.monitor_id = observation->monitor_id,
		.known_since = observation->at,
		.now = observation->now,
	};
	return publication_mark_dirty(service->db, &change, service->error);
}

static enum result observe_up(struct service *service, struct observing *observing)
{
	struct observation *observation = &observing->observation;
	struct incident open;
	enum result result = OK;
	/* A time that is not believed counts as none, and is replaced. */
	if (observation_is_latest_up(observation, &observing->record))
		result = monitor_record_up(service->db, observation, service->error);
	if (result == OK && observation_begins_record(observation, &observing->record))
		result = begin_record(service, observation);
	if (result != OK || observing->record.open_id == 0)
		return result;
	result = incident_find_open(service->db, observation->monitor_id, service->arena, &open,
				    service->error);
	if (result != OK)
		return result == E_NOT_FOUND ? OK : result;
	if (!observation_ends(observation, &open))
		return OK;
	observation->ended_at = observation->at;
	return observed_incident_end(service, &open, observation, observing->observed);
}

static enum result observe_work(struct service *service, void *context)
{
	struct observing *observing = context;
	const struct observation *given = observing->given;
	struct observed *observed = observing->observed;
	*observed = (struct observed){ .monitor_id = given->monitor_id };
	if (given->monitor_id == 0)
		return refuse_unknown(service, given);
	observing->observation = *given;
	enum result result = lock_and_settle(service, observing);
	/* Even if unchanged: the worker that stored this may have died before publishing. */
	if (!observing->record.is_on_no_page)
		service_mark_monitor(service, given->monitor_id, given->account_id);
	if (result == OK)
		result = observing->state == OBSERVED_DOWN ? observe_down(service, observing)
							   : observe_up(service, observing);
	return result == OK ? observed_incident_count(service, given->account_id,
						      observation_is_addition(observed->outcome))
			    : result;
}

enum result service_observe(struct service *service, enum observed_state state,
			    const struct observation *observation, struct observed *observed)
{
	struct observing observing = { .state = state, .given = observation, .observed = observed };
	return service_transact(service, PERMISSION_REPORT, observe_work, &observing, observed);
}

static enum result open_work(struct service *service, void *context)
{
	struct observing *observing = context;
	const struct observation *given = observing->given;
	service_mark_monitor(service, given->monitor_id, given->account_id);
	enum result result =
		observed_incident_open(service, given, service->arena, observing->observed);
	return result == OK ? observed_incident_count(
				      service, given->account_id,
				      observation_is_addition(observing->observed->outcome))
			    : result;
}

enum result service_open_incident(struct service *service, const struct observation *observation,
				  struct observed *observed)
{
	struct observing observing = { .given = observation, .observed = observed };
	return service_transact(service, PERMISSION_REPORT, open_work, &observing, observed);
}
