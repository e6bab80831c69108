#include "store/alert_batch.h"

#include <stdlib.h>

/* By monitor and start; those of one start as they came. */
static int by_start(const void *a, const void *b)
{
	const struct alert_entry *left = a, *right = b;
	int64_t apart = left->monitor->id - right->monitor->id;
	if (apart == 0)
		apart = left->alert->report.at.s - right->alert->report.at.s;
	if (apart == 0)
		apart = left->alert < right->alert ? -1 : 1;
	return apart < 0 ? -1 : 1;
}

static bool is_over(const struct alert_entry *entry)
{
	return entry->alert->report.ended_at.s > 0;
}

static void know(struct alert_entry *entry, int64_t incident_id)
{
	entry->source->incident_id = incident_id;
	entry->source->ended_at = entry->alert->report.ended_at;
	entry->source->is_known = entry->source->is_changed = true;
	entry->alert->reported.incident_id = incident_id;
}

/* An alert that is over now, and its incident. */
struct ending {
	int64_t incident_id;
	struct alert_report *alert;
};

/* By incident, and as they came. */
static int by_incident(const void *a, const void *b)
{
	const struct ending *left = a, *right = b;
	if (left->incident_id != right->incident_id)
		return left->incident_id < right->incident_id ? -1 : 1;
	return (left->alert > right->alert) - (left->alert < right->alert);
}

/* Notes the ends of alerts whose beginning is known, and lists those. */
static size_t note_ends(struct alert_batch *batch, struct ending *endings)
{
	size_t count = 0;
	for (size_t i = 0; i < batch->count; i++) {
		struct alert_entry *entry = &batch->entries[i];
		if (!entry->source->is_known)
			continue;
		entry->alert->reported.incident_id = entry->source->incident_id;
		if (!is_over(entry) || entry->source->ended_at.s > 0)
			continue;
		know(entry, entry->source->incident_id);
		endings[count++] = (struct ending){ entry->source->incident_id, entry->alert };
	}
	qsort(endings, count, sizeof(*endings), by_incident);
	return count;
}

static enum result end_one(struct alert_batch *batch, const struct alert_ended *ended,
			   struct alert_report *last)
{
	struct incident incident;
	struct report report = last->report;
	report.ended_at = ended->ended_at;
	arena_reset(batch->row);
	enum result result = incident_find(batch->db, batch->account_id, ended->incident_id, true,
					   batch->row, &incident, batch->error);
	/* Deleted meanwhile: nothing is left to end. */
	if (result != OK)
		return result == E_NOT_FOUND ? OK : result;
	return report_end_incident(batch->db, &incident, &report, batch->actor, &last->reported,
				   batch->error);
}

/*
 * Ends the incidents of which no alert is left, at the latest end of their alerts. One
 * goes on where another alert of the payload had begun by then.
 */
static enum result settle(struct alert_batch *batch)
{
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
		bool goes_on = ended[i].firing > 0 || (monitor && monitor->first_new.s > 0 &&
						       monitor->first_new.s <= ended[i].ended_at.s);
		if (goes_on)
			continue;
		result = end_one(batch, &ended[i], endings[at].alert);
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
		struct instant at = entry->alert->report.at;
		if (!entry->source->is_known && !is_over(entry) &&
		    (first->s == 0 || at.s < first->s))
			*first = at;
	}
}

static enum result open_one(struct alert_batch *batch, const struct report *report,
			    struct reported *reported)
{
	arena_reset(batch->row);
	return report_open(batch->db, report, batch->actor, batch->row, reported, batch->error);
}

/* A statement for a monitor at most, since alerts come by their start. */
static enum result join(struct alert_batch *batch, struct alert_entry *entry)
{
	struct alert_monitor *monitor = entry->monitor;
	const struct report *report = &entry->alert->report;
	entry->alert->reported.incident_id = monitor->open_id;
	if (report->at.s >= monitor->open_since.s)
		return OK;
	monitor->open_since = report->at;
	arena_reset(batch->row);
	return report_begin_earlier(batch->db, report, monitor->open_id, batch->actor, batch->row,
				    batch->error);
}

/* Alerts that begin: each joins its monitor's open incident, or opens one. */
static enum result begin_alerts(struct alert_batch *batch)
{
	enum result result = OK;
	for (size_t i = 0; result == OK && i < batch->count; i++) {
		struct alert_entry *entry = &batch->entries[i];
		struct reported *reported = &entry->alert->reported;
		if (entry->source->is_known || is_over(entry) ||
		    (batch->adds_nothing && entry->monitor->open_id == 0))
			continue;
		if (entry->monitor->open_id == 0)
			result = open_one(batch, &entry->alert->report, reported);
		else
			result = join(batch, entry);
		entry->monitor->open_id = reported->incident_id;
		know(entry, reported->incident_id);
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
 * An alert is over whose beginning was never heard of. Those of the monitor that follow
 * it and had begun by its end make one incident with it.
 */
static enum result record_alert(struct alert_batch *batch, size_t from)
{
	struct alert_entry *entry = &batch->entries[from];
	struct report report = entry->alert->report;
	struct reported *reported = &entry->alert->reported;
	arena_reset(batch->row);
	enum result result =
		report_find(batch->db, &report, batch->row, &reported->incident_id, batch->error);
	if (result == OK)
		know(entry, reported->incident_id);
	if (result == E_NOT_FOUND && batch->adds_nothing)
		return OK;
	if (result != E_NOT_FOUND)
		return result;
	size_t to = from;
	for (; to < batch->count && batch->entries[to].monitor == entry->monitor; to++) {
		const struct report *next = &batch->entries[to].alert->report;
		if (next->at.s > report.ended_at.s)
			break;
		if (is_old(&batch->entries[to]) && next->ended_at.s > report.ended_at.s)
			report.ended_at = next->ended_at;
	}
	result = report_record(batch->db, &report, batch->actor, reported, batch->error);
	for (size_t i = from; result == OK && i < to; i++)
		if (is_old(&batch->entries[i]))
			know(&batch->entries[i], reported->incident_id);
	return result;
}

static enum result record_alerts(struct alert_batch *batch)
{
	enum result result = OK;
	for (size_t i = 0; result == OK && i < batch->count; i++)
		if (is_old(&batch->entries[i]))
			result = record_alert(batch, i);
	return result;
}

int64_t report_alerts_additions(const struct alert_reports *reports)
{
	int64_t count = 0;
	for (size_t i = 0; i < reports->count; i++)
		count += report_is_addition(reports->rows[i].reported.outcome);
	return count;
}

static enum result apply(struct alert_batch *batch)
{
	qsort(batch->entries, batch->count, sizeof(*batch->entries), by_start);
	enum result result = alert_batch_read(batch);
	if (result != OK)
		return result;
	find_first_starts(batch);
	result = settle(batch);
	if (result == OK)
		result = begin_alerts(batch);
	if (result == OK)
		result = record_alerts(batch);
	/* An alert that began above may be over in the same payload. */
	if (result == OK)
		result = settle(batch);
	return result == OK ? alert_batch_save(batch) : result;
}

enum result report_alerts(struct db *db, const struct alert_reports *reports,
			  const struct incident_actor *actor, struct arena *arena,
			  struct error *error)
{
	struct arena row CLEANUP(arena_done);
	struct alert_batch batch = { .db = db,
				     .account_id = reports->account_id,
				     .adds_nothing = reports->adds_nothing,
				     .actor = actor,
				     .arena = arena,
				     .row = &row,
				     .error = error };
	arena_init(&row, arena->cap_bytes);
	if (reports->count == 0)
		return OK;
	enum result result = alert_batch_lock(&batch, reports->rows, reports->count);
	return result == OK && batch.count > 0 ? apply(&batch) : result;
}
