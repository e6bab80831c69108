#include "work/row_jobs.h"

#include "domain/page/uptime.h"
#include "service/check_signals.h"
#include "store/account/idempotency.h"
#include "store/account/removal.h"
#include "store/account/user_session.h"
#include "store/check/check_locations.h"
#include "store/check/monitor_gaps.h"
#include "store/event.h"
#include "store/monitor/monitor.h"
#include "store/notify/subscriber.h"
#include "store/outbox.h"
#include "store/page/publication.h"
#include "store/schema/installation.h"

/* Deletes old Idempotency-Keys, and expired sessions of the console. */
enum result row_job_idempotency(struct work *work, struct work_turn *turn, struct error *error)
{
	struct instant oldest = { turn->now.s - IDEMPOTENCY_KEPT_S };
	struct user_session_bounds bounds = user_session_bounds(work->config, turn->now);
	enum result result = idempotency_forget(work->db, oldest, error);
	return result == OK ? user_sessions_prune(work->db, bounds.used_after, error) : result;
}

enum result row_job_installation(struct work *work, struct work_turn *turn, struct error *error)
{
	return installation_record(work->db, work->config->base_url, turn->now, error);
}

/* While the database was away, heartbeats were stored on the disk. Moves them to the database. */
enum result row_job_signals(struct work *work, struct work_turn *turn, struct error *error)
{
	return service_move_signals(work->db, work->config->pages_dir, work_goes_on, work,
				    &turn->is_more, error);
}

enum result row_job_deleted(struct work *work, struct work_turn *turn, struct error *error)
{
	(void)turn;
	return publication_forget_deleted(work->db, error);
}

/* Sets *now to the present time, or to the time of the newest event if that is earlier. Otherwise a
 * machine whose clock is far ahead would delete the audit log. */
static enum result find_now(struct work *work, const struct work_turn *turn, struct instant *now,
			    struct error *error)
{
	struct instant newest = { 0 };
	enum result result = event_newest(work->db, &newest, error);
	*now = newest.s < turn->now.s ? newest : turn->now;
	return result;
}

/*
 * Calls `some` until nothing is left or the job must end. Sets turn->is_more if something is left.
 */
static enum result do_some(struct work *work, struct work_turn *turn, struct instant at,
			   enum result (*some)(struct db *, struct instant, bool *, struct error *),
			   struct error *error)
{
	bool is_more = true;
	enum result result = OK;
	while (result == OK && is_more && work_goes_on(work))
		result = some(work->db, at, &is_more, error);
	turn->is_more |= result == OK && is_more;
	return result;
}

enum result row_job_outbox(struct work *work, struct work_turn *turn, struct error *error)
{
	struct instant now = { 0 };
	enum result result = find_now(work, turn, &now, error);
	if (result == OK)
		result = do_some(work, turn, now, outbox_prune, error);
	/* Delete subscribers who did not confirm their subscription in time. */
	if (result == OK)
		result = do_some(work, turn, now, subscribers_prune, error);
	bool has_orphans = true; /* subscribers of deleted pages */
	while (result == OK && has_orphans && work_goes_on(work))
		result = subscribers_prune_pages(work->db, &has_orphans, error);
	turn->is_more = result == OK && (turn->is_more || has_orphans);
	return result;
}

enum result row_job_events(struct work *work, struct work_turn *turn, struct error *error)
{
	struct instant now = { 0 };
	bool is_more = work->config->events_keep_days > 0;
	int64_t after_id = 0;
	enum result result = is_more ? find_now(work, turn, &now, error) : OK;
	struct instant before = { now.s - work->config->events_keep_days * DAY_S };
	while (result == OK && is_more && work_goes_on(work))
		result = event_prune(work->db, before, &after_id, &is_more, error);
	turn->is_more = result == OK && is_more && work->config->events_keep_days > 0;
	return result;
}

/*
 * If no checker has had the lease for WAIT_MS, begins gaps (times without checks) of the monitors:
 * without gaps, their pages would stay green. After a failure of the database, a checker renews its
 * lease within WAIT_MS.
 */
enum result row_job_gaps(struct work *work, struct work_turn *turn, struct error *error)
{
	enum { PAUSE_MS = 60000, WAIT_MS = 20000 };
	bool is_over = false;
	enum result result = check_lease_is_over(work->db, &is_over, error);
	const int64_t now_ms = clock_ms();
	if (!is_over || work->idle_since_ms == 0 || now_ms - work->idle_seen_ms > PAUSE_MS)
		work->idle_since_ms = is_over ? now_ms : 0;
	work->idle_seen_ms = now_ms;
	bool is_due = is_over && (work->is_once || now_ms - work->idle_since_ms >= WAIT_MS);
	return result == OK && is_due
		       ? do_some(work, turn, turn->now, monitor_gaps_begin_idle, error)
		       : result;
}

struct locating {
	struct work *work;
	const struct event_source *source;
};

static enum result cut_off_work(struct db *db, void *context, struct error *error)
{
	const struct locating *locating = context;
	return check_locations_cut_off(db, locating->source, &locating->work->arena, error);
}

/* Finds check locations that are cut off. After a pause of the service or the database all
 * locations seem silent, so the job first gives them time to ask again. */
enum result row_job_locations(struct work *work, struct work_turn *turn, struct error *error)
{
	enum { PAUSE_MS = 60000 };
	static const struct principal system = { .type = PRINCIPAL_SYSTEM, .label = "" };
	const struct event_source source = { &system, turn->now, work->config->has_outbox };
	const int64_t now_ms = clock_ms(), wait_ms = CHECK_LOCATION_CUT_OFF_S * 1000;
	if (work->located_since_ms == 0 || now_ms - work->located_ms > PAUSE_MS)
		work->located_since_ms = now_ms;
	work->located_ms = now_ms;
	bool has_waited = work->is_once || now_ms - work->located_since_ms >= wait_ms;
	struct locating locating = { work, has_waited ? &source : NULL };
	enum result result = db_transact(work->db, DB_WRITE, cut_off_work, &locating, error);
	if (result != OK)
		work->located_since_ms = 0;
	return result;
}

/* Deletes old hours, days and gaps. Computes their age from the present time, or from the newest
 * stored hour if that is earlier: see find_now(). */
enum result row_job_checks(struct work *work, struct work_turn *turn, struct error *error)
{
	int64_t days = work->config->checks_keep_days;
	struct instant newest = { 0 };
	enum result result = check_hours_newest(work->db, &newest, error);
	int64_t now_s = newest.s < turn->now.s ? newest.s : turn->now.s;
	const struct instant hours = { now_s - CHECK_HOURS_KEPT_S };
	const struct instant before = { now_s - days * DAY_S };
	const struct instant gaps = { now_s - MONITOR_GAPS_KEPT_S };
	const struct {
		enum check_sums kind;
		struct instant before;
		bool is_wanted;
	} sums[] = { { CHECK_HOURS, hours, true },
		     { CHECK_LOCATION_HOURS, hours, true },
		     { CHECK_DAYS, before, days > 0 } };
	for (size_t i = 0; result == OK && i < ARRAY_LEN(sums); i++) {
		bool is_more = now_s > 0 && sums[i].is_wanted;
		while (result == OK && is_more && work_goes_on(work))
			result = check_sums_prune(work->db, sums[i].kind, sums[i].before, &is_more,
						  error);
		turn->is_more |= result == OK && is_more;
	}
	if (result == OK && now_s > 0)
		result = do_some(work, turn, gaps, monitor_gaps_prune, error);
	return result;
}

enum result row_job_event_counts(struct work *work, struct work_turn *turn, struct error *error)
{
	enum result result = do_some(work, turn, turn->now, event_count_some, error);
	/* E_REFUSED is no failure: an open transaction has events, which can be counted only later.
	 * Until then, each request for a list of events counts them. */
	return result == E_REFUSED ? OK : result;
}

/* Continues removals of monitors that another process has begun and not finished. */
enum result row_job_monitor_removal(struct work *work, struct work_turn *turn, struct error *error)
{
	enum { ABANDONED_S = 60 };
	struct instant before = { turn->now.s - ABANDONED_S };
	bool is_done = false;
	int64_t id;
	enum result result = monitor_next_removed(work->db, before, work->removed_monitor,
						  &work->arena, &id, error);
	if (result == E_NOT_FOUND) {
		work->removed_monitor = 0;
		return OK;
	}
	while (result == OK && !is_done && work_goes_on(work))
		result = removal_monitor_some(work->db, id, &is_done, error);
	/* A monitor that cannot be removed must not delay the removal of other monitors. */
	if (is_done || result != OK)
		work->removed_monitor = id;
	turn->is_more = result == OK;
	return result;
}
