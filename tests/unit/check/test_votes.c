/* The state of a monitor that several locations check, from their votes. */
#include "unit/check/world.h"

#include <stdio.h>

enum { INTERVAL_S = 60, MAX_AGE_S = 2 * INTERVAL_S + 10, MONITOR = 1 };

static bool is_broken, is_slow;
static struct checked_monitor row;

static struct ending as_broken(const struct check_settings *settings)
{
	(void)settings;
	return (struct ending){ .is_up = !is_broken, .ms = 20 };
}

static void begin_world(const char *locations, int64_t quorum)
{
	row = world_monitor(MONITOR, NULL);
	row.state = (struct check_state){ 0 };
	row.settings.locations = locations;
	row.settings.quorum = quorum;
	world.rule = as_broken;
	is_broken = is_slow = false;
	world_open(false);
	world_list(&row, 1);
}

static int64_t now_s(void)
{
	return clock_now().s - WORLD_START_S;
}

enum { UNKNOWN_S = -WORLD_START_S };

/* The location votes now; its state began at `since_s`. */
static void vote(const char *location, int phase, int64_t since_s)
{
	struct instant since = { WORLD_START_S + since_s };
	struct check_voting voting = { .monitor_id = MONITOR,
				       .location = location,
				       .phase = phase,
				       .since = since,
				       .checked_at = clock_now(),
				       .failing_since = since,
				       .well_since = since,
				       .is_slow = is_slow,
				       .response_ms = is_slow ? 500 : 20,
				       .cause = "refused" };
	const struct check_votings list = { &voting, 1 };
	world.observer.votes(world.observer.context, &list);
}

static int phase(void)
{
	return checker_find(world.checker, MONITOR)->state.phase;
}

static void most_of_three_decide(void **state)
{
	(void)state;
	begin_world("a, b,c", 0);
	vote("a", CHECK_UP, 0);
	assert_int_equal(CHECK_PENDING, phase());
	vote("B", CHECK_UP, 0);
	vote("c", CHECK_UP, 0);
	assert_string_equal("U1@0", world_told());
	world_pass(20000);
	vote("a", CHECK_DOWN, 11);
	vote("nobody", CHECK_DOWN, 11);
	assert_int_equal(CHECK_UP, phase());
	world_pass(10000);
	vote("c", CHECK_UP, 0);
	vote("b", CHECK_DOWN, 25);
	/* The outage begins with the vote that makes the quorum, although another was newer. */
	assert_string_equal("D1@25", world_told());
	vote("b", CHECK_DOWN, 25);
	vote("c", CHECK_DOWN, 30);
	assert_string_equal("", world_told());
	world_pass(20000);
	vote("a", CHECK_UP, 45);
	assert_int_equal(CHECK_DOWN, phase());
	vote("c", CHECK_UP, 48);
	assert_string_equal("U1@48", world_told());
	/* This checker is none of the locations. */
	assert_int_equal(0, world.started);
}

static void a_tie_changes_nothing(void **state)
{
	(void)state;
	begin_world("a,b,c", 0);
	vote("a", CHECK_UP, 0);
	vote("b", CHECK_UP, 0);
	(void)world_told();
	/* The third is not there: one says up, one says down. */
	vote("a", CHECK_DOWN, 0);
	assert_int_equal(CHECK_UP, phase());
	vote("b", CHECK_DOWN, 0);
	assert_int_equal(CHECK_DOWN, phase());
	vote("a", CHECK_UP, 0);
	assert_int_equal(CHECK_DOWN, phase());
	for (int i = 0; i < 10; i++) {
		world_pass(INTERVAL_S * 1000);
		vote("a", CHECK_UP, 0);
		vote("b", CHECK_DOWN, 0);
	}
	assert_int_equal(CHECK_DOWN, phase());
	assert_string_equal("D1@0", world_told());
	/* A checker that takes over finds no gap. */
	assert_int_equal(clock_now().s, world.record.state.checked_at.s);
}

static void votes_end(void **state)
{
	(void)state;
	begin_world("a,b,c", 0);
	vote("a", CHECK_UP, 0);
	vote("b", CHECK_UP, 0);
	(void)world_told();
	world_pass((MAX_AGE_S - 1) * 1000);
	assert_int_equal(CHECK_UP, phase());
	world_pass((INTERVAL_S + 2) * 1000);
	assert_int_equal(CHECK_NO_DATA, phase());
	assert_string_equal("gap1@0", world_told());
	vote("a", CHECK_UP, 0);
	assert_int_equal(CHECK_NO_DATA, phase());
	int64_t back_s = now_s();
	vote("c", CHECK_UP, 0);
	assert_int_equal(CHECK_UP, phase());
	char told[32];
	snprintf(told, sizeof(told), "known1@%lld", (long long)back_s);
	assert_string_equal(told, world_told());
}

static void an_outage_outlives_votes(void **state)
{
	(void)state;
	begin_world("a,b", 2);
	vote("a", CHECK_UP, 0);
	vote("b", CHECK_UP, 0);
	(void)world_told();
	vote("a", CHECK_DOWN, 0);
	vote("b", CHECK_DOWN, 0);
	assert_string_equal("D1@0", world_told());
	world_pass((MAX_AGE_S + INTERVAL_S + 1) * 1000);
	assert_int_equal(CHECK_NO_DATA, phase());
	vote("a", CHECK_DOWN, 0);
	vote("b", CHECK_DOWN, 0);
	assert_int_equal(CHECK_DOWN, phase());
	const char *told = world_told();
	/* The same outage: it is not reported again. */
	assert_null(strchr(told, 'D'));
}

static void a_location_that_is_cut_off_has_no_vote(void **state)
{
	(void)state;
	begin_world("a,b,c", 2);
	vote("a", CHECK_UP, 0);
	vote("b", CHECK_DOWN, 0);
	assert_int_equal(CHECK_PENDING, phase());
	/* Of two, one that says up is enough. */
	vote("c", CHECK_NO_DATA, 0);
	assert_int_equal(CHECK_UP, phase());
	world_pass(MAX_AGE_S * 1000);
	vote("a", CHECK_UP, 0);
	vote("b", CHECK_NO_DATA, 0);
	assert_int_equal(CHECK_NO_DATA, phase());
}

static void a_failure_that_is_not_confirmed_is_no_vote(void **state)
{
	(void)state;
	begin_world("a", 1);
	vote("a", CHECK_UP, 0);
	vote("a", CHECK_CONFIRMING, 0);
	assert_int_equal(CHECK_UP, phase());
	vote("a", CHECK_DOWN, 0);
	assert_int_equal(CHECK_DOWN, phase());
}

static void a_vote_that_is_too_old_says_nothing(void **state)
{
	(void)state;
	begin_world("a,b,c", 2);
	row.settings.slow_ms = 100;
	world_list(&row, 1);
	is_slow = true;
	vote("a", CHECK_UP, 0);
	vote("b", CHECK_UP, 0);
	assert_string_equal("S1@0", world_told());
	for (int i = 0; i < 3; i++) {
		world_pass(INTERVAL_S * 1000);
		is_slow = true;
		vote("b", CHECK_UP, 0);
		is_slow = false;
		vote("c", CHECK_UP, 0);
	}
	/* Only b is slow: a votes no longer. */
	assert_false(checker_find(world.checker, MONITOR)->state.is_slow);
}

static void a_vote_that_tells_no_beginning_begins_with_its_check(void **state)
{
	(void)state;
	begin_world("a", 1);
	vote("a", CHECK_UP, UNKNOWN_S);
	world_pass(20000);
	vote("a", CHECK_DOWN, UNKNOWN_S);
	world_pass(10000);
	vote("a", CHECK_UP, UNKNOWN_S);
	assert_string_equal("U1@0 D1@20 U1@30", world_told());
}

static void a_monitor_that_depends_on_another_is_excused(void **state)
{
	(void)state;
	begin_world("a", 1);
	struct checked_monitor rows[] = { row, world_monitor(2, NULL) };
	rows[0].settings.depends_on_id = 2;
	world_list(rows, 2);
	vote("a", CHECK_UP, 0);
	is_broken = true;
	world_pass(INTERVAL_S * 1000);
	assert_non_null(strstr(world_told(), "D2@"));
	int64_t excused_s = now_s();
	vote("a", CHECK_DOWN, excused_s - 10);
	assert_int_equal(CHECK_NO_DATA, phase());
	/* What was found before the other monitor was up says nothing. */
	is_broken = false;
	world_pass(INTERVAL_S * 1000);
	vote("nobody", CHECK_UP, 0);
	const char *told = world_told();
	assert_non_null(strstr(told, "U2@"));
	assert_null(strstr(told, "D1@"));
	assert_int_equal(CHECK_NO_DATA, phase());
	vote("a", CHECK_DOWN, excused_s - 10);
	char down[64];
	snprintf(down, sizeof(down), "known1@%lld D1@%lld", (long long)excused_s,
		 (long long)excused_s);
	assert_string_equal(down, world_told());
	/* An outage that was known before goes on. */
	is_broken = true;
	world_pass(INTERVAL_S * 1000);
	vote("a", CHECK_DOWN, now_s());
	assert_int_equal(CHECK_DOWN, phase());
}

static void this_checker_is_one_of_them(void **state)
{
	(void)state;
	begin_world("Centre,a,b", 0);
	world_pass(100);
	assert_int_equal(1, world.started);
	assert_int_equal(CHECK_PENDING, phase());
	vote("a", CHECK_UP, 0);
	assert_int_equal(CHECK_UP, phase());
	(void)world_told();
	/* Its own failures alone do not count. */
	is_broken = true;
	world_pass(2 * INTERVAL_S * 1000);
	vote("a", CHECK_UP, 0);
	assert_int_equal(CHECK_UP, phase());
	assert_string_equal("", world_told());
	/* A location's first failure has the others look at once. */
	is_broken = false;
	world_pass(INTERVAL_S * 1000);
	size_t started = world.started;
	world_pass(1000);
	is_broken = true;
	vote("a", CHECK_CONFIRMING, now_s());
	world_pass(1000);
	assert_true(world.started > started);
	vote("a", CHECK_DOWN, now_s());
	assert_int_equal(CHECK_DOWN, phase());
}

static void a_pause_is_a_gap(void **state)
{
	(void)state;
	begin_world("a", 1);
	vote("a", CHECK_UP, 0);
	(void)world_told();
	world_pass(5000);
	row.is_paused = true;
	world_list(&row, 1);
	vote("a", CHECK_DOWN, 5);
	assert_int_equal(CHECK_NO_DATA, phase());
	assert_string_equal("gap1@5", world_told());
	world_pass(5000);
	row.is_paused = false;
	world_list(&row, 1);
	vote("a", CHECK_UP, 0);
	assert_int_equal(CHECK_UP, phase());
	assert_string_equal("known1@10", world_told());
}

static void a_gap_of_another_process_ends(void **state)
{
	(void)state;
	begin_world("a", 1);
	row.has_gap = true;
	world_list(&row, 1);
	vote("a", CHECK_UP, 0);
	assert_int_equal(CHECK_UP, phase());
	assert_non_null(strstr(world_told(), "known1@0"));
}

static void another_lease_ends_the_judgement(void **state)
{
	(void)state;
	begin_world("a", 1);
	vote("a", CHECK_UP, 0);
	(void)world_told();
	world.observer.lease(world.observer.context, false);
	vote("a", CHECK_DOWN, 0);
	assert_string_equal("", world_told());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(most_of_three_decide, world_begin, world_end),
		cmocka_unit_test_setup_teardown(a_tie_changes_nothing, world_begin, world_end),
		cmocka_unit_test_setup_teardown(votes_end, world_begin, world_end),
		cmocka_unit_test_setup_teardown(an_outage_outlives_votes, world_begin, world_end),
		cmocka_unit_test_setup_teardown(a_location_that_is_cut_off_has_no_vote, world_begin,
						world_end),
		cmocka_unit_test_setup_teardown(a_failure_that_is_not_confirmed_is_no_vote,
						world_begin, world_end),
		cmocka_unit_test_setup_teardown(a_vote_that_is_too_old_says_nothing, world_begin,
						world_end),
		cmocka_unit_test_setup_teardown(
			a_vote_that_tells_no_beginning_begins_with_its_check, world_begin,
			world_end),
		cmocka_unit_test_setup_teardown(a_monitor_that_depends_on_another_is_excused,
						world_begin, world_end),
		cmocka_unit_test_setup_teardown(this_checker_is_one_of_them, world_begin,
						world_end),
		cmocka_unit_test_setup_teardown(a_pause_is_a_gap, world_begin, world_end),
		cmocka_unit_test_setup_teardown(a_gap_of_another_process_ends, world_begin,
						world_end),
		cmocka_unit_test_setup_teardown(another_lease_ends_the_judgement, world_begin,
						world_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
