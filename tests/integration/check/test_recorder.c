/*
 * The recorder between a loop, in which the tests stand in for the scheduler, and the database,
 * which is reached by a link that tests remove.
 */
#include "integration/lib/service.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/secret.h"
#include "check/recorder.h"

enum { MONITORS_MAX = 3000, PATIENCE_MS = 60000, MINUTE = 60 };

/* A checker: what its recorder told it. */
struct checker {
	struct loop loop;
	struct recorder *recorder;
	struct loop_timer look;
	bool is_held, is_told;
	int lists, signal_calls;
	size_t count;
	struct checked_monitor rows[MONITORS_MAX]; /* of the last list, without texts */
	struct check_signal signals[16];
	size_t signal_count;
	bool (*is_done)(struct checker *);
	int64_t until_ms;
};
static struct checker one, two;
static struct site site;
static char link_path[FOLDER_MAX_BYTES + 16];

static void on_monitors(void *context, const struct checked_list *list)
{
	struct checker *checker = context;
	checker->lists++;
	checker->count = list->count;
	assert_in_range(list->count, 0, MONITORS_MAX);
	memcpy(checker->rows, list->rows, list->count * sizeof(*list->rows));
}

static void on_signals(void *context, const struct check_signal *rows, size_t count)
{
	struct checker *checker = context;
	checker->signal_calls += count > 0;
	for (size_t i = 0; i < count && checker->signal_count < 16; i++)
		checker->signals[checker->signal_count++] = rows[i];
}

static void on_lease(void *context, bool is_held)
{
	struct checker *checker = context;
	checker->is_held = is_held;
	checker->is_told = true;
}

static void look(void *context)
{
	struct checker *checker = context;
	if (checker->is_done(checker) || clock_ms() > checker->until_ms)
		loop_stop(&checker->loop);
	loop_timer_set(&checker->loop, &checker->look, clock_ms() + 5);
}

static bool passes(struct checker *checker, bool (*is_done)(struct checker *), int64_t most_ms)
{
	checker->is_done = is_done;
	checker->until_ms = clock_ms() + most_ms;
	checker->look = (struct loop_timer){ .call = look, .context = checker };
	loop_timer_set(&checker->loop, &checker->look, clock_ms());
	loop_run(&checker->loop);
	loop_timer_cancel(&checker->loop, &checker->look);
	return is_done(checker);
}

static bool has_list(struct checker *checker)
{
	return checker->is_held && checker->lists > 0;
}

static bool never(struct checker *checker)
{
	(void)checker;
	return false;
}

#define run_until(checker, is_done) assert_true(passes((checker), (is_done), PATIENCE_MS))

static void begin(struct checker *checker)
{
	const struct recorder_observer observer = { on_monitors, on_signals, on_lease, checker };
	*checker = (struct checker){ 0 };
	assert_true(loop_open(&checker->loop));
	assert_ok(recorder_open(&checker->recorder, &checker->loop, &config, &site, &observer,
				&error));
}

static void open_checker(struct checker *checker)
{
	begin(checker);
	run_until(checker, has_list);
}

static void close_checker(struct checker *checker)
{
	assert_true(recorder_close(checker->recorder, PATIENCE_MS));
	assert_true(loop_close(&checker->loop));
}

static int clear(void **state)
{
	int result = service_clear(state);
	snprintf(link_path, sizeof(link_path), "%s.sock", pages_folder);
	assert_int_equal(symlink(getenv("DAYMARK_TEST_SOCKET"), link_path), 0);
	config.base_url = "https://status.test";
	config.database_socket = link_path;
	config.database_name = "daymark_integration";
	config.database_user = "root";
	config.database_password = "";
	config.database_timeout_s = 5;
	return result;
}
#define RECORDER_TEST(function) cmocka_unit_test_setup(function, clear)

/* The connections of recorders end, and there are no new ones. */
static void take_away(void)
{
	assert_int_equal(unlink(link_path), 0);
	for (;;) {
		int64_t id = select_number(
			"SELECT COALESCE(MAX(id), 0) FROM information_schema.processlist WHERE "
			"id > %ld AND id <> CONNECTION_ID() AND command <> 'Daemon'",
			(long)select_number("SELECT @own_connections"));
		if (id == 0)
			return;
		execute("BEGIN NOT ATOMIC DECLARE CONTINUE HANDLER FOR 1094 BEGIN END; KILL %ld; "
			"END",
			(long)id);
		usleep(2000);
	}
}

static void give_back(void)
{
	assert_int_equal(symlink(getenv("DAYMARK_TEST_SOCKET"), link_path), 0);
}

static void add_checks(int64_t account, int count)
{
	execute("INSERT INTO monitors (account_id, name, created_at, updated_at) SELECT %ld, "
		"CONCAT('m', seq), NOW(), NOW() FROM seq_1_to_10000 WHERE seq <= %d",
		(long)account, count);
	execute("INSERT INTO monitor_checks (monitor_id, account_id, type, `interval`, timeout, "
		"confirmations, recoveries, slow_ms, depends_on_id, request_method, cache_buster, "
		"follow_redirects, verify_tls, alert_condition, json_operator, dns_type, "
		"ssl_alert_days, domain_alert_days, period, grace, changed_at) SELECT id, "
		"account_id, 1, 60, 7, 3, 2, 0, 0, 0, 0, 1, 1, 0, 0, 0, 14, 0, 0, 60, NOW() "
		"FROM monitors WHERE account_id = %ld",
		(long)account);
}

static int64_t first_monitor(void)
{
	return select_number("SELECT MIN(id) FROM monitors");
}

static struct check_state down_since(struct instant since)
{
	return (struct check_state){ .phase = CHECK_DOWN,
				     .since = since,
				     .checked_at = { since.s + 2 },
				     .failing_since = since,
				     .failures = 2,
				     .cause = "503" };
}

static struct check_state up_since(struct instant since)
{
	return (struct check_state){ .phase = CHECK_UP,
				     .since = since,
				     .checked_at = { since.s + 1 },
				     .well_since = since,
				     .response_ms = 12 };
}

static void report(struct checker *checker, int64_t id, enum check_report kind,
		   struct check_state state)
{
	recorder_report(checker->recorder, id, kind, &state);
}

static const char *wanted;
#define INCIDENTS \
	"SELECT COALESCE(GROUP_CONCAT(CONCAT_WS(' ', monitor_id - (SELECT MIN(id) FROM " \
	"monitors), " \
	"started_at, COALESCE(ended_at, '-'), impact, cause, COALESCE(title, '-')) " \
	"ORDER BY monitor_id, id SEPARATOR ', '), '') FROM incidents"
static bool has_incidents(struct checker *checker)
{
	(void)checker;
	return strcmp(select_text(INCIDENTS), wanted) == 0;
}

static void run_to_incidents(struct checker *checker, const char *text)
{
	wanted = text;
	if (!passes(checker, has_incidents, PATIENCE_MS))
		assert_string_equal(select_text(INCIDENTS), text);
}

static bool is_stored(struct checker *checker)
{
	(void)checker;
	return strcmp(select_text("SELECT COUNT(*), MIN(phase), MAX(phase) FROM monitor_states"),
		      wanted) == 0;
}

static void reports_open_and_end_incidents(void **state)
{
	(void)state;
	int64_t account = add_account("one");
	add_checks(account, 2);
	int64_t id = first_monitor();
	show_monitor(add_page(account, "p"), id, 1);
	open_checker(&one);
	assert_int_equal(one.count, 2);
	report(&one, id, CHECK_REPORT_DOWN, down_since(at(5, 1)));
	run_to_incidents(&one, "0 2026-03-05 01:00:00 - 3 503 -");
	assert_rows("3|1|2026-03-05 01:00:00",
		    "SELECT phase, reported, reported_since FROM monitor_states");
	assert_rows("incident.opened|checker|0",
		    "SELECT kind, actor_type, COALESCE(actor_id, 0) FROM events");
	/* The same again, and with the cause of an unstable system. */
	report(&one, id, CHECK_REPORT_DOWN, down_since(at(5, 1)));
	report(&one, id, CHECK_REPORT_UP, up_since(at(5, 2)));
	run_to_incidents(&one, "0 2026-03-05 01:00:00 2026-03-05 02:00:00 3 503 -");
	assert_rows("1|0|-", "SELECT phase, reported, reported_since FROM monitor_states");
	assert_published("public/s/p/index.html", "m1");
	/* Slow, then down: one incident. */
	struct check_state slow = up_since(at(5, 3));
	slow.is_slow = true;
	slow.failing_since = at(5, 4);
	snprintf(slow.cause, sizeof(slow.cause), "slow");
	report(&one, id + 1, CHECK_REPORT_SLOW, slow);
#define FIRST "0 2026-03-05 01:00:00 2026-03-05 02:00:00 3 503 -, "
	run_to_incidents(&one, FIRST "1 2026-03-05 04:00:00 - 1 slow -");
	report(&one, id + 1, CHECK_REPORT_DOWN, down_since(at(5, 5)));
	run_to_incidents(&one, FIRST "1 2026-03-05 04:00:00 - 3 slow -");
	report(&one, id + 1, CHECK_REPORT_UP, up_since(at(5, 6)));
	run_to_incidents(&one, FIRST "1 2026-03-05 04:00:00 2026-03-05 06:00:00 3 slow -");
	close_checker(&one);
	assert_rows("-", "SELECT holder FROM check_locations");
}

static int64_t wanted_count;
static bool has_so_many_open(struct checker *checker)
{
	(void)checker;
	return select_number("SELECT COUNT(*) FROM incidents WHERE ended_at IS NULL") ==
	       wanted_count;
}

/* Paused, and no longer checked; paused before this checker has begun. */
static void the_outages_of_monitors_that_are_not_checked_end(void **state)
{
	(void)state;
	add_checks(add_account("one"), 3);
	int64_t id = first_monitor();
	open_checker(&one);
	for (int i = 0; i < 3; i++)
		report(&one, id + i, CHECK_REPORT_DOWN, down_since(at(5, 1)));
	run_to_incidents(&one, "0 2026-03-05 01:00:00 - 3 503 -, 1 2026-03-05 01:00:00 - 3 503 -, "
			       "2 2026-03-05 01:00:00 - 3 503 -");
	execute("UPDATE monitors SET is_paused = 1 WHERE id = %ld", (long)id);
	execute("UPDATE monitor_checks SET type = IF(monitor_id = %ld, 0, type), "
		"changed_at = UTC_TIMESTAMP() + INTERVAL 1 SECOND",
		(long)id + 1);
	wanted_count = 1;
	run_until(&one, has_so_many_open);
	close_checker(&one);
	execute("UPDATE monitors SET is_paused = 1");
	open_checker(&one);
	wanted_count = 0;
	run_until(&one, has_so_many_open);
	close_checker(&one);
	assert_rows("3|1", "SELECT COUNT(*), MIN(ended_at) > UTC_TIMESTAMP() - INTERVAL 5 MINUTE "
			   "FROM incidents");
	assert_rows("0|0", "SELECT MIN(reported), MAX(reported) FROM monitor_states");
}

/* Each state that another process may have left behind. */
static void what_was_stored_and_not_reported_is_reported(void **state)
{
	(void)state;
	add_checks(add_account("one"), 5);
	int64_t id = first_monitor();
	open_checker(&one);
	report(&one, id + 1, CHECK_REPORT_DOWN, down_since(at(5, 1)));
	report(&one, id + 2, CHECK_REPORT_DOWN, down_since(at(5, 2)));
#define OTHERS "1 2026-03-05 01:00:00 - 3 503 -, 2 2026-03-05 02:00:00 - 3 503 -"
	run_to_incidents(&one, OTHERS);
	close_checker(&one);
	execute("REPLACE INTO monitor_states (monitor_id, phase, since, failing_since, failures, "
		"successes, is_slow, changes, is_flapping, response_ms, cause) VALUES "
		"(%ld, 3, '2026-03-05 07:00:00', '2026-03-05 07:00:00', 1, 0, 0, 0, 0, 0, 'lost'), "
		"(%ld, 1, '2026-03-05 07:00:00', '2026-03-05 08:00:00', 0, 0, 1, 0, 0, 9, 'slow')",
		(long)id, (long)id + 3);
	/* It is up; it is not known. */
	execute("UPDATE monitor_states SET phase = 1, well_since = '2026-03-05 03:00:00' "
		"WHERE monitor_id = %ld",
		(long)id + 1);
	execute("UPDATE monitor_states SET phase = 4 WHERE monitor_id = %ld", (long)id + 2);
	open_checker(&one);
	run_to_incidents(&one, "0 2026-03-05 07:00:00 - 3 lost -, "
			       "1 2026-03-05 01:00:00 2026-03-05 03:00:00 3 503 -, "
			       "2 2026-03-05 02:00:00 - 3 503 -, 3 2026-03-05 08:00:00 - 1 slow -");
	close_checker(&one);
}

static int64_t statements(void)
{
	return select_number("SELECT variable_value FROM information_schema.global_status "
			     "WHERE variable_name = 'COM_STMT_EXECUTE'");
}

static bool has_so_many(struct checker *checker)
{
	(void)checker;
	return select_number("SELECT COUNT(*) FROM incidents") == wanted_count;
}

static void hundreds_go_down_by_few_statements(void **state)
{
	(void)state;
	int64_t account = add_account("one"), page = add_page(account, "p"), spent[2];
	add_checks(account, 600);
	execute("INSERT INTO status_page_monitors (status_page_id, monitor_id, position) SELECT "
		"%ld, id, id FROM monitors",
		(long)page);
	int64_t id = first_monitor();
	open_checker(&one);
	for (int round = 0; round < 2; round++) {
		int64_t before = statements();
		for (int i = 0; i < (round == 0 ? 20 : 500); i++)
			report(&one, id + 20 * round + i, CHECK_REPORT_DOWN, down_since(at(5, 1)));
		wanted_count = round == 0 ? 20 : 520;
		run_until(&one, has_so_many);
		spent[round] = statements() - before;
	}
	print_message("# 20 down: %ld statements, 500 down: %ld\n", (long)spent[0], (long)spent[1]);
	assert_in_range(spent[1], 1, spent[0] + 60);
	close_checker(&one);
}

static void a_checker_cuts_gaps_of_a_clock_that_was_ahead(void **state)
{
	(void)state;
	add_checks(add_account("one"), 1);
	execute("INSERT INTO monitor_gaps (monitor_id, started_at, ended_at, ends_at) SELECT id, "
		"'2026-03-05', '2099-01-01', '2099-01-01' FROM monitors");
	open_checker(&one);
	assert_rows("1", "SELECT ends_at <= UTC_TIMESTAMP() FROM monitor_gaps");
	close_checker(&one);
}

static bool has_told(struct checker *checker)
{
	(void)checker;
	return select_number("SELECT COUNT(*) FROM incidents WHERE ended_at IS NULL "
			     "AND started_at = '2026-03-06 00:30:00'") == 1;
}

/* While its database is away a monitor changes more often than is kept: others lose nothing, and
 * its state is told at the end. */
static void a_monitor_that_changes_often_harms_itself_alone(void **state)
{
	(void)state;
	add_checks(add_account("one"), 1);
	add_checks(add_account("two"), 1);
	int64_t id = first_monitor();
	open_checker(&one);
	take_away();
	for (int i = 0; i < RECORDER_REPORTS_MAX; i++) {
		struct instant since = { at(5, 1).s + i * MINUTE };
		if (i % 2 == 0)
			report(&one, id, CHECK_REPORT_DOWN, down_since(since));
		else
			report(&one, id, CHECK_REPORT_UP, up_since(since));
	}
	report(&one, id, CHECK_REPORT_DOWN, down_since((struct instant){ at(6, 0).s + 1800 }));
	report(&one, id + 1, CHECK_REPORT_DOWN, down_since(at(5, 2)));
	give_back();
	run_until(&one, has_told);
	wanted_count = RECORDER_REPORTS_MAX / 2 + 2;
	run_until(&one, has_so_many);
	close_checker(&one);
}

static void a_quota_stops_its_account_alone(void **state)
{
	(void)state;
	int64_t account = add_account("one");
	add_checks(account, 3);
	add_checks(add_account("two"), 1);
	int64_t id = first_monitor();
	config.most_incidents_per_day = 1;
	open_checker(&one);
	report(&one, id, CHECK_REPORT_DOWN, down_since(at(5, 1)));
	run_to_incidents(&one, "0 2026-03-05 01:00:00 - 3 503 -");
	report(&one, id + 1, CHECK_REPORT_DOWN, down_since(at(5, 2)));
	report(&one, id, CHECK_REPORT_UP, up_since(at(5, 3)));
	report(&one, id + 3, CHECK_REPORT_DOWN, down_since(at(5, 4)));
	run_to_incidents(&one, "0 2026-03-05 01:00:00 2026-03-05 03:00:00 3 503 -, "
			       "3 2026-03-05 04:00:00 - 3 503 -");
	/* What was refused is reported when the quota allows it. */
	config.most_incidents_per_day = 9;
	run_to_incidents(&one, "0 2026-03-05 01:00:00 2026-03-05 03:00:00 3 503 -, "
			       "1 2026-03-05 02:00:00 - 3 503 -, "
			       "3 2026-03-05 04:00:00 - 3 503 -");
	close_checker(&one);
}

static void removed_and_retired_monitors_are_skipped(void **state)
{
	(void)state;
	add_checks(add_account("one"), 3);
	int64_t id = first_monitor();
	open_checker(&one);
	execute("UPDATE monitors SET retired_at = NOW() WHERE id = %ld", (long)id);
	execute("DELETE FROM monitors WHERE id = %ld", (long)id + 1);
	for (int i = 0; i < 3; i++)
		report(&one, id + i, CHECK_REPORT_DOWN, down_since(at(5, 1)));
	run_to_incidents(&one, "2 2026-03-05 01:00:00 - 3 503 -");
	close_checker(&one);
}

static bool is_told(struct checker *checker)
{
	return checker->is_told;
}

static bool has_lost(struct checker *checker)
{
	return !checker->is_held;
}

static void one_of_two_recorders_has_the_lease(void **state)
{
	(void)state;
	add_checks(add_account("one"), 1);
	int64_t id = first_monitor();
	open_checker(&one);
	begin(&two);
	run_until(&two, is_told);
	assert_false(two.is_held);
	/* Its lease ends while it is stopped; what it has then is void. */
	execute("UPDATE check_locations SET lease_until = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND");
	run_until(&two, has_list);
	report(&one, id, CHECK_REPORT_DOWN, down_since(at(5, 1)));
	run_until(&one, has_lost);
	report(&two, id, CHECK_REPORT_DOWN, down_since(at(5, 2)));
	run_to_incidents(&two, "0 2026-03-05 02:00:00 - 3 503 -");
	/* The first gets it back, with the state of the other. */
	close_checker(&two);
	one.lists = 0;
	run_until(&one, has_list);
	assert_int_equal(one.rows[0].state.failing_since.s, at(5, 2).s);
	report(&one, id, CHECK_REPORT_UP, up_since(at(5, 3)));
	run_to_incidents(&one, "0 2026-03-05 02:00:00 2026-03-05 03:00:00 3 503 -");
	close_checker(&one);
}

static void record(struct checker *checker, int64_t id, struct check_state state,
		   struct check_hour hour)
{
	recorder_record(checker->recorder,
			&(struct check_record){ .monitor_id = id, .state = state, .hour = hour });
}

static struct instant hour_now(void)
{
	return (struct instant){ select_number("SELECT UNIX_TIMESTAMP() DIV 3600 * 3600") };
}

#define SUMS \
	"SELECT GROUP_CONCAT(CONCAT_WS(' ', TIMESTAMPDIFF(HOUR, hour, UTC_TIMESTAMP()), checks) " \
	"ORDER BY hour, monitor_id) FROM monitor_hours"
static bool has_sums(struct checker *checker)
{
	(void)checker;
	return strcmp(select_text(SUMS), wanted) == 0;
}

static void everything_waits_for_the_database(void **state)
{
	(void)state;
	add_checks(add_account("one"), 2);
	int64_t id = first_monitor();
	open_checker(&one);
	take_away();
	int64_t hour_s = hour_now().s;
	for (int i = 0; i < 3; i++) {
		report(&one, id, CHECK_REPORT_DOWN, down_since(at(5, 1 + 2 * i)));
		report(&one, id, CHECK_REPORT_UP, up_since(at(5, 2 + 2 * i)));
		record(&one, id + 1, up_since(at(5, i)),
		       (struct check_hour){ .hour = { hour_s - 3600 * (2 - i) }, .checks = i + 7 });
	}
	record(&one, id + 1, up_since(at(5, 9)),
	       (struct check_hour){ .hour = { hour_s }, .checks = 10 });
	report(&one, id, CHECK_REPORT_DOWN, down_since(at(5, 7)));
	assert_false(passes(&one, never, 1500));
	assert_true(one.is_held);
	assert_rows("0", "SELECT COUNT(*) FROM incidents");
	give_back();
	run_to_incidents(&one, "0 2026-03-05 01:00:00 2026-03-05 02:00:00 3 503 -, "
			       "0 2026-03-05 03:00:00 2026-03-05 04:00:00 3 503 -, "
			       "0 2026-03-05 05:00:00 2026-03-05 06:00:00 3 503 -, "
			       "0 2026-03-05 07:00:00 - 3 503 -");
	wanted = "2 7,1 8,0 0,0 10";
	run_until(&one, has_sums);
	close_checker(&one);
}

/* Connections that are killed at random: COMMITs with an unknown outcome, too. */
static void reports_survive_killed_connections(void **state)
{
	(void)state;
	enum { ROUNDS = 30, MONITORS = 20 };
	add_checks(add_account("one"), MONITORS);
	int64_t id = first_monitor();
	open_checker(&one);
	for (int i = 0; i < ROUNDS; i++) {
		for (int j = 0; j < MONITORS; j++)
			report(&one, id + j, i % 2 ? CHECK_REPORT_UP : CHECK_REPORT_DOWN,
			       i % 2 ? up_since((struct instant){ at(5, 0).s + i * MINUTE })
				     : down_since((struct instant){ at(5, 0).s + i * MINUTE }));
		(void)passes(&one, never, rand() % 60);
		if (i % 3 == 0) {
			take_away();
			give_back();
		}
		/* No more than 20 reports of a monitor may wait. */
		if (i % 10 == 9) {
			wanted_count = MONITORS * (i + 1) / 2;
			run_until(&one, has_so_many);
		}
	}
	wanted = "20|1|1";
	run_until(&one, is_stored);
	close_checker(&one);
	assert_rows("20|15|15|15", "SELECT COUNT(*), MIN(n), MAX(n), MAX(ended) FROM (SELECT "
				   "COUNT(DISTINCT started_at) AS n, COUNT(ended_at) AS ended FROM "
				   "incidents WHERE TIMESTAMPDIFF(SECOND, started_at, ended_at) = "
				   "60 GROUP BY monitor_id) x");
}

/* In another process: changes one monitor after another, without end, from what is stored. */
static void churn(int seed, int ready_fd)
{
	static int64_t clock_s[MONITORS_MAX];
	struct check_state states[8];
	srand((unsigned)seed);
	begin(&one);
	if (!passes(&one, has_list, PATIENCE_MS) || write(ready_fd, "", 1) != 1)
		_exit(1);
	for (size_t i = 0; i < 8; i++) {
		states[i] = one.rows[i].state;
		clock_s[i] = states[i].since.s > 0 ? states[i].since.s : at(5, 0).s;
	}
	for (;;) {
		size_t i = (size_t)rand() % 8;
		clock_s[i] += MINUTE;
		bool is_down = states[i].phase == CHECK_DOWN;
		states[i] = is_down ? up_since((struct instant){ clock_s[i] })
				    : down_since((struct instant){ clock_s[i] });
		report(&one, one.rows[i].id, is_down ? CHECK_REPORT_UP : CHECK_REPORT_DOWN,
		       states[i]);
		record(&one, one.rows[i].id, states[i],
		       (struct check_hour){ { 0 }, 0, 0, 0, 0, 0 });
		(void)passes(&one, never, rand() % 8);
	}
}

static bool agrees(struct checker *checker)
{
	(void)checker;
	return select_number("SELECT COUNT(*) FROM monitor_states s LEFT JOIN incidents i "
			     "ON i.open_monitor_id = s.monitor_id WHERE (s.phase = 3) <> "
			     "(s.reported = 1) "
			     "OR (s.phase = 3) <> (i.id IS NOT NULL) "
			     "OR COALESCE(s.failing_since <> i.started_at, 0)") == 0;
}

/* Killed at any moment, the state and the incidents agree, and no report that was made is lost. */
static void states_and_incidents_agree_after_kills(void **state)
{
	(void)state;
	enum { KILLS = 25 };
	add_checks(add_account("one"), 8);
	for (int i = 0; i < KILLS; i++) {
		int64_t known = select_number("SELECT COUNT(*) FROM incidents");
		int ready[2];
		char begun;
		assert_int_equal(pipe(ready), 0);
		pid_t child = fork();
		if (child == 0)
			churn(i, ready[1]);
		close(ready[1]);
		assert_int_equal(read(ready[0], &begun, 1), 1);
		close(ready[0]);
		usleep(150000 + 1000 * (useconds_t)(rand() % 250));
		assert_int_equal(kill(child, SIGKILL), 0);
		assert_int_equal(waitpid(child, NULL, 0), child);
		execute("UPDATE check_locations SET holder = NULL");
		assert_true(select_number("SELECT COUNT(*) FROM incidents") >= known);
		open_checker(&one);
		run_until(&one, agrees);
		close_checker(&one);
	}
	print_message("# %ld incidents\n", (long)select_number("SELECT COUNT(*) FROM incidents"));
	assert_true(select_number("SELECT COUNT(*) FROM incidents") > KILLS);
	assert_rows("0", "SELECT COUNT(*) FROM incidents a JOIN incidents b ON b.monitor_id = "
			 "a.monitor_id AND b.id > a.id AND b.started_at < "
			 "COALESCE(a.ended_at, '9999-01-01')");
}

static bool has_signal(struct checker *checker)
{
	return checker->signal_count > 0;
}

static bool has_no_signals(struct checker *checker)
{
	(void)checker;
	return select_number("SELECT COUNT(*) FROM check_signals") == 0;
}

static void signals_stay_until_their_records_are_stored(void **state)
{
	(void)state;
	add_checks(add_account("one"), 1);
	int64_t id = first_monitor();
	open_checker(&one);
	execute("INSERT INTO check_signals (monitor_id, kind, value, at) VALUES (%ld, 4, 3, "
		"'2026-03-05 01:00:00')",
		(long)id);
	run_until(&one, has_signal);
	assert_int_equal(one.signals[0].kind, SIGNAL_EXIT);
	assert_int_equal(one.signals[0].value, 3);
	assert_int_equal(one.signals[0].at.s, at(5, 1).s);
	record(&one, id, down_since(at(5, 1)), (struct check_hour){ { 0 }, 0, 0, 0, 0, 0 });
	/* The states cannot be stored. */
	execute("RENAME TABLE monitor_states TO monitor_states_away");
	assert_false(passes(&one, has_no_signals, 5000));
	execute("RENAME TABLE monitor_states_away TO monitor_states");
	report(&one, id, CHECK_REPORT_DOWN, down_since(at(5, 1)));
	run_until(&one, has_no_signals);
	assert_int_equal(one.signal_calls, 1);
	assert_rows("3", "SELECT phase FROM monitor_states");
	close_checker(&one);
}

static void changed_settings_are_read_soon(void **state)
{
	(void)state;
	int64_t account = add_account("one");
	add_checks(account, 1);
	open_checker(&one);
	execute("UPDATE monitor_checks SET timeout = 9, changed_at = UTC_TIMESTAMP()");
	one.lists = 0;
	run_until(&one, has_list);
	assert_int_equal(one.rows[0].settings.timeout, 9);
	execute("DELETE FROM monitors");
	one.lists = 0;
	run_until(&one, has_list);
	assert_int_equal(one.count, 0);
	close_checker(&one);
}

static bool has_gap(struct checker *checker)
{
	(void)checker;
	return strcmp(select_text("SELECT COUNT(*), COUNT(ended_at) FROM monitor_gaps"), wanted) ==
	       0;
}

static bool has_event(struct checker *checker)
{
	(void)checker;
	return select_number("SELECT COUNT(*) FROM events") == wanted_count;
}

static void gaps_are_stored_before_records(void **state)
{
	(void)state;
	static int64_t ids[1200];
	add_checks(add_account("one"), 1200);
	for (int i = 0; i < 1200; i++)
		ids[i] = first_monitor() + i;
	open_checker(&one);
	execute("RENAME TABLE monitor_gaps TO monitor_gaps_away");
	recorder_cut_off(one.recorder, at(5, 1));
	recorder_gap(one.recorder, ids, 1200, at(5, 1), (struct instant){ 0 });
	take_away();
	record(&one, ids[0], up_since(at(5, 2)), (struct check_hour){ { 0 }, 0, 0, 0, 0, 0 });
	execute("RENAME TABLE monitor_gaps_away TO monitor_gaps");
	assert_false(passes(&one, never, 4000));
	assert_rows("0", "SELECT COUNT(*) FROM monitor_states WHERE phase = 1");
	give_back();
	wanted = "1200|0";
	run_until(&one, has_gap);
	recorder_gap(one.recorder, ids, 1200, (struct instant){ 0 }, at(5, 3));
	recorder_cut_off(one.recorder, (struct instant){ 0 });
	wanted = "1200|1200";
	run_until(&one, has_gap);
	wanted_count = 2;
	run_until(&one, has_event);
	assert_rows("checker.cut_off\nchecker.reconnected", "SELECT kind FROM events ORDER BY id");
	close_checker(&one);
}

static bool is_known(struct checker *checker)
{
	(void)checker;
	return select_number("SELECT known_since IS NOT NULL FROM monitors LIMIT 1") == 1;
}

static void the_first_success_begins_the_record(void **state)
{
	(void)state;
	add_checks(add_account("one"), 1);
	open_checker(&one);
	record(&one, first_monitor(), up_since(at(5, 2)),
	       (struct check_hour){ .hour = hour_now(), .checks = 1 });
	run_until(&one, is_known);
	assert_rows("2026-03-05 02:00:00", "SELECT known_since FROM monitors");
	close_checker(&one);
}

/* A report does not wait until thousands of records are stored. */
static void reports_pass_records(void **state)
{
	(void)state;
	add_checks(add_account("one"), MONITORS_MAX);
	int64_t id = first_monitor();
	open_checker(&one);
	execute("CREATE TRIGGER slow_states BEFORE INSERT ON monitor_states FOR EACH ROW "
		"SET NEW.changes = IF(NEW.phase = 1, SLEEP(0.002), 0)");
	for (int i = 0; i < MONITORS_MAX; i++)
		record(&one, id + i, up_since(at(5, 2)),
		       (struct check_hour){ { 0 }, 0, 0, 0, 0, 0 });
	(void)passes(&one, never, 3500);
	report(&one, id + MONITORS_MAX - 1, CHECK_REPORT_DOWN, down_since(at(5, 3)));
	wanted_count = 1;
	run_until(&one, has_so_many);
	assert_true(select_number("SELECT COUNT(*) FROM monitor_states WHERE phase = 1") <
		    MONITORS_MAX - 1);
	execute("DROP TRIGGER slow_states");
	close_checker(&one);
}

static int open_all(void **state)
{
	database_open(state);
	execute("SET @own_connections = (SELECT MAX(id) FROM information_schema.processlist)");
	secret_init();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RECORDER_TEST(reports_open_and_end_incidents),
		RECORDER_TEST(the_outages_of_monitors_that_are_not_checked_end),
		RECORDER_TEST(what_was_stored_and_not_reported_is_reported),
		RECORDER_TEST(hundreds_go_down_by_few_statements),
		RECORDER_TEST(a_quota_stops_its_account_alone),
		RECORDER_TEST(a_checker_cuts_gaps_of_a_clock_that_was_ahead),
		RECORDER_TEST(a_monitor_that_changes_often_harms_itself_alone),
		RECORDER_TEST(removed_and_retired_monitors_are_skipped),
		RECORDER_TEST(one_of_two_recorders_has_the_lease),
		RECORDER_TEST(everything_waits_for_the_database),
		RECORDER_TEST(reports_survive_killed_connections),
		RECORDER_TEST(states_and_incidents_agree_after_kills),
		RECORDER_TEST(signals_stay_until_their_records_are_stored),
		RECORDER_TEST(changed_settings_are_read_soon),
		RECORDER_TEST(gaps_are_stored_before_records),
		RECORDER_TEST(the_first_success_begins_the_record),
		RECORDER_TEST(reports_pass_records),
	};
	return cmocka_run_group_tests(tests, open_all, database_close);
}
