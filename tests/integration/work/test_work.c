/* The background loop and the pushers beside something that never answers: windows of maintenance
 * begin and end meanwhile. The loop runs in a process of its own, by the real clock. */
#include "integration/lib/service.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "mirror/push/pushers.h"
#include "service/maintenance/maintenances.h"
#include "work/row_jobs.h"
#include "work/work.h"

/* The longest wait for what is to happen; only a failure takes as long. */
enum { PATIENCE_MS = 60000 };

static pid_t loop_pid;

static void show_job(void *context, const char *name, const struct error *failure)
{
	(void)context;
	print_message("# %s: %s\n", name, failure ? error_text(failure) : "works again");
}

/* In the process of the loop: `daymarkctl work` does the same. */
static void run_loop(const struct mirrors *mirrors)
{
	static struct site site = { .has_domains = true };
	const struct pusher_observer observer = { 0 };
	struct loop loop;
	/* A test that fails leaves no process. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!loop_open(&loop))
		_exit(1);
	struct pushers *pushers = pushers_start(&loop, &config, mirrors, &observer);
	struct work work = {
		.loop = &loop,
		.config = &config,
		.site = &site,
		.db = database_connect(),
		.roles = WORK_WRITES,
		.wake_fd = -1,
		.observer = { .job = show_job },
	};
	work_run(&work);
	pushers_stop(pushers, 0);
	_exit(0);
}

static void start_loop(const struct mirror *mirror)
{
	struct mirror row = mirror ? *mirror : (struct mirror){ 0 };
	const struct mirrors mirrors = { &row, mirror ? 1 : 0 };
	config.database_socket = getenv("DAYMARK_TEST_SOCKET");
	config.database_name = select_text("SELECT DATABASE()");
	config.database_user = "root";
	config.database_password = "";
	config.database_timeout_s = 10;
	config.base_url = "https://status.test";
	config.pages_dir = pages_folder;
	loop_pid = fork();
	if (loop_pid == 0)
		run_loop(&mirrors);
	assert_true(loop_pid > 0);
}

static void stop_loop(void)
{
	int status = -1;
	assert_int_equal(kill(loop_pid, SIGTERM), 0);
	assert_int_equal(waitpid(loop_pid, &status, 0), loop_pid);
	assert_int_equal(status, 0);
}

static void wait_for_input(int fd)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	assert_int_equal(poll(&wait, 1, PATIENCE_MS), 1);
}

static void wait_for_event(const char *kind)
{
	int64_t until_ms = clock_ms() + PATIENCE_MS;
	while (select_number("SELECT COUNT(*) FROM events WHERE kind = '%s'", kind) == 0) {
		if (clock_ms() > until_ms)
			fail_msg("no %s; events: %s; occurrence: %s", kind, events(),
				 select_text("SELECT *, UTC_TIMESTAMP() FROM "
					     "maintenance_occurrences"));
		poll(NULL, 0, 20);
	}
}

static void plan_window(int64_t account)
{
	char starts_at[INSTANT_TEXT_SIZE];
	int64_t monitor = add_monitor(account, "system");
	struct maintenance_shown shown;
	const struct maintenance_input input = {
		.title = "Upgrade",
		.monitor_ids = { &monitor, 1 },
		.starts_at = instant_format((struct instant){ clock_now().s + 7200 }, starts_at),
		.ends_at = { clock_now().s + 10800 },
		.auto_transition = true,
	};
	service.now = clock_now();
	assert_ok(service_add_maintenance(&service, account, &input, FIELD_SET_NONE, &shown));
}

/* The window's begin is due now, and after that its end. */
static void pass_window(void)
{
	execute("UPDATE maintenance_occurrences SET starts_at = UTC_TIMESTAMP() - INTERVAL 1 "
		"MINUTE, next_at = UTC_TIMESTAMP()");
	wait_for_event("maintenance.started");
	execute("UPDATE maintenance_occurrences SET ends_at = UTC_TIMESTAMP(), "
		"next_at = UTC_TIMESTAMP()");
	wait_for_event("maintenance.completed");
}

static int listen_at_loopback(int type, int *port)
{
	struct sockaddr_in own = { .sin_family = AF_INET,
				   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(own);
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&own, len), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&own, &len), 0);
	assert_true(type != SOCK_STREAM || listen(fd, 8) == 0);
	*port = ntohs(own.sin_port);
	return fd;
}

/* By the newest hour, so that a clock that is far ahead deletes nothing. */
static void old_sums_of_checks_are_deleted(void **state)
{
	(void)state;
	struct work work = { .db = db, .config = &config, .is_once = true };
	struct work_turn turn = { .now = at(30, 12) };
	int64_t monitor = add_monitor(add_account("one"), "web");
	execute("INSERT INTO monitor_hours SELECT 7, '2026-03-01' + INTERVAL seq HOUR, 1, 1, 1, 1, "
		"1 FROM seq_0_to_479");
	execute("INSERT INTO monitor_days SELECT 7, '2026-03-01' - INTERVAL seq DAY, 1, 1, 1, 1, 1 "
		"FROM seq_0_to_50");
	execute("INSERT INTO monitor_gaps (monitor_id, started_at, ended_at, ends_at) VALUES "
		"(%ld, '2015-11-01', '2015-12-12 22:59:59', '2015-12-12 22:59:59'), "
		"(%ld, '2015-11-02', '2015-12-12 23:00:00', '2015-12-12 23:00:00')",
		(long)monitor, (long)monitor);
	config.checks_keep_days = 30;
	turn.now.s += INT64_C(86400) * 3650;
	assert_ok(row_job_checks(&work, &turn, &error));
	assert_rows("2026-03-06 23:00:00|337", "SELECT MIN(hour), COUNT(*) FROM monitor_hours");
	assert_rows("2026-02-19|11", "SELECT MIN(day), COUNT(*) FROM monitor_days");
	assert_rows("2015-11-02 00:00:00", "SELECT started_at FROM monitor_gaps");
	turn.now = at(10, 0);
	config.checks_keep_days = 0;
	assert_ok(row_job_checks(&work, &turn, &error));
	assert_rows("337|11", "SELECT COUNT(*), (SELECT COUNT(*) FROM monitor_days) "
			      "FROM monitor_hours");
	turn.now = at(30, 12);
	execute("DELETE FROM monitor_hours");
	config.checks_keep_days = 1;
	assert_ok(row_job_checks(&work, &turn, &error));
	assert_rows("11", "SELECT COUNT(*) FROM monitor_days");
}

static void run_gaps(struct work *work)
{
	struct work_turn turn = { .now = at(30, 12) };
	assert_ok(row_job_gaps(work, &turn, &error));
	assert_false(turn.is_more);
}

/* After a time without the database a checker that runs gets the time to renew its lease. */
static void gaps_begin_after_a_while_without_a_checker(void **state)
{
	(void)state;
	struct work work = { .db = db, .config = &config };
	int64_t monitor = add_monitor(add_account("one"), "web");
	execute("INSERT INTO monitor_checks (monitor_id, account_id, type, `interval`, timeout, "
		"confirmations, recoveries, slow_ms, depends_on_id, request_method, cache_buster, "
		"follow_redirects, verify_tls, alert_condition, json_operator, dns_type, "
		"ssl_alert_days, domain_alert_days, period, grace, changed_at) "
		"SELECT id, account_id, 1, 60, 10, 2, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, "
		"NOW() FROM monitors WHERE id = %ld",
		(long)monitor);
	execute("INSERT INTO monitor_states (monitor_id, phase, checked_at, failures, successes, "
		"is_slow, changes, is_flapping, response_ms) VALUES (%ld, 1, '2026-03-01', 0, 0, "
		"0, 0, 0, 0)",
		(long)monitor);
	execute("INSERT INTO check_locations (id, name, lease_until) "
		"VALUES (0, '', '2026-03-02 00:00:00.000')");
	run_gaps(&work);
	run_gaps(&work);
	work.idle_since_ms -= 30000;
	work.idle_seen_ms -= 61000; /* the database was away */
	run_gaps(&work);
	execute("UPDATE check_locations SET lease_until = UTC_TIMESTAMP() + INTERVAL 9 SECOND");
	work.idle_since_ms -= 30000;
	run_gaps(&work);
	execute("UPDATE check_locations SET lease_until = NULL");
	run_gaps(&work);
	assert_int_equal(select_number("SELECT COUNT(*) FROM monitor_gaps"), 0);
	work.idle_since_ms -= 20000;
	run_gaps(&work);
	assert_rows("2026-03-01 00:00:00|-", "SELECT started_at, ended_at FROM monitor_gaps");
	/* A timer that runs the work once sees the database only now and then. */
	execute("DELETE FROM monitor_gaps");
	work = (struct work){ .db = db, .config = &config, .is_once = true };
	run_gaps(&work);
	assert_int_equal(select_number("SELECT COUNT(*) FROM monitor_gaps"), 1);
}

static void look_for_silence(struct work *work)
{
	struct work_turn turn = { .now = at(30, 12) };
	assert_ok(row_job_locations(work, &turn, &error));
}

/* After a time without the service no location has asked. */
static void locations_are_cut_off_after_a_while_with_the_service(void **state)
{
	(void)state;
	struct work work = { .db = db, .config = &config };
	arena_init(&work.arena, 1 << 20);
	int64_t account = add_account("one");
	execute("INSERT INTO monitor_checks (monitor_id, account_id, type, `interval`, timeout, "
		"confirmations, recoveries, slow_ms, depends_on_id, request_method, cache_buster, "
		"follow_redirects, verify_tls, alert_condition, json_operator, dns_type, "
		"ssl_alert_days, domain_alert_days, period, grace, changed_at, locations) "
		"VALUES (%ld, %ld, 1, 60, 10, 2, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, NOW(), "
		"'paris')",
		(long)add_monitor(account, "web"), (long)account);
	execute("INSERT INTO check_locations (id, account_id, name, seen_at) "
		"VALUES (7, %ld, 'paris', '2026-03-05 04:00:00')",
		(long)account);
	look_for_silence(&work);
	work.located_since_ms -= 200000;
	work.located_ms -= 61000; /* the process was stopped */
	look_for_silence(&work);
	/* The database was away. */
	work.located_since_ms -= 200000;
	execute("RENAME TABLE check_locations TO check_locations_away");
	struct work_turn turn = { .now = at(30, 12) };
	assert_true(row_job_locations(&work, &turn, &error) != OK);
	execute("RENAME TABLE check_locations_away TO check_locations");
	look_for_silence(&work);
	assert_rows("0", "SELECT COUNT(*) FROM events");
	work.located_since_ms -= 120000;
	look_for_silence(&work);
	assert_rows("checker.cut_off|paris", "SELECT kind, detail FROM events");
	arena_done(&work.arena);
}

enum { DOMAINS = 30, QUESTION_AT = 12, PACKET_MAX_BYTES = 512 };

/* The name of the next question that is not asked again. */
static const char *next_question(int fd, const char *last)
{
	char packet[PACKET_MAX_BYTES + 1];
	do {
		wait_for_input(fd);
		ssize_t len = recv(fd, packet, PACKET_MAX_BYTES, 0);
		assert_true(len > QUESTION_AT);
		packet[len] = '\0';
	} while (strcmp(packet + QUESTION_AT, last) == 0);
	return arena_strdup(&arena, packet + QUESTION_AT);
}

static void windows_pass_while_dns_is_silent(void **state)
{
	int port, fd CLEANUP(close_fd) = listen_at_loopback(SOCK_DGRAM, &port);
	(void)state;
	int64_t account = add_account("one");
	config.domain_proof = CONFIG_PROOF_YES;
	config.resolver = arena_printf(&arena, "127.0.0.1:%d", port);
	for (int i = 0; i < DOMAINS; i++) {
		int64_t page = add_page(account, arena_printf(&arena, "s%d", i));
		execute("UPDATE status_pages SET domain = 'page%d.test', "
			"domain_proven_at = '2026-01-01', domain_checked_at = '2026-01-01' "
			"WHERE id = %lld",
			i, (long long)page);
	}
	plan_window(account);
	start_loop(NULL);
	const char *question = next_question(fd, "");
	pass_window();
	/* The look-ups go on: the run that asked the first question also asks others. */
	while (recv(fd, (char[1]){ 0 }, 1, MSG_DONTWAIT) > 0)
		continue;
	next_question(fd, question);
	stop_loop();
	assert_rows("0", "SELECT COUNT(*) FROM status_pages WHERE domain_missing_since IS NOT "
			 "NULL OR domain_lost_at IS NOT NULL");
}

/* Nothing more comes, and the other side has not given up. */
static void assert_waits(int fd)
{
	char piece[4096];
	ssize_t len;
	assert_int_equal(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
	while ((len = read(fd, piece, sizeof(piece))) > 0)
		continue;
	assert_int_equal(len, -1);
	assert_int_equal(errno, EAGAIN);
}

static void windows_pass_while_a_mirror_host_is_silent(void **state)
{
	int port, fd CLEANUP(close_fd) = listen_at_loopback(SOCK_STREAM, &port);
	(void)state;
	plan_window(add_account("one"));
	start_loop(&(struct mirror){ .kind = MIRROR_HOST,
				     .name = "silent",
				     .url = arena_printf(&arena, "http://127.0.0.1:%d", port),
				     .key = "a-key-of-at-least-forty-characters-0123456789" });
	wait_for_input(fd);
	int connection CLEANUP(close_fd) = accept(fd, NULL, NULL);
	wait_for_input(connection);
	pass_window();
	assert_waits(connection);
	stop_loop();
}

static void windows_pass_while_a_command_goes_on(void **state)
{
	(void)state;
	const char *pipe_path = path_of("../work-pipe");
	unlink(pipe_path);
	assert_int_equal(mkfifo(pipe_path, 0600), 0);
	int fd CLEANUP(close_fd) = open(pipe_path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	plan_window(add_account("one"));
	start_loop(&(struct mirror){
		.kind = MIRROR_COMMAND,
		.name = "endless",
		.command = arena_printf(&arena, "exec >'%s'; echo; exec sleep 600", pipe_path) });
	wait_for_input(fd);
	pass_window();
	assert_waits(fd);
	stop_loop();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(old_sums_of_checks_are_deleted),
		SERVICE_TEST(gaps_begin_after_a_while_without_a_checker),
		SERVICE_TEST(locations_are_cut_off_after_a_while_with_the_service),
		SERVICE_TEST(windows_pass_while_dns_is_silent),
		SERVICE_TEST(windows_pass_while_a_mirror_host_is_silent),
		SERVICE_TEST(windows_pass_while_a_command_goes_on),
	};
	return RUN_ON_DATABASE(tests);
}
