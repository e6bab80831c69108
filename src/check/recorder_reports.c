/*
 * The recorder's part that makes reports, from a queue. A report is about a change of a monitor's
 * state, or about a gap. A run makes one gap, or the first reports of the monitors of one account,
 * in one transaction. If the reports of an account fail, or its quota is used up, the reports of
 * other accounts go on.
 */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "check/recorder_parts.h"

enum { BATCH_MAX = 1000 };

static void free_report(struct report *report)
{
	free(report->gaps);
	free(report);
}

static void enqueue(struct reports *reports, const struct report *given)
{
	struct report *report = memory_needed(malloc(sizeof(*report)));
	*report = *given;
	report->next = NULL;
	*reports->last = report;
	reports->last = &report->next;
	reports->count++;
	if (report->entry)
		report->entry->reports++;
	else
		reports->gaps++;
	reports_start(reports);
}

/* Returns the kind of outage that should have been reported for the present state of the
 * monitor. */
static int expected(const struct entry *entry)
{
	const struct check_state *state = &entry->record.state;
	if (entry->is_paused)
		return CHECK_REPORT_NONE;
	if (state->phase == CHECK_DOWN ||
	    (state->phase == CHECK_UP && state->is_flapping && !state->is_slow))
		return CHECK_REPORT_DOWN;
	if (state->phase != CHECK_UP)
		return entry->reported.kind;
	return state->is_slow ? CHECK_REPORT_SLOW : CHECK_REPORT_NONE;
}

static struct instant first_of(struct instant wanted, const struct check_state *state)
{
	return wanted.s > 0 ? wanted : state->since.s > 0 ? state->since : state->checked_at;
}

/* Queues a report of the change to `kind`, unless `kind` was reported last. */
static void change(struct reports *reports, struct entry *entry, int kind)
{
	const struct check_state *state = &entry->record.state;
	struct report report = { .entry = entry,
				 .monitor_id = entry->id,
				 .account_id = entry->account_id,
				 .ends = entry->reported,
				 .state = *state };
	if (kind == entry->reported.kind || reports->part.recorder->remote)
		return;
	if (entry->reports >= RECORDER_REPORTS_MAX) {
		if (!entry->is_full && reports->full_account != entry->account_id)
			log_warn("check",
				 "account %lld: %d reports of a monitor wait, new ones are dropped",
				 (long long)entry->account_id, RECORDER_REPORTS_MAX);
		reports->full_account = entry->account_id;
		entry->is_full = true;
		return;
	}
	if (kind == CHECK_REPORT_NONE) {
		report.until = entry->is_paused ? recorder_now(reports->part.recorder)
						: first_of(state->well_since, state);
	} else {
		report.begins =
			(struct check_reported){ kind, first_of(state->failing_since, state) };
		report.until = report.begins.since;
	}
	entry->reported = report.begins;
	enqueue(reports, &report);
}

void reports_reconcile(struct reports *reports, struct entry *entry)
{
	change(reports, entry, expected(entry));
}

void recorder_report(struct recorder *recorder, int64_t monitor_id, enum check_report report,
		     const struct check_state *state)
{
	struct entry *entry = recorder_entry(recorder, monitor_id);
	if (!entry || !recorder->is_held || report == CHECK_REPORT_NONE)
		return;
	struct check_record record = entry->record;
	record.state = *state;
	recorder_record(recorder, &record);
	if (recorder->remote)
		records_start(&recorder->records);
	change(&recorder->reports, entry,
	       report == CHECK_REPORT_UP ? CHECK_REPORT_NONE : (int)report);
}

void recorder_gap(struct recorder *recorder, const int64_t *monitor_ids, size_t count,
		  struct instant from, struct instant until)
{
	struct report report = { .gaps = memory_needed(calloc(count + 1, sizeof(*report.gaps))),
				 .gap_count = count };
	for (size_t i = 0; i < count; i++)
		report.gaps[i] = (struct monitor_gap){ monitor_ids[i], from, until };
	if (recorder->is_held && count > 0 && !recorder->remote)
		enqueue(&recorder->reports, &report);
	else
		free(report.gaps);
}

void recorder_cut_off(struct recorder *recorder, struct instant since)
{
	if (recorder->is_held && !recorder->remote)
		enqueue(&recorder->reports, &(struct report){ .cut_off_since = since });
}

/* Returns whether the batch itself caused the failure, not the database or the lease. */
static bool is_of_batch(enum result result)
{
	return result != OK && result != E_CONFLICT && !result_is_of_database(result);
}

/* Chooses the batch. If the first report of the queue belongs to no monitor (a gap), the batch is
 * only this report. Otherwise the batch has the first report of each monitor of one account, up to
 * the next gap in the queue. */
static void choose(struct reports *reports)
{
	int64_t now_ms = clock_ms(), account_id = 0;
	struct report *const first = reports->first;
	reports->batch_count = 0;
	if (first && !first->entry) {
		reports->batch[reports->batch_count++] = first;
		return;
	}
	struct report *report = first;
	for (; report && report->entry && reports->batch_count < BATCH_MAX; report = report->next) {
		struct entry *entry = report->entry;
		if (entry->is_passed)
			continue;
		entry->is_passed = true;
		if (entry->is_busy || report->backoff.until_ms > now_ms ||
		    (account_id > 0 && report->account_id != account_id))
			continue;
		account_id = report->account_id;
		reports->batch[reports->batch_count++] = report;
	}
	for (struct report *passed = first; passed != report; passed = passed->next)
		passed->entry->is_passed = false;
	for (size_t i = 0; i < reports->batch_count; i++)
		reports->batch[i]->entry->is_busy = true;
}

static void start(void *context)
{
	struct reports *reports = context;
	if (reports->part.job.is_running || !recorder_may_store(reports->part.recorder))
		return;
	choose(reports);
	if (reports->batch_count > 0)
		loop_job_start(&reports->part.job);
	else if (reports->count > 0)
		part_start_in(&reports->part, 1000);
}

void reports_start(struct reports *reports)
{
	if (!reports->part.job.is_running)
		part_start_in(&reports->part, 0);
}

/* Removes from the queue the reports for which `goes` returns true. */
static void drop(struct reports *reports, bool (*goes)(const struct reports *, struct report *))
{
	struct report **link = &reports->first;
	for (struct report *report; (report = *link);) {
		if (!goes(reports, report)) {
			link = &report->next;
			continue;
		}
		*link = report->next;
		reports->count--;
		if (report->entry)
			report->entry->reports--;
		else
			reports->gaps--;
		free_report(report);
	}
	reports->last = link;
	if (reports->count == 0)
		reports->full_account = 0;
}

static bool is_done(const struct reports *reports, struct report *report)
{
	(void)reports;
	return report->is_done;
}

static bool is_waiting(const struct reports *reports, struct report *report)
{
	for (size_t i = 0; i < reports->batch_count; i++)
		if (reports->batch[i] == report)
			return false;
	return true;
}

void reports_forget(struct reports *reports)
{
	drop(reports, is_waiting);
}

static void finish(void *context)
{
	static const struct backoff_rule refused = { .first_ms = 5000,
						     .most_ms = 60000,
						     .spread = BACKOFF_SPREAD };
	struct reports *reports = context;
	struct part *part = &reports->part;
	enum result result = part->result;
	bool is_of_it = is_of_batch(result), had_gap = reports->gaps > 0;
	for (size_t i = 0; i < reports->batch_count; i++) {
		struct report *report = reports->batch[i];
		struct entry *entry = report->entry;
		if (entry)
			entry->is_busy = false;
		/* Drop a gap that cannot be stored, because the reports behind it wait for it. */
		report->is_done = result == OK || (is_of_it && !entry);
		/* The batch may have replaced a newer stored state: store the newer state again. */
		if (entry && report->is_done)
			entry->is_new |= entry->record.state.checked_at.s !=
					 report->state.checked_at.s;
		if (entry && entry->is_full && report->is_done && entry->reports == 1) {
			entry->is_full = false;
			reports_reconcile(reports, entry);
		}
		if (is_of_it)
			backoff_fail(&report->backoff, &refused, clock_ms());
	}
	if (is_of_it && reports->batch[0]->backoff.failures == 1)
		log_warn("check", "reports of account %lld: %s",
			 (long long)reports->batch[0]->account_id, error_text(&part->error));
	reports->batch_count = 0;
	drop(reports, is_done);
	if (is_of_it || result == E_CONFLICT)
		part->result = OK;
	part_finish(part, "reports");
	arena_reset(&part->arena);
	if (result == E_CONFLICT)
		recorder_lose(part->recorder);
	if (reports->count > 0)
		part_start_in(part, 0);
	if (had_gap && reports->gaps == 0)
		records_start(&part->recorder->records);
	recorder_rest(part->recorder);
}

bool reports_open(struct recorder *recorder)
{
	struct reports *reports = &recorder->reports;
	reports->last = &reports->first;
	reports->batch = memory_needed(calloc(BATCH_MAX, sizeof(*reports->batch)));
	return part_open(&reports->part, reports_run, finish, start, -1);
}

bool reports_close(struct reports *reports)
{
	if (!loop_job_close(&reports->part.job))
		return false;
	reports->batch_count = 0;
	if (reports->last)
		reports_forget(reports);
	free(reports->batch);
	return true;
}
