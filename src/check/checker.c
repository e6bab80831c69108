#include "check/checker.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sysexits.h>

#include "base/log.h"
#include "base/memory.h"
#include "check/checked.h"
#include "domain/web_url.h"

enum { TICK_MS = 1000, STATES_TICKS = 10, LAG_TICKS = 60, ONCE_WAIT_S = 30 };

struct instant checker_now(const struct checker *checker)
{
	return recorder_now(checker->recorder);
}

bool checker_observes(const struct checker *checker)
{
	return checker->has_lease && !checker->anchors.is_cut_off;
}

static void finish(struct checker *checker, int status)
{
	if (checker->settings.done)
		checker->settings.done(checker->settings.context, status);
}

static void take_lease(void *context, bool is_held)
{
	struct checker *checker = context;
	checker->has_lease = is_held;
	metrics_set(METRIC_CHECKER_LEASE, METRIC_UNLABELLED, is_held);
	if (is_held) {
		recorder_cut_off(checker->recorder, checker->anchors.is_cut_off
							    ? checker->anchors.good_at
							    : (struct instant){ 0 });
		log_info("check", "this checker checks");
		return;
	}
	log_info("check", "%s checks",
		 checker->settings.config->check_centre ? "this checker no longer"
							: "another checker");
	checker_drop_all(checker);
	if (checker->settings.is_once)
		finish(checker, EX_TEMPFAIL);
}

/* Makes all states unknown from the last successful round of the anchors on. */
static void cut_off(struct checker *checker)
{
	const struct instant since = checker->anchors.good_at;
	int64_t *ids = memory_needed(calloc(checker->count + 1, sizeof(*ids)));
	size_t count = 0;
	for (size_t i = 0; i < checker->count; i++) {
		struct checked *checked = checker->rows[i];
		int phase = checked->state.phase;
		if (checked->votes) {
			judge_lose(checked, since, "the checker is cut off");
			continue;
		}
		if (checked->is_paused || phase == CHECK_PENDING || phase == CHECK_NO_DATA)
			continue;
		ids[count++] = checked->id;
		check_state_lose(&checked->state, since, "the checker is cut off");
	}
	recorder_gap(checker->recorder, ids, count, since, (struct instant){ 0 });
	free(ids);
	recorder_cut_off(checker->recorder, since);
	for (size_t i = 0; i < checker->count; i++)
		judge_record(checker->rows[i]);
	log_warn("check", "no anchor responds: the checker is cut off, and nothing is known");
}

static void reconnect(struct checker *checker)
{
	log_info("check", "an anchor responds again");
	recorder_cut_off(checker->recorder, (struct instant){ 0 });
	for (size_t i = 0; i < checker->count; i++) {
		struct checked *checked = checker->rows[i];
		/* Expect the next heartbeat a whole period from now. */
		if (checked->settings->type == CHECK_HEARTBEAT)
			judge_lose(checked, checker_now(checker), NULL);
		if (!checked->probe && !checked->queue && !checked->held && !checked->is_paused)
			schedule_next(checked, (int64_t)i * CHECK_APART_MS);
	}
}

static void take_anchors(void *context, bool is_cut_off)
{
	struct checker *checker = context;
	if (is_cut_off)
		cut_off(checker);
	else
		reconnect(checker);
}

static struct instant now_of(void *context)
{
	return checker_now(context);
}

/* Counts the monitors by state, for /metrics. */
static void count_states(const struct checker *checker)
{
	int64_t counts[METRIC_PHASES] = { 0 };
	for (size_t i = 0; i < checker->count; i++) {
		const struct checked *checked = checker->rows[i];
		counts[checked->is_paused ? METRIC_PHASE_PAUSED : checked->state.phase]++;
	}
	for (uint16_t i = 0; i < METRIC_PHASES; i++)
		metrics_set(METRIC_MONITOR_STATES, METRIC_LABELS(i), counts[i]);
	metrics_set(METRIC_CHECKER_LEASE, METRIC_UNLABELLED, checker->has_lease);
}

static void log_lag(struct checker *checker)
{
	struct schedule *schedule = &checker->schedule;
	struct lag *lag = &schedule->lag;
	struct log_line line;
	if (!checker->has_lease)
		return;
	log_begin(&line, "info", "checks");
	log_int(&line, "monitors", (int64_t)checker->count);
	log_int(&line, "started", lag->count + schedule->host_waits);
	log_int(&line, "running", (int64_t)schedule->running);
	log_int(&line, "host_waits", schedule->host_waits);
	log_int(&line, "lag_p50_ms", lag_quantile(lag, 500));
	log_int(&line, "lag_p99_ms", lag_quantile(lag, 990));
	log_int(&line, "lag_max_ms", lag->max_ms);
	log_end(&line);
	*lag = (struct lag){ 0 };
	schedule->host_waits = 0;
}

static void tick(void *context)
{
	struct checker *checker = context;
	loop_timer_set(checker->loop, &checker->tick, clock_ms() + TICK_MS);
	checker->ticks++;
	metrics_tend();
	if (checker->ticks % STATES_TICKS == 0)
		count_states(checker);
	if (checker->ticks % LAG_TICKS == 0)
		log_lag(checker);
	if (!checker->settings.is_once)
		return;
	bool has_domains = checker->has_domains || checker->ticks > ONCE_WAIT_S;
	if (checker->has_list && checker->open == 0 && has_domains && !checker->is_asking)
		finish(checker, EX_OK);
	else if (!checker->has_list && checker->ticks > ONCE_WAIT_S)
		finish(checker, EX_TEMPFAIL);
}

/* Returns how many checks may run at once: the configured number, or fewer if the process may not
 * open two descriptors for each check. */
static int64_t limit_of(const struct config *config)
{
	enum { RESERVED = 100, DESCRIPTORS = 2, LEAST = 10 };
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return config->check_concurrency;
	if (limit.rlim_cur != limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
	int64_t room = limit.rlim_cur == RLIM_INFINITY
			       ? INT64_MAX
			       : ((int64_t)limit.rlim_cur - RESERVED) / DESCRIPTORS;
	if (room >= config->check_concurrency)
		return config->check_concurrency;
	room = room < LEAST ? LEAST : room;
	log_warn("check", "only %lld checks run at once, since the limit of descriptors is %lld",
		 (long long)room, (long long)limit.rlim_cur);
	return room;
}

static enum result open_parts(struct checker *checker, struct error *error)
{
	const struct config *config = checker->settings.config;
	const struct prober_settings prober = prober_settings_of(config);
	const struct recorder_observer observer = {
		.monitors = checker_take_list,
		.signals = heartbeats_take,
		.lease = take_lease,
		.votes = votes_take,
		.context = checker,
		.is_once = checker->settings.is_once,
		.domains = domains_take,
	};
	if (!web_url_is_valid(config->rdap_bootstrap))
		return error_client(error, E_INVALID,
				    "[checker] rdap_bootstrap must be an http or https URL");
	enum result result =
		anchors_parse(&checker->anchors, config->check_anchors, &checker->arena, error);
	if (result == OK)
		result = prober_open(&checker->prober, checker->loop, &prober, error);
	if (result == OK)
		result = recorder_open(&checker->recorder, checker->loop, config,
				       checker->settings.site, &observer, error);
	return result;
}

enum result checker_open(struct checker **checker, struct loop *loop,
			 const struct checker_settings *settings, struct error *error)
{
	enum { ARENA_MAX_BYTES = 64 * 1024 };
	struct checker *opened = memory_needed(calloc(1, sizeof(*opened)));
	opened->loop = loop;
	opened->settings = *settings;
	arena_init(&opened->arena, ARENA_MAX_BYTES);
	schedule_open(&opened->schedule, limit_of(settings->config));
	opened->anchors.call = take_anchors;
	opened->anchors.now = now_of;
	opened->anchors.context = opened;
	enum result result = open_parts(opened, error);
	if (result != OK) {
		prober_close(opened->prober);
		arena_done(&opened->arena);
		free(opened);
		return result;
	}
	anchors_open(&opened->anchors, loop, opened->prober);
	domains_open(opened);
	opened->tick = (struct loop_timer){ .call = tick, .context = opened };
	loop_timer_set(loop, &opened->tick, clock_ms() + TICK_MS);
	*checker = opened;
	return OK;
}

bool checker_close(struct checker *checker, int64_t most_ms)
{
	loop_timer_cancel(checker->loop, &checker->tick);
	anchors_close(&checker->anchors);
	registry_close(&checker->registry);
	checker->has_lease = false;
	checker_drop_all(checker);
	if (!recorder_close(checker->recorder, most_ms))
		return false;
	prober_close(checker->prober);
	arena_done(&checker->arena);
	free(checker);
	return true;
}
