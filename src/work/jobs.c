#include "work/jobs.h"

#include "base/clock.h"
#include "base/log.h"
#include "mirror/mirror_state.h"
#include "publish/deleted.h"
#include "publish/domain_check.h"
#include "publish/folder/filled.h"
#include "publish/recheck.h"
#include "service/maintenance/maintenances.h"
#include "store/account/removal.h"
#include "store/page/publication.h"
#include "work/row_jobs.h"

enum {
	SECOND_MS = 1000,
	MINUTE_MS = 60000,
	HOUR_MS = 3600000,
	/* A change younger than this is left to the request that made it, which publishes it. */
	SETTLED_S = 1,
	/* The longest time for which a job waits for locks of the pages folder. It delays all other
	 * jobs. */
	PATIENCE_MS = 250,
	PATIENCE_DOUBLED_MAX = 5,
};

static struct publisher publisher_of(struct work *work, struct instant now)
{
	struct publisher publisher = work->due.publisher;
	publisher.now = now;
	return publisher;
}

static enum result run_follow(struct work *work, struct work_turn *turn, struct error *error)
{
	return follower_round(&work->follower, turn->now, error);
}

/* Publishes due pages until none is left. Continues after the first refusal: the database may
 * refuse one page because its row is locked. */
static enum result publish_due(struct work *work, const struct work_turn *turn, struct error *error)
{
	int refusals = 0;
	bool is_more = true;
	enum result result = publication_mark_orphans(work->db, error);
	while (is_more && result == OK) {
		result = due_round(&work->due, turn->now, (struct instant){ 0 }, &is_more, error);
		if (publish_is_refused(result) && refusals++ == 0) {
			result = OK;
			is_more = true;
		}
	}
	return result;
}

static enum result run_deletions(struct work *work, struct work_turn *turn, struct error *error)
{
	struct publisher publisher = publisher_of(work, turn->now);
	if (!work->is_once)
		publisher.until_ms = clock_ms() + PATIENCE_MS;
	return publish_deleted(&publisher, error);
}

static enum result publish_every_page(struct work *work, const struct work_turn *turn,
				      struct error *error)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	struct publisher publisher = publisher_of(work, turn->now);
	struct publish_run run = {
		.is_all = true,
		.progress = work->progress,
		.context = work->observer.context,
	};
	enum result result = publication_mark_orphans(work->db, error);
	if (result == OK)
		result = pages_dir_open(&dir, publisher.path, error);
	if (result == OK)
		result = publish_run(&publisher, &run, error);
	/* Marks the folder as filled. The recheck runs after this, and finds fewer differences. */
	if (result == OK && pages_dir_is_current(&dir, publisher.path))
		result = filled_mark(&dir, NULL, 0, error);
	work->done.published += run.published;
	work->done.failed += run.failed;
	return result;
}

static enum result run_pages(struct work *work, struct work_turn *turn, struct error *error)
{
	struct instant settled = { work->is_called ? 0 : turn->now.s - SETTLED_S };
	if (work->is_once)
		return work->is_all ? publish_every_page(work, turn, error)
				    : publish_due(work, turn, error);
	enum result result = due_round(&work->due, turn->now, settled, &turn->is_more, error);
	if (result == OK && !turn->is_more)
		work->is_called = false;
	return result;
}

static enum result recheck_pages(struct work *work, const struct work_turn *turn, bool is_follower,
				 bool *is_more, struct error *error)
{
	struct publisher publisher = publisher_of(work, turn->now);
	struct recheck *recheck = &work->recheck;
	publisher.is_follower = is_follower;
	recheck->run.goes_on = work_goes_on;
	recheck->run.context = work;
	enum result result = recheck_some(recheck, &publisher, is_more, error);
	work->done.published += recheck->run.published;
	recheck->run.published = 0;
	return result;
}

/* Changes the status of maintenance windows, and adds the events. Pages do not wait for this job:
 * they become due by themselves when a window begins or ends. */
static enum result run_maintenance(struct work *work, struct work_turn *turn, struct error *error)
{
	return service_maintenance_clock(work->db, work->config, turn->now, &turn->is_more, error);
}

/* Stores the next occurrences of recurring windows. Removes windows that were deleted long ago. */
static enum result run_recurrences(struct work *work, struct work_turn *turn, struct error *error)
{
	struct violations violations;
	struct service service = {
		.db = work->db,
		.config = work->config,
		.site = work->site,
		.base_url = work->due.publisher.base_url,
		.arena = &work->arena,
		.principal = { .type = PRINCIPAL_SYSTEM, .label = "" },
		.now = turn->now,
		.violations = &violations,
		.error = error,
	};
	/* Does not publish the marked pages: the job `pages` does. */
	service_hold_publishing(&service);
	violations_init(&violations, &work->arena);
	return service_maintenance_expand(&service, &turn->is_more);
}

static enum result run_recheck(struct work *work, struct work_turn *turn, struct error *error)
{
	return recheck_pages(work, turn, false, &turn->is_more, error);
}

static enum result run_recheck_followed(struct work *work, struct work_turn *turn,
					struct error *error)
{
	return recheck_pages(work, turn, true, &turn->is_more, error);
}

/*
 * If the sweep removed nothing because of locks, the next sweep waits twice as long for locks of
 * pages. The time is doubled at most PATIENCE_DOUBLED_MAX times. After that, logs a warning: no
 * process should lock pages for so long.
 */
static void note_crowd(struct work *work, const struct publish_run *run)
{
	bool is_in_vain = run->is_crowded && run->removed == 0;
	if (is_in_vain && work->crowded_sweeps == PATIENCE_DOUBLED_MAX)
		log_warn("work",
			 "the sweep of the pages folder waited in vain for %lld ms: a "
			 "process keeps pages locked",
			 (long long)run->patience_ms);
	if (!is_in_vain)
		work->crowded_sweeps = 0;
	else if (work->crowded_sweeps < PATIENCE_DOUBLED_MAX)
		work->crowded_sweeps++;
}

/*
 * Marks the pages of deleted accounts as deleted in page_revisions. Then removes folders that
 * belong to no page, and publishes pages whose publishing was interrupted by a crash. Sets *failed
 * to the number of folders and pages that failed.
 */
static enum result sweep_folders(struct work *work, const struct work_turn *turn, size_t *failed,
				 struct error *error)
{
	struct publisher publisher = publisher_of(work, turn->now);
	struct publish_run run = {
		.is_all = work->is_all,
		.patience_ms = work->is_once ? 0 : PATIENCE_MS << work->crowded_sweeps,
		.goes_on = work->is_once ? NULL : work_stays,
		.progress = work->progress,
		.context = work->is_once ? work->observer.context : work,
	};
	enum result result = publication_mark_orphans(work->db, error);
	if (result == OK)
		result = publish_sweep(&publisher, &run, error);
	work->done.published += run.published;
	work->done.failed += run.failed;
	work->done.removed += run.removed;
	note_crowd(work, &run);
	*failed = run.failed;
	return result;
}

/* Removes the folders of mirrors that are no longer configured. */
static enum result forget_mirrors(struct work *work, struct error *error)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	struct mirrors mirrors;
	enum result result = mirrors_parse(work->config, &work->arena, &mirrors, error);
	if (result == OK)
		result = pages_dir_open(&dir, work->config->pages_dir, error);
	return result == OK ? mirrors_forget(&dir, &mirrors, &work->arena, error) : result;
}

static enum result run_sweep(struct work *work, struct work_turn *turn, struct error *error)
{
	size_t failed = 0;
	enum result result = sweep_folders(work, turn, &failed, error);
	if (result == OK)
		result = forget_mirrors(work, error);
	/*
	 * A failed page is no failure in the background loop, which repeats the sweep in a minute.
	 */
	return result == OK && work->is_once && failed > 0 ? E_FAILED : result;
}

static void report_domain(void *context, const struct domain_claim *claim,
			  enum domain_proof_outcome outcome, const char *why)
{
	struct arena arena CLEANUP(arena_done);
	const struct work *work = context;
	arena_init(&arena, 1 << 20);
	if (outcome != DOMAIN_PROOF_FOUND && work->observer.domain)
		work->observer.domain(work->observer.context,
				      domain_recheck_text(claim, outcome, why, &arena));
}

/*
 * Continues the removal of accounts, in short transactions. Removes the pages of an account first.
 */
static enum result run_removal(struct work *work, struct work_turn *turn, struct error *error)
{
	struct removal *removal = &work->removal;
	size_t failed;
	enum result result = OK;
	if (removal->account_id == 0)
		result = removal_next(work->db, work->removal_after, &work->arena,
				      &removal->account_id, error);
	if (result == E_NOT_FOUND) {
		work->removal_after = 0;
		return OK;
	}
	bool had_pages = !removal->has_no_pages;
	while (result == OK && !removal->is_done && had_pages == !removal->has_no_pages &&
	       work_goes_on(work))
		result = removal_account_some(work->db, removal, error);
	if (result == OK && had_pages && removal->has_no_pages)
		result = sweep_folders(work, turn, &failed, error);
	/* An account that cannot be removed must not delay the removal of other accounts. */
	if (result != OK || removal->is_done) {
		work->removal_after = removal->account_id;
		*removal = (struct removal){ 0 };
	}
	turn->is_more = result == OK;
	return result;
}

/*
 * Looks up the proofs of domains. Only updates rows: the job `pages` publishes the changed pages.
 */
static enum result run_domains(struct work *work, struct work_turn *turn, struct error *error)
{
	enum { BUDGET_MS = 10000 };
	struct db_login login = db_login_of(work->config, false);
	struct db *own = work->is_once ? NULL : db_new(&login);
	struct domain_recheck run = {
		.db = own ? own : work->db,
		.config = work->config,
		.now = turn->now,
		.budget_ms = BUDGET_MS,
		.progress = report_domain,
		.context = work,
	};
	enum result result = domain_recheck_run(&run, error);
	if (own)
		db_free(own);
	else
		work->domains_turned = run.turned;
	return result;
}

/* A turn runs the jobs in this order. If the database is away, the first job that needs it reports
 * that, and the turn ends. */
const struct work_job work_jobs[] = {
	{ .name = "follow",
	  .is_of_follower = true,
	  .interval_ms = SECOND_MS / 2,
	  .retry_max_ms = SECOND_MS,
	  .run = run_follow },
	{ .name = "pages",
	  .interval_ms = SECOND_MS,
	  /* A run is short, because a change that comes during a run waits for the
	   * next run. */
	  .budget_ms = SECOND_MS,
	  .retry_max_ms = SECOND_MS,
	  .is_woken = true,
	  .run = run_pages },
	{ .name = "deletions",
	  .interval_ms = SECOND_MS,
	  .retry_max_ms = SECOND_MS,
	  .run = run_deletions },
	{ .name = "maintenance",
	  .interval_ms = SECOND_MS,
	  .retry_max_ms = SECOND_MS,
	  .run = run_maintenance },
	{ .name = "signals",
	  .interval_ms = SECOND_MS, /* most runs find nothing to do */
	  .budget_ms = SECOND_MS,
	  .retry_max_ms = SECOND_MS,
	  .run = row_job_signals },
	{ .name = "gaps",
	  .interval_ms = 10 * SECOND_MS,
	  .budget_ms = SECOND_MS,
	  .retry_max_ms = 10 * SECOND_MS,
	  .run = row_job_gaps },
	{ .name = "locations",
	  .interval_ms = 10 * SECOND_MS,
	  .budget_ms = SECOND_MS,
	  .retry_max_ms = 10 * SECOND_MS,
	  .run = row_job_locations },
	{ .name = "recheck",
	  .is_of_follower = true,
	  .interval_ms = SECOND_MS, /* most runs find nothing to do */
	  .budget_ms = SECOND_MS,
	  .is_idle = true,
	  .run = run_recheck_followed },
	{ .name = "recheck",
	  .interval_ms = SECOND_MS, /* most runs find nothing to do */
	  .budget_ms = SECOND_MS,
	  .is_idle = true,
	  .run = run_recheck },
	{ .name = "removal",
	  .interval_ms = MINUTE_MS,
	  .budget_ms = SECOND_MS,
	  .is_idle = true,
	  .run = run_removal },
	{ .name = "monitors",
	  .interval_ms = MINUTE_MS,
	  .budget_ms = SECOND_MS,
	  .is_idle = true,
	  .run = row_job_monitor_removal },
	{ .name = "recurrences",
	  .interval_ms = MINUTE_MS,
	  .retry_max_ms = HOUR_MS,
	  .is_idle = true,
	  .run = run_recurrences },
	{ .name = "sweep",
	  .interval_ms = MINUTE_MS,
	  .rest = 20,
	  .is_idle = true,
	  .run = run_sweep },
	{ .name = "idempotency",
	  .interval_ms = MINUTE_MS, /* a run removes 10,000 keys at most */
	  .is_idle = true,
	  .run = row_job_idempotency },
	{ .name = "installation",
	  .interval_ms = 5 * MINUTE_MS,
	  .retry_max_ms = 5 * MINUTE_MS,
	  .is_idle = true,
	  .run = row_job_installation },
	{ .name = "deleted", .interval_ms = HOUR_MS, .is_idle = true, .run = row_job_deleted },
	{ .name = "events",
	  .interval_ms = HOUR_MS,
	  .budget_ms = SECOND_MS,
	  .is_idle = true,
	  .run = row_job_events },
	{ .name = "outbox",
	  .interval_ms = HOUR_MS,
	  .budget_ms = SECOND_MS,
	  .is_idle = true,
	  .run = row_job_outbox },
	{ .name = "checks",
	  .interval_ms = HOUR_MS,
	  .budget_ms = SECOND_MS,
	  .is_idle = true,
	  .run = row_job_checks },
	{ .name = "event counts",
	  .interval_ms = MINUTE_MS,
	  .budget_ms = SECOND_MS,
	  .is_idle = true,
	  .run = row_job_event_counts },
	/* Runs beside the turns: pages and maintenance windows must not wait for a DNS server. */
	{ .name = "domains", .interval_ms = MINUTE_MS, .is_aside = true, .run = run_domains },
};
const size_t work_job_count = ARRAY_LEN(work_jobs);
_Static_assert(ARRAY_LEN(work_jobs) <= WORK_JOBS_MAX, "a loop has an entry for each job");
