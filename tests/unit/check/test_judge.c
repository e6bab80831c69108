/* What follows from the outcomes of checks, in a world whose time the test lets pass. */
#include "unit/check/world.h"

#include <stdio.h>
#include <stdlib.h>

enum { MINUTE_MS = 60000 };

static struct checked_monitor *some(size_t count)
{
	static struct checked_monitor rows[100];
	for (size_t i = 0; i < count; i++)
		rows[i] = world_monitor((int64_t)i + 1, NULL);
	return rows;
}

/* Places that are broken: parts of URLs. */
static const char *broken, *voided;
static int64_t took_ms;

static struct ending as_broken(const struct check_settings *settings)
{
	bool is_up = !broken || !strstr(settings->url, broken);
	bool is_void = voided && strstr(settings->url, voided);
	return (struct ending){ .is_up = is_up && !is_void, .is_void = is_void, .ms = took_ms };
}

static int begin(void **state)
{
	broken = voided = NULL;
	took_ms = 20;
	int status = world_begin(state);
	world.rule = as_broken;
	return status;
}

static void a_failure_is_confirmed_at_once(void **state)
{
	(void)state;
	world_open(false);
	world_list(some(1), 1);
	broken = "host1";
	world_signal(1, SIGNAL_CHECK_NOW, 0);
	world_pass(200);
	assert_int_equal(2, world.started);
	assert_string_equal("D1@0", world_told());
	broken = NULL;
	world_pass(MINUTE_MS);
	assert_non_null(strstr(world_told(), "U1@"));
}

static void further_confirmations_come_soon(void **state)
{
	struct checked_monitor *rows = some(1);
	(void)state;
	rows[0].settings.confirmations = 4;
	world_open(false);
	world_list(rows, 1);
	broken = "host1";
	world_signal(1, SIGNAL_CHECK_NOW, 0);
	world_pass(9900);
	assert_int_equal(3, world.started);
	assert_string_equal("", world_told());
	world_pass(500);
	assert_string_equal("D1@0", world_told());
}

static void a_check_that_could_not_be_made_says_nothing(void **state)
{
	(void)state;
	world_open(false);
	world_list(some(1), 1);
	voided = "host1";
	world_pass(2 * MINUTE_MS);
	assert_in_range(world.started, 10, 30);
	assert_int_equal(0, world.records);
	voided = NULL;
	world_pass(MINUTE_MS);
	assert_string_equal("", world_told());
	/* For so long that the state is not known any more. */
	voided = "host1";
	world_pass(4 * MINUTE_MS);
	const char *told = world_told();
	assert_non_null(strstr(told, "gap1@1"));
	assert_int_equal(CHECK_NO_DATA, world.record.state.phase);
	voided = NULL;
	world_pass(MINUTE_MS);
	assert_non_null(strstr(world_told(), "known1@"));
}

static void a_time_without_checks_is_a_gap(void **state)
{
	struct checked_monitor *rows = some(3);
	(void)state;
	rows[0].state.checked_at.s -= 130; /* two intervals and the timeout */
	rows[1].state.checked_at.s -= 131;
	rows[2].state = (struct check_state){ 0 };
	world_open(false);
	world_list(rows, 3);
	assert_string_equal("gap2@-131", world_told());
	world_pass(200);
	assert_string_equal("U3@0", world_told());
	world_pass(MINUTE_MS);
	assert_non_null(strstr(world_told(), "known2@"));
}

/* Between runs of --once nothing was to be checked. */
static void the_time_between_even_runs_is_no_gap(void **state)
{
	struct checked_monitor *rows = some(2);
	(void)state;
	rows[0].state.checked_at.s -= 300 + 130;
	rows[1].state.checked_at.s -= 300 + 131;
	world.rest_s = 300;
	world_open(true);
	world_list(rows, 2);
	world_pass(1000);
	assert_string_equal("gap2@-431 known2@0", world_told());
}

/* Of the background loop, which has begun it while no checker ran. Settings may have changed since.
 */
static void a_gap_of_another_process_ends_with_the_first_check(void **state)
{
	struct checked_monitor rows[] = { world_monitor(1, NULL), world_monitor(2, NULL) };
	(void)state;
	rows[0].has_gap = true;
	world_open(false);
	world_list(rows, 2);
	assert_string_equal("", world_told());
	world_pass(MINUTE_MS);
	const char *told = world_told();
	assert_non_null(strstr(told, "known1@"));
	assert_null(strstr(told, "known2@"));
	rows[0].has_gap = false;
	world_list(rows, 2);
	world_pass(MINUTE_MS);
	assert_string_equal("", world_told());
	/* The checker could not reach the database, and checked on. */
	rows[1].has_gap = true;
	world_list(rows, 2);
	world_pass(MINUTE_MS);
	told = world_told();
	assert_null(strstr(told, "known1@"));
	assert_non_null(strstr(told, "known2@"));
}

static void a_paused_monitor_is_in_a_gap_until_it_is_checked_again(void **state)
{
	struct checked_monitor *rows = some(3);
	(void)state;
	rows[1].is_paused = true; /* while no checker ran */
	rows[2].state = (struct check_state){ 0 };
	world_open(false);
	world_list(rows, 3);
	assert_string_equal("gap2@0", world_told());
	world_pass(MINUTE_MS);
	world_told();
	rows[0].is_paused = rows[2].is_paused = true;
	world_list(rows, 3);
	assert_string_equal("gap1@60 gap3@60", world_told());
	world_pass(MINUTE_MS);
	world_list(rows, 3);
	assert_string_equal("", world_told());
	rows[0].is_paused = rows[1].is_paused = false;
	world_list(rows, 3);
	world_pass(1000);
	assert_string_equal("known1@120 known2@120", world_told());
}

/* The pause has ended the incident: what fails afterwards is a new outage. */
static void a_pause_ends_the_outage(void **state)
{
	struct checked_monitor *rows = some(1);
	(void)state;
	broken = "host1";
	world_open(false);
	world_list(rows, 1);
	world_pass(2 * MINUTE_MS);
	assert_non_null(strstr(world_told(), "D1@"));
	rows[0].is_paused = true;
	world_list(rows, 1);
	assert_string_equal("gap1@120", world_told());
	world_pass(MINUTE_MS);
	rows[0].is_paused = false;
	world_list(rows, 1);
	world_pass(MINUTE_MS);
	assert_string_equal("known1@180 D1@180", world_told());
}

/* With the checker's own line nothing responds. */
static void a_checker_that_is_cut_off_reports_nothing_but_that(void **state)
{
	(void)state;
	world.config.check_anchors = "https://anchor1.example/, anchor2.example:443";
	world_open(false);
	world_list(some(50), 50);
	world_pass(10 * MINUTE_MS - 1000);
	assert_string_equal("", world_told());
	broken = "e";
	world_pass(10 * MINUTE_MS);
	const char *told = world_told();
	assert_null(strchr(told, 'D'));
	assert_non_null(strstr(told, "cut@"));
	assert_null(strstr(strstr(told, "cut@") + 1, "cut@"));
	for (int i = 1; i <= 50; i++) {
		char gap[16];
		snprintf(gap, sizeof(gap), "gap%d@5", i);
		assert_non_null(strstr(told, gap));
	}
	assert_null(strstr(told, "known"));
	/* Nobody is asked but the anchors, each two seconds. */
	world.started = 0;
	world_pass(MINUTE_MS);
	assert_in_range(world.started, 50, 70);
	broken = NULL;
	world_pass(MINUTE_MS);
	told = world_told();
	assert_non_null(strstr(told, "connected"));
	assert_non_null(strstr(told, "known50@"));
	assert_null(strchr(told, 'D'));
	broken = "host7.";
	world_pass(2 * MINUTE_MS);
	told = world_told();
	assert_non_null(strstr(told, "D7@"));
	assert_null(strstr(told, "gap"));
}

static void an_outage_before_the_line_broke_goes_on(void **state)
{
	(void)state;
	world.config.check_anchors = "anchor1.example";
	world_open(false);
	world_list(some(1), 1);
	broken = "host1";
	world_pass(2 * MINUTE_MS);
	assert_non_null(strstr(world_told(), "D1@"));
	broken = "e";
	world_pass(2 * MINUTE_MS);
	broken = "host1";
	world_pass(2 * MINUTE_MS);
	const char *told = world_told();
	assert_non_null(strstr(told, "gap1@"));
	assert_non_null(strstr(told, "known1@"));
	assert_null(strpbrk(told, "DU"));
	broken = NULL;
	world_pass(MINUTE_MS);
	assert_non_null(strstr(world_told(), "U1@"));
}

/* One lost packet to the only anchor is not a broken line. */
static bool loses_one;
static struct ending loses_one_packet(const struct check_settings *settings)
{
	bool is_lost = loses_one && strstr(settings->url, "anchor");
	loses_one &= !is_lost;
	return (struct ending){ .is_up = !is_lost, .ms = 20 };
}

static void one_lost_packet_of_an_anchor_is_nothing(void **state)
{
	(void)state;
	world.config.check_anchors = "anchor1.example";
	world.rule = loses_one_packet;
	world_open(false);
	world_list(some(5), 5);
	world_pass(MINUTE_MS);
	loses_one = true;
	world_pass(MINUTE_MS);
	assert_false(loses_one);
	assert_string_equal("", world_told());
}

static void a_monitor_that_depends_on_another_is_excused(void **state)
{
	struct checked_monitor *rows = some(4);
	(void)state;
	/* 3 depends on 2, which depends on 1; 4 on a monitor that is not checked. */
	rows[1].settings.depends_on_id = 1;
	rows[2].settings.depends_on_id = 2;
	rows[3].settings.depends_on_id = 77;
	world_open(false);
	world_list(rows, 4);
	/* All fail; the last is noticed first. */
	broken = "host";
	world_signal(3, SIGNAL_CHECK_NOW, 0);
	world_pass(1000);
	const char *told = world_told();
	assert_non_null(strstr(told, "D1@0"));
	assert_non_null(strstr(told, "gap3@0"));
	assert_null(strstr(told, "D3"));
	world_pass(3 * MINUTE_MS);
	told = world_told();
	assert_null(strstr(told, "D2"));
	assert_null(strstr(told, "D3"));
	assert_non_null(strstr(told, "D4"));
	broken = NULL;
	world_pass(MINUTE_MS);
	told = world_told();
	assert_non_null(strstr(told, "U1@"));
	assert_non_null(strstr(told, "known2@"));
	assert_non_null(strstr(told, "known3@"));
	/* Alone it counts. */
	broken = "host3";
	world_pass(MINUTE_MS);
	told = world_told();
	assert_non_null(strstr(told, "D3@"));
	/* An outage that was known before goes on. */
	broken = "host";
	world_pass(3 * MINUTE_MS);
	assert_null(strstr(world_told(), "gap3"));
}

static void a_long_name_of_the_cause_stays_text(void **state)
{
	char name[4 * 254 + 2] = "x";
	struct checked_monitor *rows = some(2);
	(void)state;
	for (size_t i = 1; i + 4 < sizeof(name); i += 4)
		memcpy(name + i, "\xf0\x9f\x9a\xa8", 5);
	rows[0].name = name;
	rows[1].settings.depends_on_id = 1;
	world_open(false);
	world_list(rows, 2);
	broken = "host";
	world_pass(3 * MINUTE_MS);
	const struct str cause = str_from(checker_find(world.checker, 2)->state.cause);
	assert_true(str_starts(cause, STR("depends on x\xf0\x9f\x9a\xa8")));
	assert_true(str_is_text(cause));
}

static void a_monitor_that_others_check_holds_nothing_up(void **state)
{
	struct checked_monitor *rows = some(2);
	(void)state;
	rows[0].settings.locations = "paris";
	rows[1].settings.depends_on_id = 1;
	world_open(false);
	world_list(rows, 2);
	world_pass(MINUTE_MS);
	broken = "host2";
	world_signal(2, SIGNAL_CHECK_NOW, 0);
	world_pass(1000);
	assert_non_null(strstr(world_told(), "D2@60"));
}

static struct checked_monitor heartbeat(int64_t id)
{
	struct checked_monitor row = world_monitor(id, NULL);
	row.settings.type = CHECK_HEARTBEAT;
	row.settings.url = NULL;
	row.settings.period = 600;
	row.settings.grace = 60;
	row.state = (struct check_state){ 0 };
	return row;
}

/* The recorder reads signals each second, also none. */
static void read_signals_for(int64_t ms)
{
	for (int64_t end = world_ms() + ms; world_ms() < end;) {
		world_signal(0, 0, 0);
		world_pass(1000);
	}
}

static void a_heartbeat_that_does_not_come_is_an_outage(void **state)
{
	struct checked_monitor row = heartbeat(1);
	(void)state;
	world_open(false);
	world_list(&row, 1);
	read_signals_for(20 * MINUTE_MS); /* none has ever come: pending */
	assert_string_equal("", world_told());
	world_signal(1, SIGNAL_HEARTBEAT, 0);
	assert_string_equal("U1@1200", world_told());
	read_signals_for(660000);
	assert_string_equal("", world_told());
	read_signals_for(3000);
	assert_string_equal("D1@1800", world_told());
	world_signal(1, SIGNAL_HEARTBEAT, 0);
	assert_string_equal("U1@1863", world_told());
	world_signal(1, SIGNAL_EXIT, 0);
	assert_string_equal("", world_told());
	world_pass(1000);
	world_signal(1, SIGNAL_EXIT, 3);
	world_pass(10);
	assert_string_equal("D1@1864", world_told());
	assert_int_equal(0, world.started);
}

/* The clock was an hour ahead when the last heartbeat came. */
static void heartbeats_count_after_the_clock_was_set_back(void **state)
{
	struct checked_monitor row = heartbeat(1);
	(void)state;
	world_open(false);
	world_list(&row, 1);
	read_signals_for(20000);
	world_signal(1, SIGNAL_HEARTBEAT, 0);
	world_set_clock(-3600);
	read_signals_for(MINUTE_MS);
	world_told();
	world_signal(1, SIGNAL_FAIL, 0);
	world_pass(10);
	assert_non_null(strstr(world_told(), "D1@"));
	world_signal(1, SIGNAL_HEARTBEAT, 0);
	assert_non_null(strstr(world_told(), "U1@"));
	/* From then on one is expected. */
	read_signals_for(12 * MINUTE_MS);
	assert_non_null(strstr(world_told(), "D1@"));
}

static void heartbeats_that_were_kept_while_the_database_was_away_count(void **state)
{
	struct checked_monitor row = heartbeat(1);
	(void)state;
	world_open(false);
	world_list(&row, 1);
	read_signals_for(20000);
	world_signal(1, SIGNAL_HEARTBEAT, 0);
	read_signals_for(MINUTE_MS);
	world_told();
	world_pass(60 * MINUTE_MS); /* nobody can read signals */
	assert_string_equal("", world_told());
	read_signals_for(8000);
	world_signal(1, SIGNAL_HEARTBEAT, 0);
	read_signals_for(10 * MINUTE_MS);
	assert_string_equal("", world_told());
	read_signals_for(2 * MINUTE_MS);
	assert_non_null(strstr(world_told(), "D1@"));
}

/* Heartbeats of a paused monitor do not count: it may take its whole period again. */
static void a_resumed_monitor_waits_for_its_heartbeat_from_then_on(void **state)
{
	struct checked_monitor row = heartbeat(1);
	(void)state;
	world_open(false);
	world_list(&row, 1);
	read_signals_for(20000);
	world_signal(1, SIGNAL_HEARTBEAT, 0);
	row.is_paused = true;
	world_list(&row, 1);
	read_signals_for(60 * MINUTE_MS);
	world_told();
	row.is_paused = false;
	world_list(&row, 1);
	read_signals_for(10 * MINUTE_MS);
	assert_string_equal("", world_told());
	read_signals_for(2 * MINUTE_MS);
	assert_non_null(strstr(world_told(), "D1@"));
}

/* 0 stands for "unknown". */
static void a_response_takes_at_least_a_millisecond(void **state)
{
	struct checked_monitor rows[] = { world_monitor(1, NULL), heartbeat(2) };
	(void)state;
	took_ms = 0;
	world_open(false);
	world_list(rows, 2);
	world_pass(MINUTE_MS);
	world_signal(2, SIGNAL_START, 0);
	world_signal(2, SIGNAL_HEARTBEAT, 0);
	assert_int_equal(checker_find(world.checker, 1)->state.response_ms, 1);
	assert_int_equal(checker_find(world.checker, 2)->state.response_ms, 1);
	world_signal(2, SIGNAL_HEARTBEAT, 0);
	assert_int_equal(checker_find(world.checker, 2)->state.response_ms, 0);
}

static void a_heartbeat_of_a_monitor_that_is_not_listed_yet_counts(void **state)
{
	struct checked_monitor rows[] = { world_monitor(1, NULL), heartbeat(2) };
	(void)state;
	world_open(false);
	world_list(rows, 1);
	world_signal(2, SIGNAL_HEARTBEAT, 0);
	world_pass(1500);
	world_list(rows, 2);
	assert_string_equal("U2@0", world_told());
}

static void a_cut_off_checker_expects_no_heartbeat(void **state)
{
	struct checked_monitor row = heartbeat(1);
	(void)state;
	world.config.check_anchors = "anchor1.example";
	row.settings.period = 60;
	row.settings.grace = 0;
	world_open(false);
	world_list(&row, 1);
	read_signals_for(20000);
	world_signal(1, SIGNAL_HEARTBEAT, 0);
	world_told();
	broken = "anchor";
	row.settings.url = NULL;
	read_signals_for(10 * MINUTE_MS);
	broken = NULL;
	read_signals_for(50000);
	assert_null(strchr(world_told(), 'D'));
	read_signals_for(20000);
	assert_non_null(strstr(world_told(), "D1@"));
}

static void sums_belong_to_the_hour(void **state)
{
	struct checked_monitor *rows = some(1);
	(void)state;
	int64_t hour_s = WORLD_START_S / 3600 * 3600;
	rows[0].hour = (struct check_hour){ { hour_s }, 10, 2, 800, 100, 100 };
	world_open(false);
	world_list(rows, 1);
	world_pass(MINUTE_MS);
	const struct checked *checked = checker_find(world.checker, 1);
	assert_int_equal(11, checked->hour.checks);
	assert_int_equal(820, checked->hour.response_sum_ms);
	assert_int_equal(20, checked->hour.response_min_ms);
	assert_int_equal(100, checked->hour.response_max_ms);
	world_pass(60 * MINUTE_MS);
	assert_int_equal(hour_s + 3600, checked->hour.hour.s);
	assert_in_range(checked->hour.checks, 14, 15);
	assert_int_equal(20 * checked->hour.checks, checked->hour.response_sum_ms);
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, begin, world_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_WORLD(a_failure_is_confirmed_at_once),
		IN_WORLD(further_confirmations_come_soon),
		IN_WORLD(a_check_that_could_not_be_made_says_nothing),
		IN_WORLD(a_time_without_checks_is_a_gap),
		IN_WORLD(the_time_between_even_runs_is_no_gap),
		IN_WORLD(a_gap_of_another_process_ends_with_the_first_check),
		IN_WORLD(a_pause_ends_the_outage),
		IN_WORLD(a_paused_monitor_is_in_a_gap_until_it_is_checked_again),
		IN_WORLD(a_resumed_monitor_waits_for_its_heartbeat_from_then_on),
		IN_WORLD(a_response_takes_at_least_a_millisecond),
		IN_WORLD(a_checker_that_is_cut_off_reports_nothing_but_that),
		IN_WORLD(an_outage_before_the_line_broke_goes_on),
		IN_WORLD(one_lost_packet_of_an_anchor_is_nothing),
		IN_WORLD(a_monitor_that_depends_on_another_is_excused),
		IN_WORLD(a_long_name_of_the_cause_stays_text),
		IN_WORLD(a_monitor_that_others_check_holds_nothing_up),
		IN_WORLD(a_heartbeat_that_does_not_come_is_an_outage),
		IN_WORLD(heartbeats_count_after_the_clock_was_set_back),
		IN_WORLD(heartbeats_that_were_kept_while_the_database_was_away_count),
		IN_WORLD(a_heartbeat_of_a_monitor_that_is_not_listed_yet_counts),
		IN_WORLD(a_cut_off_checker_expects_no_heartbeat),
		IN_WORLD(sums_belong_to_the_hour),
	};
	return RUN(tests);
}
