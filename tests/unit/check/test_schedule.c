/* When checks start: the scheduler in a world whose time the test lets pass. */
#include "unit/check/world.h"

#include <stdio.h>
#include <stdlib.h>

enum { MINUTE_MS = 60000, MANY = 10000 };

static struct checked_monitor *many(size_t count, const char *url)
{
	static struct checked_monitor rows[MANY];
	for (size_t i = 0; i < count; i++)
		rows[i] = world_monitor((int64_t)i + 1, url);
	return rows;
}

static uint16_t starts_of[MANY + 1], starts_at[3600];
static bool is_running[MANY + 1];

static size_t id_of(const struct probe *probe)
{
	const struct checked *checked = probe->context;
	return (size_t)checked->id;
}

static void count_start(const struct probe *probe)
{
	starts_of[id_of(probe)]++;
	starts_at[world_ms() / 1000 % 3600]++;
}

static void checks_are_spread_over_the_interval(void **state)
{
	enum { MINUTES = 10, PER_SECOND = MANY / 60 };
	(void)state;
	memset(starts_of, 0, sizeof(starts_of));
	memset(starts_at, 0, sizeof(starts_at));
	world.starts = count_start;
	world_open(false);
	world_list(many(MANY, NULL), MANY);
	world_pass(MINUTES * MINUTE_MS);
	for (size_t i = 1; i <= MANY; i++)
		assert_int_equal(MINUTES, starts_of[i]);
	for (size_t s = 0; s < MINUTES * 60; s++)
		assert_in_range(starts_at[s], PER_SECOND / 2, PER_SECOND * 3 / 2);
	assert_int_equal(MANY * MINUTES, world.records + world.running);
	assert_string_equal("", world_told());
}

static void monitors_that_are_new_begin_at_once(void **state)
{
	struct checked_monitor *rows = many(100, NULL);
	(void)state;
	world_open(false);
	world_list(rows, 90);
	world_pass(1000);
	world.started = 0;
	for (size_t i = 90; i < 100; i++)
		rows[i].state = (struct check_state){ 0 };
	world_list(rows, 100);
	world_pass(200);
	assert_in_range(world.started, 10, 12);
}

static int64_t first_start_ms[MANY + 1];

static void note_first_start(const struct probe *probe)
{
	int64_t *first = &first_start_ms[id_of(probe)];
	if (*first == 0)
		*first = world_ms();
}

static void a_restart_keeps_the_times(void **state)
{
	enum { COUNT = 100, OTHERS_MS = 17000 };
	int64_t before[COUNT + 1];
	(void)state;
	world.starts = note_first_start;
	memset(first_start_ms, 0, sizeof(first_start_ms));
	world_open(false);
	world_list(many(COUNT, NULL), COUNT);
	world_pass(MINUTE_MS + OTHERS_MS);
	memcpy(before, first_start_ms, sizeof(before));
	assert_true(checker_close(world.checker, 0));
	memset(first_start_ms, 0, sizeof(first_start_ms));
	world_open(false);
	world_list(many(COUNT, NULL), COUNT);
	world_pass(MINUTE_MS);
	for (size_t i = 1; i <= COUNT; i++) {
		int64_t moved_ms = (first_start_ms[i] - before[i]) % MINUTE_MS;
		assert_true(moved_ms < 1000 || moved_ms > MINUTE_MS - 1000);
	}
}

static struct ending hangs_in_places(const struct check_settings *settings)
{
	bool hangs = strstr(settings->url, "hangs") != NULL;
	return (struct ending){ .is_up = !hangs, .ms = hangs ? 10000 : 20 };
}

static size_t host_running, host_most;

static void count_hanging(const struct probe *probe)
{
	const struct checked *checked = probe->context;
	size_t id = id_of(probe);
	assert_false(is_running[id]);
	if (strstr(probe->settings->url, "hangs") && checked->host->running > host_most)
		host_most = checked->host->running;
	starts_of[id]++;
}

/* 30 monitors of a host that hangs need 300 s of checks in each minute, and the host has four
 * places, so 24 checks fit: each monitor gets its turn, and the others notice nothing. */
static void a_host_that_hangs_delays_only_its_own_checks(void **state)
{
	enum { HANGING = 30, OTHERS = 300, MINUTES = 20 };
	struct checked_monitor *rows = many(HANGING + OTHERS, NULL);
	(void)state;
	memset(starts_of, 0, sizeof(starts_of));
	host_most = host_running = 0;
	for (size_t i = 0; i < HANGING; i++) {
		rows[i].settings.url = "http://hangs.example/";
		rows[i].settings.confirmations = 1;
	}
	world.rule = hangs_in_places;
	world.starts = count_hanging;
	world_open(false);
	world_list(rows, HANGING + OTHERS);
	world_pass(MINUTES * MINUTE_MS);
	assert_int_equal(HOST_CHECKS_MAX, host_most);
	for (size_t i = 1; i <= HANGING; i++)
		assert_in_range(starts_of[i], MINUTES / 2, MINUTES);
	for (size_t i = HANGING + 1; i <= HANGING + OTHERS; i++)
		assert_int_equal(MINUTES, starts_of[i]);
	/* How late its checks are says nothing about this machine. */
	assert_int_equal(0, world.checker->schedule.lag.max_ms);
}

static int64_t late_most_ms;

static void note_lag(const struct probe *probe)
{
	const struct checked *checked = probe->context;
	int64_t lag_ms = checked->started_ms - checked->wanted_ms;
	if (!strstr(probe->settings->url, "hangs") && lag_ms > late_most_ms)
		late_most_ms = lag_ms;
}

/* More checks hang, each on a host of its own, than may run at once. */
static void checks_that_hang_leave_places_for_others(void **state)
{
	enum { HANGING = 600, OTHERS = 300, LIMIT = 40 };
	struct checked_monitor *rows = many(HANGING + OTHERS, NULL);
	static char urls[HANGING][40];
	(void)state;
	for (size_t i = 0; i < HANGING; i++) {
		snprintf(urls[i], sizeof(urls[i]), "http://hangs%zu.example/", i);
		rows[i].settings.url = urls[i];
		rows[i].state.phase = CHECK_DOWN;
		rows[i].state.failing_since = rows[i].state.well_since;
	}
	late_most_ms = 0;
	world.config.check_concurrency = LIMIT;
	world.rule = hangs_in_places;
	world.starts = note_lag;
	world_open(false);
	world_list(rows, HANGING + OTHERS);
	world_pass(10 * MINUTE_MS);
	assert_in_range(world.running_most, LIMIT * 3 / 4, LIMIT);
	assert_int_equal(0, late_most_ms);
}

/* Until each of these monitors has had its turn, more time passes than makes a state stale. */
static void all_monitors_of_a_host_that_hangs_go_down(void **state)
{
	static const struct {
		size_t count;
		int64_t interval, minutes;
	} cases[] = { { 60, 60, 15 }, { 16, 10, 5 }, { 300, 1, 60 } };
	(void)state;
	world.rule = hangs_in_places;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct checked_monitor *rows = many(cases[i].count, "http://hangs.example/");
		for (size_t j = 0; j < cases[i].count; j++)
			rows[j].settings.interval = cases[i].interval;
		world_open(false);
		world_list(rows, cases[i].count);
		world_pass(cases[i].minutes * MINUTE_MS);
		for (size_t j = 0; j < cases[i].count; j++)
			assert_int_equal(CHECK_DOWN, world.checker->rows[j]->state.phase);
		assert_true(checker_close(world.checker, 0));
		world.checker = NULL;
	}
}

/* The same host as that of another account, whose monitors hang there and elsewhere. */
static void an_account_delays_no_checks_of_another(void **state)
{
	enum { HANGING = 600, OTHERS = 300, LIMIT = 40 };
	struct checked_monitor *rows = many(HANGING + OTHERS, NULL);
	static char urls[HANGING][40];
	(void)state;
	for (size_t i = 0; i < HANGING + OTHERS; i++) {
		if (i < HANGING)
			snprintf(urls[i], sizeof(urls[i]),
				 i % 2 ? "http://shop.example/hangs%zu"
				       : "http://hangs%zu.example/",
				 i);
		rows[i].account_id = i < HANGING ? 2 : 1;
		rows[i].settings.url = i < HANGING    ? urls[i]
				       : i % 100 == 0 ? "http://shop.example/"
						      : rows[i].settings.url;
		rows[i].settings.interval = i < HANGING ? 1 : 60;
		/* Ill ones of the other account, too. */
		if (i >= HANGING && i % 3 == 0)
			rows[i].state.response_ms = 3000;
	}
	late_most_ms = 0;
	world.config.check_concurrency = LIMIT;
	world.rule = hangs_in_places;
	world.starts = note_lag;
	world_open(false);
	world_list(rows, HANGING + OTHERS);
	world_pass(10 * MINUTE_MS);
	assert_in_range(world.running_most, LIMIT / 2, LIMIT * 3 / 4);
	assert_int_equal(0, late_most_ms);
	/* The account alone may use more. */
	world.running_most = 0;
	world_list(rows, HANGING);
	world_pass(MINUTE_MS);
	assert_int_equal(LIMIT * 3 / 4, world.running_most);
}

static struct ending takes_long(const struct check_settings *settings)
{
	(void)settings;
	return (struct ending){ .is_up = true, .ms = 2500 };
}

static void a_check_that_runs_is_not_started_twice(void **state)
{
	struct checked_monitor *rows = many(1, NULL);
	(void)state;
	rows[0].settings.interval = 1;
	world.rule = takes_long;
	world_open(false);
	world_list(rows, 1);
	world_pass(30000);
	assert_int_equal(1, world.running_most);
	/* Each third time: after 2.5 seconds the next one is due half a second later. */
	assert_in_range(world.started, 9, 11);
	/* Nor on demand. */
	for (int i = 0; i < 100; i++) {
		world_signal(1, SIGNAL_CHECK_NOW, 0);
		world_pass(50);
	}
	assert_int_equal(1, world.running_most);
}

static void a_check_on_demand_starts_at_once(void **state)
{
	struct checked_monitor *rows = many(2, NULL);
	(void)state;
	rows[0].settings.interval = rows[1].settings.interval = 3600;
	rows[1].is_paused = true;
	world_open(false);
	world_list(rows, 2);
	world_signal(1, SIGNAL_CHECK_NOW, 0);
	world_signal(2, SIGNAL_CHECK_NOW, 0);
	world_pass(10);
	assert_int_equal(1, world.started);
	world_pass(MINUTE_MS);
	assert_int_equal(1, world.started);
}

static void a_changed_list_is_followed(void **state)
{
	struct checked_monitor *rows = many(3, NULL);
	(void)state;
	world.rule = takes_long;
	world_open(false);
	world_list(rows, 3);
	world_signal(1, SIGNAL_CHECK_NOW, 0);
	world_signal(2, SIGNAL_CHECK_NOW, 0);
	world_pass(10);
	assert_int_equal(2, world.running);
	/* The same list changes nothing. */
	world_list(rows, 3);
	world_pass(10);
	assert_int_equal(2, world.started);
	/* Other settings begin again. */
	rows[1].settings.url = "http://other.example/";
	world_list(rows, 3);
	world_pass(10);
	assert_int_equal(1, world.cancelled);
	assert_int_equal(3, world.started);
	/* A header, too. */
	struct check_header headers[] = { { "Accept", "one", NULL } }, others[] = { headers[0] };
	others[0].value = "other";
	rows[1].settings.request_headers = (struct field_rows){ headers, 1 };
	world_list(rows, 3);
	world_pass(10);
	rows[1].settings.request_headers.rows = others;
	world_list(rows, 3);
	world_list(rows, 3);
	world_pass(10);
	assert_int_equal(5, world.started);
	/* A monitor that is gone, and a paused one. */
	rows[1].is_paused = true;
	world_list(rows + 1, 2);
	world_pass(10);
	assert_int_equal(5, world.cancelled);
	assert_int_equal(0, world.running);
	world_pass(10 * MINUTE_MS);
	assert_int_equal(5 + 10, world.started);
	/* It goes on: what happened meanwhile is not known. */
	rows[1].is_paused = false;
	assert_string_equal("gap2@0", world_told());
	world_list(rows + 1, 2);
	world_pass(3000);
	assert_string_equal("known2@600", world_told());
}

static void without_the_lease_nothing_is_checked(void **state)
{
	struct checked_monitor *rows = many(10, NULL);
	(void)state;
	world.rule = takes_long;
	world_open(false);
	world_list(rows, 10);
	world_signal(1, SIGNAL_CHECK_NOW, 0);
	world_pass(10);
	world.observer.lease(world.observer.context, false);
	assert_int_equal(1, world.cancelled);
	world.started = world.records = 0;
	world_list(rows, 10);
	world_pass(5 * MINUTE_MS);
	assert_int_equal(0, world.started + world.records);
	world.observer.lease(world.observer.context, true);
	world_list(many(10, NULL), 10);
	world_pass(MINUTE_MS);
	assert_in_range(world.started, 9, 10);
}

static void checks_go_on_at_their_times_when_the_clock_is_set(void **state)
{
	(void)state;
	memset(starts_of, 0, sizeof(starts_of));
	world.starts = count_start;
	world_open(false);
	world_list(many(100, NULL), 100);
	world_pass(2 * MINUTE_MS);
	world_set_clock(86400);
	world_pass(2 * MINUTE_MS);
	world_set_clock(-2 * 86400);
	world_pass(2 * MINUTE_MS);
	for (size_t i = 1; i <= 100; i++)
		assert_int_equal(6, starts_of[i]);
	/* The leap forth is a time that is not known; nothing went down. */
	assert_null(strchr(world_told(), 'D'));
}

static void once_checks_what_is_due_and_ends(void **state)
{
	struct checked_monitor *rows = many(4, NULL);
	(void)state;
	rows[0].state = (struct check_state){ 0 };
	rows[1].state.checked_at.s -= 58; /* cron is not exact */
	rows[2].state.checked_at.s -= 30;
	rows[3].is_paused = true;
	world_open(true);
	world_list(rows, 4);
	loop_run(&world.loop);
	assert_int_equal(0, world.status);
	assert_int_equal(2, world.started);
	assert_in_range(world_ms(), 1, 1000);
}

static struct ending always_refused(const struct check_settings *settings)
{
	(void)settings;
	return (struct ending){ .is_up = false, .ms = 20 };
}

static void once_repeats_failures(void **state)
{
	struct checked_monitor *rows = many(1, NULL);
	(void)state;
	rows[0].settings.confirmations = 3;
	rows[0].state.checked_at.s -= 60;
	world.rule = always_refused;
	world_open(true);
	world_list(rows, 1);
	loop_run(&world.loop);
	assert_int_equal(0, world.status);
	assert_int_equal(3, world.started);
	assert_string_equal("D1@0", world_told());
	assert_in_range(world_ms(), 5000, 7000);
}

static void once_gives_up_without_a_list(void **state)
{
	(void)state;
	world_open(true);
	loop_run(&world.loop);
	assert_int_equal(75, world.status);
}

static void the_memory_of_a_monitor_is_small(void **state)
{
	(void)state;
	assert_in_range(sizeof(struct checked), 100, 900);
	assert_in_range(sizeof(struct check_settings), 100, 400);
}

static void lags_are_right_by_an_eighth(void **state)
{
	struct lag lag = { 0 };
	(void)state;
	assert_int_equal(0, lag_quantile(&lag, 990));
	for (int64_t ms = 1; ms <= 10000; ms++)
		lag_add(&lag, ms);
	assert_in_range(lag_quantile(&lag, 500), 5000, 5000 * 9 / 8);
	assert_in_range(lag_quantile(&lag, 990), 9900, 10000);
	assert_int_equal(10000, lag_quantile(&lag, 1000));
	assert_int_equal(10, lag_quantile(&lag, 1));
	lag_add(&lag, INT64_MAX / 2);
	assert_int_equal(10001, lag.count);
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, world_begin, world_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_WORLD(checks_are_spread_over_the_interval),
		IN_WORLD(monitors_that_are_new_begin_at_once),
		IN_WORLD(a_restart_keeps_the_times),
		IN_WORLD(a_host_that_hangs_delays_only_its_own_checks),
		IN_WORLD(checks_that_hang_leave_places_for_others),
		IN_WORLD(all_monitors_of_a_host_that_hangs_go_down),
		IN_WORLD(an_account_delays_no_checks_of_another),
		IN_WORLD(a_check_that_runs_is_not_started_twice),
		IN_WORLD(a_check_on_demand_starts_at_once),
		IN_WORLD(a_changed_list_is_followed),
		IN_WORLD(without_the_lease_nothing_is_checked),
		IN_WORLD(checks_go_on_at_their_times_when_the_clock_is_set),
		IN_WORLD(once_checks_what_is_due_and_ends),
		IN_WORLD(once_repeats_failures),
		IN_WORLD(once_gives_up_without_a_list),
		cmocka_unit_test(the_memory_of_a_monitor_is_small),
		cmocka_unit_test(lags_are_right_by_an_eighth),
	};
	return RUN(tests);
}
