/* Makes a batch of reports: one gap, or reports of one account. Runs in the recorder's thread for
 * reports. The transaction of the reports also stores the states of the monitors. */
#include "base/log.h"
#include "check/recorder_parts.h"
#include "service/incident/observations.h"

enum { ROWS_EACH = 2, TRY_MAX_BYTES = 256 << 20 };

struct gap_work {
	const struct part *part;
	struct monitor_gap *rows;
	size_t count;
	const struct report *report;
};

static enum result gap_work(struct db *db, void *context, struct error *error)
{
	struct gap_work *work = context;
	const struct recorder *recorder = work->part->recorder;
	const struct principal checker = { .type = PRINCIPAL_CHECKER, .label = "" };
	const struct event_source source = { .principal = &checker,
					     .now = recorder_now(recorder),
					     .fills_outbox = recorder->config->has_outbox };
	enum result result = check_lease_hold(db, recorder->holder, error);
	if (result != OK)
		return result;
	return work->rows ? monitor_gaps_store(db, work->rows, work->count, source.now, NULL, error)
			  : check_cut_off_store(db, work->report->cut_off_since, &source, error);
}

static enum result store_gap(struct part *part, const struct report *report)
{
	struct gap_work work = { .part = part, .report = report };
	enum result result = OK;
	if (!report->gaps)
		return db_transact(part->db, DB_WRITE, gap_work, &work, &part->error);
	for (size_t from = 0; result == OK && from < report->gap_count; from += MONITOR_GAPS_MAX) {
		work.rows = report->gaps + from;
		work.count = report->gap_count - from < MONITOR_GAPS_MAX ? report->gap_count - from
									 : MONITOR_GAPS_MAX;
		result = db_transact(part->db, DB_WRITE, gap_work, &work, &part->error);
	}
	return result;
}

static void begin_report(void *context)
{
	(void)context;
}

/* Stores the states of the monitors that were not removed. Called in the transaction of the
 * reports, before its COMMIT. */
static enum result store_reported(void *context, const void *outcome)
{
	struct reports *reports = context;
	const struct alert_observations *alerts = outcome;
	struct part *part = &reports->part;
	struct check_reported_state *rows =
		ARENA_ARRAY(alerts->arena, reports->batch_count, struct check_reported_state);
	bool *is_gone = ARENA_ARRAY(alerts->arena, reports->batch_count, bool);
	size_t count = 0;
	for (size_t i = 0; i < alerts->count; i++)
		is_gone[alerts->rows[i].alert] |= alerts->rows[i].is_gone;
	for (size_t i = 0; i < reports->batch_count; i++) {
		const struct report *report = reports->batch[i];
		if (!is_gone[i])
			rows[count++] = (struct check_reported_state){ report->monitor_id,
								       &report->state,
								       report->begins };
	}
	enum result result = check_lease_hold(part->db, part->recorder->holder, &part->error);
	return result == OK ? check_reported_store(part->db, rows, count, &part->error) : result;
}

/* Returns an alert for the report with the index `at` in the batch. is_over false: for the outage
 * that the report begins; true: for the outage that it ends. */
static struct alert_observation row_of(const struct reports *reports, size_t at, bool is_over,
				       struct arena *arena)
{
	const struct report *report = reports->batch[at];
	const struct check_reported *outage = is_over ? &report->ends : &report->begins;
	bool is_slow = outage->kind == CHECK_REPORT_SLOW;
	bool has_cause = report->begins.kind != CHECK_REPORT_NONE && report->state.cause[0];
	struct instant until = report->until;
	if (until.s < outage->since.s)
		until = outage->since;
	return (struct alert_observation){
		.source = arena_printf(arena, "check %lld %s %lld", (long long)report->monitor_id,
				       is_slow ? "slow" : "down", (long long)outage->since.s),
		.observation = {
			.account_id = report->account_id,
			.monitor_id = report->monitor_id,
			.cause = has_cause ? report->state.cause : "Down",
			.at = outage->since,
			.ended_at = { is_over ? until.s : 0 },
			.has_impact = is_slow,
			.impact = INCIDENT_DEGRADED_PERFORMANCE,
		},
		.alert = at,
	};
}

/* Makes the reports, and publishes their pages. The publisher process publishes the pages beyond
 * the limits of one request, and the pages that this process may not write. */
static enum result observe(struct reports *reports, struct alert_observations *alerts)
{
	static const struct service_caller caller = { .start = begin_report,
						      .rewind = begin_report,
						      .render = store_reported };
	struct part *part = &reports->part;
	struct violations violations;
	struct error ignored = { 0 };
	struct service service = {
		.db = part->db,
		.config = part->recorder->config,
		.site = part->recorder->site,
		.base_url = part->recorder->config->base_url,
		.arena = &part->arena,
		.principal = { .type = PRINCIPAL_CHECKER,
			       .account_id = alerts->account_id,
			       .label = "" },
		.now = recorder_now(part->recorder),
		.violations = &violations,
		.error = &part->error,
		.caller = &caller,
		.caller_context = reports,
		.publishing = { .is_bounded = true },
	};
	violations_init(&violations, &part->arena);
	enum result result = service_observe_alerts(&service, alerts);
	if (service_finish_publishing(&service, &ignored) != OK)
		log_warn("check", "publishing: %s", error_text(&ignored));
	return result;
}

static enum result make_reports(struct reports *reports)
{
	struct part *part = &reports->part;
	struct arena once CLEANUP(arena_done);
	struct alert_observations alerts = {
		.account_id = reports->batch[0]->account_id,
		.rows = ARENA_ARRAY(&part->arena, reports->batch_count * ROWS_EACH,
				    struct alert_observation),
		.arena = &once,
	};
	arena_init(&once, TRY_MAX_BYTES);
	for (size_t i = 0; i < reports->batch_count; i++) {
		const struct report *report = reports->batch[i];
		if (report->ends.kind != CHECK_REPORT_NONE)
			alerts.rows[alerts.count++] = row_of(reports, i, true, &part->arena);
		if (report->begins.kind != CHECK_REPORT_NONE)
			alerts.rows[alerts.count++] = row_of(reports, i, false, &part->arena);
	}
	alerts.alert_count = alerts.count;
	return observe(reports, &alerts);
}

void reports_run(void *context)
{
	struct reports *reports = context;
	struct part *part = &reports->part;
	part->error = (struct error){ 0 };
	part->result = reports->batch[0]->entry ? make_reports(reports)
						: store_gap(part, reports->batch[0]);
}
