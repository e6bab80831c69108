/* Ends alerts, and the incidents whose alerts are all over. */
#include <stdlib.h>

#include "service/incident/alert_judging.h"

/* An alert that is over, and its incident. */
struct ending {
	int64_t incident_id;
	struct alert_observation *alert;
};

/* Sorts by incident, then in the order of the payload. */
static int by_incident(const void *a, const void *b)
{
	const struct ending *left = a, *right = b;
	if (left->incident_id != right->incident_id)
		return left->incident_id < right->incident_id ? -1 : 1;
	return (left->alert > right->alert) - (left->alert < right->alert);
}

/* Sets the ends of alerts that are over, if their starts were already stored. Lists these alerts in
 * `endings`, sorted by incident, and returns their number. */
static size_t note_ends(struct alert_batch *batch, struct ending *endings)
{
	size_t count = 0;
	for (size_t i = 0; i < batch->count; i++) {
		struct alert_entry *entry = &batch->entries[i];
		if (!entry->source->is_known)
			continue;
		entry->alert->observed.incident_id = entry->source->incident_id;
		if (!alert_is_over(entry) || entry->source->ended_at.s > 0)
			continue;
		alert_set_incident(entry, entry->source->incident_id);
		endings[count++] = (struct ending){ entry->source->incident_id, entry->alert };
	}
	qsort(endings, count, sizeof(*endings), by_incident);
	return count;
}

static enum result end_incident(struct judging *judging, struct incident *incident,
				struct instant ended_at, struct alert_observation *last)
{
	bool has_ended;
	enum result result = judging_end(judging, incident, ended_at, &has_ended);
	last->observed.incident_id = incident->id;
	if (has_ended)
		last->observed.outcome = OBSERVATION_RESOLVED;
	return result;
}

/* Ends the incidents of `found`: no alert keeps them open any more. `found` and `endings` are
 * sorted by incident. */
static enum result end_found(struct judging *judging, const struct db_list *found,
			     const struct ending *endings, size_t count)
{
	struct alert_batch *batch = &judging->batch;
	const struct alert_ended *ended = found->rows;
	struct id_list ids = { ARENA_ARRAY(batch->arena, found->count, int64_t), found->count };
	struct db_list locked = { 0 };
	if (found->count == 0)
		return OK;
	for (size_t i = 0; i < found->count; i++)
		ids.ids[i] = ended[i].incident_id;
	enum result result = alert_batch_lock_incidents(batch, &ids, &locked);
	struct incident *incidents = locked.rows;
	/* `locked` may lack incidents that were deleted after `found` was read. */
	for (size_t i = 0, at = 0, last = 0; result == OK && at < locked.count; at++) {
		while (ended[i].incident_id != incidents[at].id)
			i++;
		while (last + 1 < count && endings[last + 1].incident_id <= incidents[at].id)
			last++;
		result = end_incident(judging, &incidents[at], ended[i].ended_at,
				      endings[last].alert);
	}
	return result == OK ? judging_store(judging) : result;
}

enum result alert_end_incidents(struct judging *judging)
{
	struct alert_batch *batch = &judging->batch;
	struct ending *endings = ARENA_ARRAY(batch->arena, batch->count, struct ending);
	struct db_list found = { 0 };
	size_t count = note_ends(batch, endings), kept = 0;
	if (count == 0)
		return OK;
	int64_t *ids = ARENA_ARRAY(batch->arena, count, int64_t);
	for (size_t i = 0; i < count; i++)
		ids[i] = endings[i].incident_id;
	enum result result = alert_batch_save(batch);
	if (result == OK)
		result = alert_batch_ended(batch, ids, count, &found);
	struct alert_ended *ended = found.rows;
	for (size_t i = 0; result == OK && i < found.count; i++) {
		const struct alert_monitor *monitor =
			alert_batch_monitor(batch, ended[i].monitor_id);
		struct instant first_new = { monitor ? monitor->first_new.s : 0 };
		if (!observation_goes_on(ended[i].firing, first_new, ended[i].ended_at))
			ended[kept++] = ended[i];
	}
	found.count = kept;
	return result == OK ? end_found(judging, &found, endings, count) : result;
}
