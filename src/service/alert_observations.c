/* How a payload of alerts is judged: see service_observe_alerts(). */
#include <stdlib.h>

#include "service/observations.h"
#include "service/observing.h"
#include "store/alert_batch.h"
#include "store/incident.h"

/* A payload in the transaction. */
struct judging {
	struct alert_batch batch;
	struct service *service;
	bool adds_nothing; /* the quota is used up: no incident is opened or recorded */
};

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

static bool is_over(const struct alert_entry *entry)
{
	return entry->alert->observation.ended_at.s > 0;
}

static void set_incident(struct alert_entry *entry, int64_t incident_id)
{
	entry->source->incident_id = incident_id;
	entry->source->ended_at = entry->alert->observation.ended_at;
	entry->source->is_known = entry->source->is_changed = true;
	entry->alert->observed.incident_id = incident_id;
}

/* An alert that is over now, and its incident. */
struct ending {
	int64_t incident_id;
	struct alert_observation *alert;
};

/* By incident, then in the order of the payload. */
static int by_incident(const void *a, const void *b)
{
	const struct ending *left = a, *right = b;
	if (left->incident_id != right->incident_id)
		return left->incident_id < right->incident_id ? -1 : 1;
	return (left->alert > right->alert) - (left->alert < right->alert);
}

/* Sets the ends of alerts whose beginning is known, and lists these alerts. */
static size_t note_ends(struct alert_batch *batch, struct ending *endings)
{
	size_t count = 0;
	for (size_t i = 0; i < batch->count; i++) {
		struct alert_entry *entry = &batch->entries[i];
		if (!entry->source->is_known)
			continue;
		entry->alert->observed.incident_id = entry->source->incident_id;
		if (!is_over(entry) || entry->source->ended_at.s > 0)
			continue;
		set_incident(entry, entry->source->incident_id);
		endings[count++] = (struct ending){ entry->source->incident_id, entry->alert };
	}
	qsort(endings, count, sizeof(*endings), by_incident);
	return count;
}

static enum result end_incident(struct judging *judging, const struct alert_ended *ended,
				struct alert_observation *last)
{
	struct alert_batch *batch = &judging->batch;
	struct incident incident;
	struct observation observation = last->observation;
	observation.ended_at = ended->ended_at;
	arena_reset(batch->row);
	enum result result = incident_find(batch->db, batch->account_id, ended->incident_id, true,
					   batch->row, &incident, batch->error);
	/* Deleted meanwhile: nothing is left to end. */
	if (result != OK)
		return result == E_NOT_FOUND ? OK : result;
	return observing_end(judging->service, &incident, &observation, &last->observed);
}

/*
 * Ends the incidents of which no alert is left, at the latest end of their alerts. An incident
 * goes on where another alert of the payload had begun by then.
 */
static enum result end_incidents(struct judging *judging)
{
	struct alert_batch *batch = &judging->batch;
	struct ending *endings = ARENA_ARRAY(batch->arena, batch->count, struct ending);
	struct db_list found = { 0 };
	size_t count = note_ends(batch, endings);
	if (count == 0)
		return OK;
	int64_t *ids = ARENA_ARRAY(batch->arena, count, int64_t);
	for (size_t i = 0; i < count; i++)
		ids[i] = endings[i].incident_id;
	enum result result = alert_batch_save(batch);
	if (result == OK)
		result = alert_batch_ended(batch, ids, count, &found);
	const struct alert_ended *ended = found.rows;
	for (size_t i = 0, at = 0; result == OK && i < found.count; i++) {
		struct alert_monitor *monitor = alert_batch_monitor(batch, ended[i].monitor_id);
		while (at + 1 < count && (endings[at].incident_id < ended[i].incident_id ||
					  endings[at + 1].incident_id == ended[i].incident_id))
			at++;
		struct instant first_new = { monitor ? monitor->first_new.s : 0 };
		if (observation_goes_on(ended[i].firing, first_new, ended[i].ended_at))
			continue;
		result = end_incident(judging, &ended[i], endings[at].alert);
		if (monitor && monitor->open_id == ended[i].incident_id)
			monitor->open_id = 0;
	}
	return result;
}

static void find_first_starts(struct alert_batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		struct alert_entry *entry = &batch->entries[i];
		struct instant *first = &entry->monitor->first_new;
		struct instant at = entry->alert->observation.at;
		if (!entry->source->is_known && !is_over(entry) &&
		    (first->s == 0 || at.s < first->s))
			*first = at;
	}
}

/* A statement for a monitor at most, since alerts come by their start. */
static enum result join_incident(struct judging *judging, struct alert_entry *entry)
{
	struct alert_batch *batch = &judging->batch;
	struct alert_monitor *monitor = entry->monitor;
	const struct observation *observation = &entry->alert->observation;
	entry->alert->observed.incident_id = monitor->open_id;
	if (observation->at.s >= monitor->open_since.s)
		return OK;
	monitor->open_since = observation->at;
	arena_reset(batch->row);
	return observing_backdate(judging->service, observation, monitor->open_id, batch->row);
}

static enum result open_incident(struct judging *judging, struct alert_entry *entry)
{
	arena_reset(judging->batch.row);
	return observing_open(judging->service, &entry->alert->observation, judging->batch.row,
			      &entry->alert->observed);
}

/* Alerts that begin: each joins its monitor's open incident, or opens one. */
static enum result begin_alerts(struct judging *judging)
{
	struct alert_batch *batch = &judging->batch;
	enum result result = OK;
	for (size_t i = 0; result == OK && i < batch->count; i++) {
		struct alert_entry *entry = &batch->entries[i];
		bool has_incident = entry->monitor->open_id > 0;
		if (entry->source->is_known || is_over(entry) ||
		    (judging->adds_nothing && !has_incident))
			continue;
		result = has_incident ? join_incident(judging, entry)
				      : open_incident(judging, entry);
		entry->monitor->open_id = entry->alert->observed.incident_id;
		set_incident(entry, entry->alert->observed.incident_id);
	}
	for (size_t i = 0; i < batch->monitor_count; i++)
		batch->monitors[i].first_new = (struct instant){ 0 };
	return result;
}

static bool is_old(const struct alert_entry *entry)
{
	return !entry->source->is_known && is_over(entry);
}

/*
 * Records an alert that is over and whose beginning was never reported. Those of the monitor that
 * follow it and had begun by its end make one incident with it.
 */
static enum result record_alert(struct judging *judging, size_t from)
{
	struct alert_batch *batch = &judging->batch;
	struct alert_entry *entry = &batch->entries[from];
	struct observation observation = entry->alert->observation;
	struct observed *observed = &entry->alert->observed;
	size_t to = from;
	for (; to < batch->count && batch->entries[to].monitor == entry->monitor; to++) {
		const struct observation *next = &batch->entries[to].alert->observation;
		if (next->at.s > observation.ended_at.s)
			break;
		if (is_old(&batch->entries[to]) && next->ended_at.s > observation.ended_at.s)
			observation.ended_at = next->ended_at;
	}
	enum result result = observing_record(judging->service, &observation, observed);
	for (size_t i = from; result == OK && i < to; i++)
		if (is_old(&batch->entries[i]))
			set_incident(&batch->entries[i], observed->incident_id);
	return result;
}

static enum result judge_old_alert(struct judging *judging, size_t at)
{
	struct alert_batch *batch = &judging->batch;
	struct alert_entry *entry = &batch->entries[at];
	const struct observation *observation = &entry->alert->observation;
	struct incident *last;
	arena_reset(batch->row);
	enum result result = observing_find_last(judging->service, observation, batch->row, &last);
	if (result != OK)
		return result;
	if (last && observation_is_within(last, observation->at, observation->now)) {
		set_incident(entry, last->id);
		return OK;
	}
	return judging->adds_nothing ? OK : record_alert(judging, at);
}

static enum result record_alerts(struct judging *judging)
{
	struct alert_batch *batch = &judging->batch;
	enum result result = OK;
	for (size_t i = 0; result == OK && i < batch->count; i++)
		if (is_old(&batch->entries[i]))
			result = judge_old_alert(judging, i);
	return result;
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
		batch->entries[batch->count++] = (struct alert_entry){ alert, monitor, NULL };
	}
	qsort(batch->entries, batch->count, sizeof(*batch->entries), by_start);
}

static enum result judge_entries(struct judging *judging)
{
	enum result result = alert_batch_read(&judging->batch);
	if (result != OK)
		return result;
	find_first_starts(&judging->batch);
	result = end_incidents(judging);
	if (result == OK)
		result = begin_alerts(judging);
	if (result == OK)
		result = record_alerts(judging);
	/* An alert that began above may be over in the same payload. */
	if (result == OK)
		result = end_incidents(judging);
	return result == OK ? alert_batch_save(&judging->batch) : result;
}

static enum result judge_alerts(struct judging *judging, const struct alert_observations *alerts)
{
	struct arena row CLEANUP(arena_done);
	struct alert_batch *batch = &judging->batch;
	arena_init(&row, alerts->arena->cap_bytes);
	batch->row = &row;
	if (alerts->count == 0)
		return OK;
	enum result result = alert_batch_lock(batch, alerts->rows, alerts->count);
	if (result != OK)
		return result;
	make_entries(batch, alerts);
	return batch->count > 0 ? judge_entries(judging) : OK;
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
	/* Even if unchanged: the worker that stored these may have died before publishing. */
	for (size_t i = 0; i < alerts->count; i++)
		service_mark_monitor(service, alerts->rows[i].observation.monitor_id,
				     alerts->account_id);
	arena_reset(alerts->arena);
	enum result result = judge_alerts(&judging, alerts);
	return result == OK ? observing_count(service, alerts->account_id, count_additions(alerts))
			    : result;
}

enum result service_observe_alerts(struct service *service, struct alert_observations *alerts)
{
	struct observing_alerts observing = { alerts, false };
	enum result result = service_transact(service, observe_work, &observing, alerts);
	if (result != E_QUOTA_EXCEEDED)
		return result;
	/* The sender repeats a refused payload. The ends of its alerts are stored now. */
	struct error refusal = *service->error;
	observing.adds_nothing = true;
	if (service_transact_silently(service, observe_work, &observing) != OK)
		alerts->count = 0;
	*service->error = refusal;
	return result;
}
