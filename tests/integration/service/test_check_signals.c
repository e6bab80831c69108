/* Heartbeats, also while the database is away, checks on demand, and figures. */
#include "integration/lib/service.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "publish/folder/signal_spool.h"
#include "service/check_signals.h"

static struct db *present;
static int64_t account, beating, checked, external;

static int64_t add_checked(const char *name, int type)
{
	int64_t id = add_monitor(account, name);
	execute("INSERT INTO monitor_checks SET monitor_id = %lld, account_id = %lld, type = %d, "
		"`interval` = 60, timeout = 10, confirmations = 2, recoveries = 1, slow_ms = 0, "
		"depends_on_id = 0, request_method = 0, cache_buster = 0, follow_redirects = 1, "
		"verify_tls = 1, alert_condition = 0, json_operator = 0, dns_type = 0, "
		"ssl_alert_days = 0, domain_alert_days = 0, period = 60, grace = 0, "
		"changed_at = '2026-03-01'",
		(long long)id, (long long)account, type);
	return id;
}

static int clear(void **state)
{
	int result = service_clear(state);
	present = service.db;
	account = add_account("Demo");
	external = add_monitor(account, "Mail");
	checked = add_checked("Web", CHECK_HTTP);
	beating = add_checked("Backup", CHECK_HEARTBEAT);
	/* The moments of heartbeats are by this machine's clock. */
	service.now = clock_now();
	return result;
}
#define SIGNALS_TEST(function) cmocka_unit_test_setup(function, clear)

static enum result take(int kind, int64_t value)
{
	const struct check_signal signal = {
		.monitor_id = beating, .kind = kind, .value = value, .at = service.now
	};
	return service_take_heartbeat(&service, &signal);
}

/* From now on the operations of the test find no database. */
static void lose_database(void)
{
	static const struct db_login nowhere = { .socket = "/nonexistent",
						 .name = "x",
						 .user = "x",
						 .password = "x",
						 .timeout_s = 1,
						 .io_timeout_s = 1 };
	service.db = db_new(&nowhere);
}

static void find_database(void)
{
	if (service.db != present)
		db_free(service.db);
	service.db = present;
}

static bool always(void *context)
{
	(void)context;
	return true;
}

static void move_all(void)
{
	bool is_more = true;
	while (is_more)
		assert_ok(service_move_signals(db, pages_folder, always, NULL, &is_more, &error));
}

static bool is_waiting(void)
{
	return is_published("spool");
}

#define SIGNALS "SELECT kind, value FROM check_signals ORDER BY id"

static void heartbeats_are_stored_with_the_time_of_the_database(void **state)
{
	(void)state;
	uint64_t before = db_queries(db);
	assert_ok(take(SIGNAL_HEARTBEAT, 0));
	assert_int_equal(before + 1, db_queries(db));
	assert_ok(take(SIGNAL_START, 0));
	/* Their machine's clock may be wrong. */
	service.now.s += 86400;
	assert_ok(take(SIGNAL_EXIT, 255));
	service.now.s -= 5 * 86400;
	assert_ok(take(SIGNAL_FAIL, 0));
	assert_rows("1|0\n2|0\n4|255\n3|0", SIGNALS);
	assert_int_equal(select_number("SELECT COUNT(*) FROM check_signals "
				       "WHERE at BETWEEN UTC_TIMESTAMP() - INTERVAL 60 SECOND "
				       "AND UTC_TIMESTAMP()"),
			 4);
	assert_false(is_waiting());
}

static void only_monitors_of_type_heartbeat_send_heartbeats(void **state)
{
	(void)state;
	const int64_t others[] = { external, checked, 999999 };
	int64_t own = beating;
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		beating = others[i];
		assert_result(E_NOT_FOUND, take(SIGNAL_HEARTBEAT, 0));
	}
	beating = own;
	execute("UPDATE monitors SET retired_at = '2026-03-01' WHERE id = %lld",
		(long long)beating);
	assert_result(E_NOT_FOUND, take(SIGNAL_HEARTBEAT, 0));
	assert_rows("", SIGNALS);
	assert_false(is_waiting());
}

static void without_a_database_heartbeats_wait_and_stay_in_order(void **state)
{
	(void)state;
	struct instant now = service.now;
	lose_database();
	for (int i = 0; i < 5; i++) {
		service.now.s = now.s - 3600 + i * 600;
		assert_ok(take(SIGNAL_EXIT, i));
	}
	find_database();
	assert_true(is_waiting());
	assert_rows("", SIGNALS);
	/* The database is back, but later ones must not overtake those that wait. */
	service.now = now;
	assert_ok(take(SIGNAL_EXIT, 5));
	assert_rows("", SIGNALS);
	move_all();
	assert_false(is_waiting());
	assert_rows("4|0\n4|1\n4|2\n4|3\n4|4\n4|5", SIGNALS);
	/* Their times are their own; the seconds that the test took may be missing. */
	assert_int_equal(
		select_number("SELECT COUNT(*) FROM check_signals WHERE ABS(TIMESTAMPDIFF(SECOND, "
			      "at, UTC_TIMESTAMP()) - (3600 - 600 * value)) > 30 AND value < 5"),
		0);
	assert_int_equal(0, select_number("SELECT COUNT(*) FROM check_spools"));
	assert_ok(take(SIGNAL_EXIT, 6));
	assert_false(is_waiting());
	assert_int_equal(7, select_number("SELECT COUNT(*) FROM check_signals"));
}

static void a_database_that_cannot_write_now_is_away(void **state)
{
	(void)state;
	execute("BEGIN");
	select_number("SELECT id FROM monitors WHERE id = %lld FOR UPDATE", (long long)beating);
	assert_ok(take(SIGNAL_HEARTBEAT, 0));
	assert_true(is_waiting());
	execute("COMMIT");
	move_all();
	assert_rows("1|0", SIGNALS);
}

static void a_monitor_that_was_deleted_meanwhile_stops_no_other(void **state)
{
	(void)state;
	int64_t deleted = add_checked("Deleted", CHECK_HEARTBEAT), own = beating;
	lose_database();
	assert_ok(take(SIGNAL_EXIT, 1));
	beating = deleted;
	assert_ok(take(SIGNAL_EXIT, 2));
	beating = own;
	assert_ok(take(SIGNAL_EXIT, 3));
	find_database();
	execute("DELETE FROM monitors WHERE id = %lld", (long long)deleted);
	move_all();
	assert_rows("4|1\n4|3", SIGNALS);
	assert_false(is_waiting());
}

/* More than a statement takes. */
static void many_signals_take_few_statements(void **state)
{
	(void)state;
	enum { MANY = 2 * SERVICE_SIGNALS_MOVED + 1 };
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	assert_ok(pages_dir_open(&dir, pages_folder, &error));
	for (int i = 0; i < MANY; i++) {
		const struct check_signal signal = {
			.monitor_id = beating, .kind = SIGNAL_EXIT, .value = i % 256, .at = { 1 }
		};
		assert_ok(signal_spool_add(&dir, &signal, &error));
	}
	uint64_t before = db_queries(db);
	move_all();
	/* Three transactions, and a fourth that finds nothing. */
	assert_in_range(db_queries(db) - before, 3 * 5, 3 * 6 + 4);
	assert_int_equal(MANY, select_number("SELECT COUNT(*) FROM check_signals"));
	assert_int_equal(
		0, select_number("SELECT COUNT(*) FROM check_signals a JOIN check_signals b "
				 "ON b.id = (SELECT MIN(c.id) FROM check_signals c WHERE c.id > "
				 "a.id) WHERE b.value <> (a.value + 1) %% 256"));
}

/*
 * The process that moves signals is killed again and again, while another takes away what has
 * arrived, as the checker does: then no row tells what was moved.
 */
static void killed_movers_move_each_signal_once(void **state)
{
	(void)state;
	enum { SIGNALS_MADE = 4000, KILLS = 40 };
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	execute("CREATE TABLE IF NOT EXISTS taken (id BIGINT NOT NULL, value BIGINT NOT NULL)");
	execute("DELETE FROM taken");
	execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
	assert_ok(pages_dir_open(&dir, pages_folder, &error));
	for (int i = 0; i < SIGNALS_MADE; i++) {
		const struct check_signal signal = {
			.monitor_id = beating, .kind = SIGNAL_EXIT, .value = i % 1000, .at = { 1 }
		};
		assert_ok(signal_spool_add(&dir, &signal, &error));
	}
	bool is_done = false;
	for (int i = 0; !is_done; i++) {
		pid_t mover = fork();
		if (mover == 0) {
			bool is_more = true;
			struct db *own = database_connect();
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			while (is_more)
				if (service_move_signals(own, pages_folder, always, NULL, &is_more,
							 &error) != OK)
					_exit(1);
			_exit(0);
		}
		int status;
		usleep((useconds_t)(i * 997 % 20000));
		/* In the end it may end. */
		if (i < KILLS)
			kill(mover, SIGKILL);
		assert_int_equal(mover, waitpid(mover, &status, 0));
		is_done = WIFEXITED(status) && WEXITSTATUS(status) == 0;
		execute("INSERT INTO taken (id, value) SELECT s.id, s.value FROM check_signals s");
		execute("DELETE s FROM check_signals s JOIN taken t ON t.id = s.id");
		assert_true(i < KILLS + 10);
	}
	move_all();
	execute("INSERT INTO taken (id, value) SELECT id, value FROM check_signals");
	assert_int_equal(SIGNALS_MADE, select_number("SELECT COUNT(*) FROM taken"));
	assert_int_equal(0,
			 select_number("SELECT COUNT(*) FROM (SELECT value, COUNT(*) AS count FROM "
				       "taken GROUP BY value) v WHERE v.count <> 4"));
	assert_false(is_waiting());
	execute("DROP TABLE taken");
	execute("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
}

/* Power fails after the file was removed, and the file is there again. */
static void a_removed_spool_is_not_moved_again(void **state)
{
	(void)state;
	lose_database();
	assert_ok(take(SIGNAL_EXIT, 1));
	find_database();
	assert_int_equal(0, chdir(pages_folder));
	assert_int_equal(0, link("spool", "kept"));
	/* The mover dies between the removal of the file and that of its row. */
	execute("CREATE TRIGGER keep BEFORE DELETE ON check_spools FOR EACH ROW "
		"SIGNAL SQLSTATE '45000'");
	bool is_more;
	assert_result(E_FAILED,
		      service_move_signals(db, pages_folder, always, NULL, &is_more, &error));
	execute("DROP TRIGGER keep");
	assert_false(is_waiting());
	assert_int_equal(0, rename("kept", "spool"));
	assert_int_equal(0, chdir("/"));
	move_all();
	assert_rows("4|1", SIGNALS);
	assert_false(is_waiting());
}

static void a_check_on_demand_waits_once(void **state)
{
	(void)state;
	struct monitor monitor;
	act_as_key(account);
	use_caller();
	assert_ok(service_check_monitor(&service, checked, &monitor));
	assert_string_equal("Web", monitor.name);
	assert_ok(service_check_monitor(&service, checked, &monitor));
	assert_rows("0|0", SIGNALS);
	/* The checker has taken it. */
	execute("DELETE FROM check_signals");
	assert_ok(service_check_monitor(&service, checked, &monitor));
	assert_rows("0|0", SIGNALS);
}

static void what_is_not_checked_is_not_checked_on_demand(void **state)
{
	(void)state;
	struct monitor monitor;
	act_as_key(account);
	assert_result(E_CONFLICT, service_check_monitor(&service, external, &monitor));
	assert_non_null(strstr(error.client, "external"));
	assert_result(E_CONFLICT, service_check_monitor(&service, beating, &monitor));
	assert_non_null(strstr(error.client, "heartbeats"));
	execute("UPDATE monitors SET is_paused = 1 WHERE id = %lld", (long long)checked);
	assert_result(E_CONFLICT, service_check_monitor(&service, checked, &monitor));
	assert_non_null(strstr(error.client, "paused"));
	assert_result(E_NOT_FOUND, service_check_monitor(&service, 999999, &monitor));
	act_as_key(add_account("Other"));
	execute("UPDATE monitors SET is_paused = 0 WHERE id = %lld", (long long)checked);
	assert_result(E_NOT_FOUND, service_check_monitor(&service, checked, &monitor));
	act_as_key(account);
	service.principal.role = ROLE_READER;
	assert_result(E_FORBIDDEN, service_check_monitor(&service, checked, &monitor));
	assert_rows("", SIGNALS);
}

static enum result add_figures(const struct figure *given, size_t count)
{
	struct monitor monitor;
	struct figure *rows = ARENA_ARRAY(&arena, count, struct figure);
	memcpy(rows, given, count * sizeof(*rows));
	return service_add_figures(&service, external, (struct field_rows){ rows, count },
				   &monitor);
}

#define HOURS \
	"SELECT hour, checks, failures, response_sum_ms, response_min_ms, response_max_ms " \
	"FROM monitor_hours ORDER BY hour"
#define DAYS \
	"SELECT day, checks, failures, response_sum_ms, response_min_ms, response_max_ms " \
	"FROM monitor_days ORDER BY day"

static void figures_are_added_to_hours_and_days(void **state)
{
	(void)state;
	int64_t hour = at(5, 10).s;
	const struct figure first[] = { { 30, { hour + 3599 }, FIGURE_UP },
					{ 20, { hour }, FIGURE_UP },
					{ 900, { hour + 60 }, FIGURE_DOWN },
					{ 50, { hour + 3600 }, FIGURE_UP },
					{ 70, { at(6, 0).s }, FIGURE_DOWN } };
	const struct figure second[] = { { 10, { hour + 61 }, FIGURE_UP },
					 { 80, { at(6, 0).s + 1 }, FIGURE_UP },
					 { 7, { hour + 3601 }, FIGURE_DOWN } };
	act_as_key(account);
	assert_ok(add_figures(first, ARRAY_LEN(first)));
	assert_rows("2026-03-05 10:00:00|3|1|50|20|30\n2026-03-05 11:00:00|1|0|50|50|50\n"
		    "2026-03-06 00:00:00|1|1|0|0|0",
		    HOURS);
	assert_ok(add_figures(second, ARRAY_LEN(second)));
	assert_rows("2026-03-05 10:00:00|4|1|60|10|30\n2026-03-05 11:00:00|2|1|50|50|50\n"
		    "2026-03-06 00:00:00|2|1|80|80|80",
		    HOURS);
	assert_rows("2026-03-05|6|2|110|10|50\n2026-03-06|2|1|80|80|80", DAYS);
}

static void a_thousand_figures_take_as_many_statements_as_one(void **state)
{
	(void)state;
	struct figure *many = calloc(FIGURES_MAX, sizeof(*many));
	act_as_key(account);
	uint64_t before = db_queries(db);
	assert_ok(add_figures(&(struct figure){ 1, at(5, 10), FIGURE_UP }, 1));
	uint64_t one = db_queries(db) - before;
	for (int i = 0; i < FIGURES_MAX; i++)
		many[i] = (struct figure){ i, { at(1, 0).s + i * 1209 }, FIGURE_UP };
	before = db_queries(db);
	assert_ok(add_figures(many, FIGURES_MAX));
	assert_int_equal(one, db_queries(db) - before);
	free(many);
	assert_int_equal(FIGURES_MAX + 1, select_number("SELECT SUM(checks) FROM monitor_hours"));
	assert_int_equal(FIGURES_MAX + 1, select_number("SELECT SUM(checks) FROM monitor_days"));
}

static void monitors_that_daymark_checks_take_no_figures(void **state)
{
	(void)state;
	const struct figure one = { 30, at(5, 10), FIGURE_UP };
	int64_t own = external;
	act_as_key(account);
	external = checked;
	assert_result(E_CONFLICT, add_figures(&one, 1));
	external = beating;
	assert_result(E_CONFLICT, add_figures(&one, 1));
	external = own;
	service.principal.role = ROLE_READER;
	assert_result(E_FORBIDDEN, add_figures(&one, 1));
	act_as_key(add_account("Other"));
	assert_result(E_NOT_FOUND, add_figures(&one, 1));
	act_as_key(account);
	execute("UPDATE monitors SET retired_at = '2026-03-01' WHERE id = %lld",
		(long long)external);
	assert_result(E_CONFLICT, add_figures(&one, 1));
	assert_rows("", HOURS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SIGNALS_TEST(heartbeats_are_stored_with_the_time_of_the_database),
		SIGNALS_TEST(only_monitors_of_type_heartbeat_send_heartbeats),
		SIGNALS_TEST(without_a_database_heartbeats_wait_and_stay_in_order),
		SIGNALS_TEST(a_database_that_cannot_write_now_is_away),
		SIGNALS_TEST(a_monitor_that_was_deleted_meanwhile_stops_no_other),
		SIGNALS_TEST(many_signals_take_few_statements),
		SIGNALS_TEST(killed_movers_move_each_signal_once),
		SIGNALS_TEST(a_removed_spool_is_not_moved_again),
		SIGNALS_TEST(a_check_on_demand_waits_once),
		SIGNALS_TEST(what_is_not_checked_is_not_checked_on_demand),
		SIGNALS_TEST(figures_are_added_to_hours_and_days),
		SIGNALS_TEST(a_thousand_figures_take_as_many_statements_as_one),
		SIGNALS_TEST(monitors_that_daymark_checks_take_no_figures),
	};
	return RUN_ON_DATABASE(tests);
}
