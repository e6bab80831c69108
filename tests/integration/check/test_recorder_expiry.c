/* The recorder's part for certificates and domains that end, with the database. */
#include "integration/lib/service.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/secret.h"
#include "check/rdap.h"
#include "check/recorder.h"

enum { PATIENCE_MS = 20000 };

/* A checker, which answers for registries. */
struct checker {
	struct loop loop;
	struct recorder *recorder;
	struct loop_timer look;
	int calls;	     /* for domains */
	char asked[256];     /* for which it was asked */
	struct instant date; /* that it answers */
	bool is_silent;
	int64_t locks_ms; /* for how long the answers cannot be stored */
	struct loop_timer unlock;
	const char *wanted; /* rows of the query */
	const char *query;
	int64_t until_ms;
};
static struct checker one;
static struct site site;
static int64_t wait_ms = PATIENCE_MS;

static void on_monitors(void *context, const struct checked_list *list)
{
	(void)context;
	(void)list;
}

static void on_signals(void *context, const struct check_signal *rows, size_t count)
{
	(void)context;
	(void)rows;
	(void)count;
}

static void on_lease(void *context, bool is_held)
{
	(void)context;
	(void)is_held;
}

static void unlock(void *context)
{
	(void)context;
	execute("UNLOCK TABLES");
}

/* Statements of other connections wait for the table for so long. */
static void lock_for(struct checker *checker, const char *table, int64_t ms)
{
	execute("LOCK TABLES %s WRITE", table);
	checker->unlock = (struct loop_timer){ .call = unlock };
	loop_timer_set(&checker->loop, &checker->unlock, clock_ms() + ms);
}

static void on_domains(void *context, const char *const *domains, size_t count)
{
	struct checker *checker = context;
	char copies[RECORDER_DOMAINS_MAX][RDAP_DOMAIN_SIZE];
	checker->calls++;
	if (checker->locks_ms > 0)
		lock_for(checker, "monitor_states", checker->locks_ms);
	checker->locks_ms = 0;
	for (size_t i = 0; i < count; i++) {
		size_t len = strlen(checker->asked);
		snprintf(checker->asked + len, sizeof(checker->asked) - len, "%s%s",
			 len > 0 ? " " : "", domains[i]);
		snprintf(copies[i], sizeof(copies[i]), "%s", domains[i]);
	}
	for (size_t i = 0; i < count && !checker->is_silent; i++)
		recorder_domain(checker->recorder, copies[i], true, checker->date);
}

static void look(void *context)
{
	struct checker *checker = context;
	bool is_done = (checker->is_silent ? checker->asked[0] != '\0' : checker->calls > 0) &&
		       (!checker->query ||
			strcmp(select_text("%s", checker->query), checker->wanted) == 0);
	if (is_done || clock_ms() > checker->until_ms)
		loop_stop(&checker->loop);
	loop_timer_set(&checker->loop, &checker->look, clock_ms() + 10);
}

static void open_checker(struct instant date)
{
	const struct recorder_observer observer = {
		.monitors = on_monitors,
		.signals = on_signals,
		.lease = on_lease,
		.context = &one,
		.domains = on_domains,
	};
	one = (struct checker){ .date = date };
	assert_true(loop_open(&one.loop));
	assert_ok(recorder_open(&one.recorder, &one.loop, &config, &site, &observer, &error));
}

static void close_checker(void)
{
	assert_true(recorder_close(one.recorder, PATIENCE_MS));
	assert_true(loop_close(&one.loop));
}

/* Runs until domains were chosen, and the query gives these rows. */
static void run_until(const char *query, const char *wanted)
{
	one.query = query;
	one.wanted = wanted;
	one.until_ms = clock_ms() + wait_ms;
	one.look = (struct loop_timer){ .call = look, .context = &one };
	loop_timer_set(&one.loop, &one.look, clock_ms());
	loop_run(&one.loop);
	loop_timer_cancel(&one.loop, &one.look);
	if (query)
		assert_rows(wanted, "%s", query);
}

/* A life of a checker: what it was asked for. */
static const char *live(struct instant date, const char *query, const char *wanted)
{
	open_checker(date);
	run_until(query, wanted);
	close_checker();
	return one.asked;
}

static int clear(void **state)
{
	int result = service_clear(state);
	config.base_url = "https://status.test";
	config.database_socket = getenv("DAYMARK_TEST_SOCKET");
	config.database_name = "daymark_integration";
	config.database_user = "root";
	config.database_password = "";
	config.database_timeout_s = 5;
	return result;
}

static int64_t add(int64_t account, const char *url, enum check_type type)
{
	int64_t id = add_monitor(account, url);
	execute("UPDATE monitors SET url = '%s' WHERE id = %ld", url, (long)id);
	execute("INSERT INTO monitor_checks (monitor_id, account_id, type, `interval`, timeout, "
		"confirmations, recoveries, slow_ms, depends_on_id, request_method, cache_buster, "
		"follow_redirects, verify_tls, alert_condition, json_operator, dns_type, "
		"ssl_alert_days, domain_alert_days, period, grace, changed_at) VALUES (%ld, %ld, "
		"%d, 60, 7, 3, 2, 0, 0, 0, 0, 1, 1, 0, 0, 0, 14, 30, 0, 60, NOW())",
		(long)id, (long)account, (int)type);
	execute("INSERT INTO monitor_states (monitor_id, phase, failures, successes, is_slow, "
		"changes, is_flapping, response_ms) VALUES (%ld, 1, 0, 1, 0, 0, 0, 5)",
		(long)id);
	return id;
}

#define DOMAINS \
	"SELECT domain_name, domain_expires_at IS NOT NULL, domain_checked_at IS NOT NULL, " \
	"domain_asked_at IS NOT NULL FROM monitor_states ORDER BY monitor_id"
#define EVENTS \
	"SELECT COUNT(*), COUNT(DISTINCT object_id) FROM events " \
	"WHERE kind REGEXP 'expiring'"
#define NO_DATE ((struct instant){ 0 })
static struct instant in_days(int64_t days)
{
	return (struct instant){ clock_now().s + days * 86400 };
}

static void a_domain_is_asked_for_once(void **state)
{
	(void)state;
	int64_t account = add_account("one"), other = add_account("two");
	add(account, "https://www.example.com/a", CHECK_HTTP);
	add(other, "https://example.com:8443/b", CHECK_HTTP);
	add(account, "mail.example.com:25", CHECK_TCP);
	add(account, "https://192.0.2.1/", CHECK_HTTP);
	add(account, "beat.example.org", CHECK_HEARTBEAT);
	assert_string_equal("example.com",
			    live(in_days(20), DOMAINS,
				 "example.com|1|1|1\nexample.com|1|1|1\nexample.com|1|1|1\n"
				 "-|0|0|0\n-|0|0|0"));
	assert_rows("3|3", EVENTS);
	/* Another monitor of the domain knows what is known, after a restart. */
	add(other, "https://new.example.com/", CHECK_HTTP);
	assert_string_equal("", live(NO_DATE, EVENTS, "3|3"));
	assert_rows("example.com|1|1|1", DOMAINS " DESC LIMIT 1");
	assert_string_equal("", live(NO_DATE, EVENTS, "4|4"));
	/* A day later. */
	execute("UPDATE monitor_states SET domain_asked_at = domain_asked_at - INTERVAL 1 DAY");
	assert_string_equal("example.com", live(in_days(400), EVENTS, "4|4"));
	assert_string_equal("", live(NO_DATE, EVENTS, "4|4"));
}

static void no_answer_is_unknown_and_asked_for_the_next_day(void **state)
{
	(void)state;
	add(add_account("one"), "https://example.com/", CHECK_HTTP);
	assert_string_equal("example.com", live(NO_DATE, DOMAINS, "example.com|0|0|1"));
	assert_string_equal("", live(in_days(1), DOMAINS, "example.com|0|0|1"));
	/* A date that was confirmed lately stays, but is not told as expired. */
	execute("UPDATE monitor_states SET domain_expires_at = UTC_TIMESTAMP() - INTERVAL 1 HOUR, "
		"domain_checked_at = UTC_TIMESTAMP() - INTERVAL 1 DAY, "
		"domain_asked_at = UTC_TIMESTAMP() - INTERVAL 2 HOUR");
	assert_string_equal("example.com", live(NO_DATE, DOMAINS, "example.com|1|1|1"));
	execute("UPDATE monitor_states SET domain_checked_at = UTC_TIMESTAMP() - INTERVAL 4 DAY, "
		"domain_asked_at = UTC_TIMESTAMP() - INTERVAL 1 DAY");
	assert_string_equal("example.com", live(NO_DATE, DOMAINS, "example.com|0|1|1"));
	assert_rows("0|0", EVENTS);
	/* Known again. */
	execute("UPDATE monitor_states SET domain_asked_at = UTC_TIMESTAMP() - INTERVAL 1 DAY");
	assert_string_equal("example.com", live(in_days(-1), EVENTS, "1|1"));
	assert_string_equal("", live(NO_DATE, EVENTS, "1|1"));
}

static void another_url_is_another_domain(void **state)
{
	(void)state;
	add(add_account("one"), "https://example.com/", CHECK_HTTP);
	live(in_days(400), DOMAINS, "example.com|1|1|1");
	execute("UPDATE monitors SET url = 'https://example.net/'");
	assert_string_equal("example.net", live(NO_DATE, DOMAINS, "example.net|0|0|1"));
}

/* The release of the lease waits for the database until the next records are due. */
static void nothing_is_stored_after_the_lease_is_released(void **state)
{
	(void)state;
	add(add_account("one"), "https://example.com/", CHECK_HTTP);
	open_checker(NO_DATE);
	one.is_silent = true;
	run_until(NULL, NULL);
	lock_for(&one, "check_locations", RECORDER_STORE_S * 1000);
	close_checker();
	assert_rows("0", "SELECT COUNT(*) FROM monitor_hours");
}

/* The database is away when the answers come: they are stored as soon as it is back. */
static void answers_are_kept_while_the_database_is_away(void **state)
{
	(void)state;
	add(add_account("one"), "https://example.com/", CHECK_HTTP);
	config.database_timeout_s = 1;
	open_checker(in_days(20));
	one.locks_ms = 2500;
	run_until(DOMAINS, "example.com|1|1|1");
	close_checker();
	assert_string_equal("example.com", one.asked);
	assert_rows("1|1", EVENTS);
}

/* A few at a time, and each in its turn, although nobody may be asked for some. */
static void domains_take_turns(void **state)
{
	(void)state;
	int64_t account = add_account("one");
	for (int i = 0; i < 8; i++)
		add(account, arena_printf(&arena, "https://d%d.com/", i), CHECK_HTTP);
	open_checker(NO_DATE);
	one.is_silent = true;
	run_until(NULL, NULL);
	assert_string_equal("d0.com d1.com d2.com d3.com d4.com", one.asked);
	one.asked[0] = '\0';
	one.calls = 0;
	for (int i = 0; i < 5; i++)
		recorder_domain(one.recorder, arena_printf(&arena, "d%d.com", i), false, NO_DATE);
	wait_ms = 2 * RECORDER_EXPIRY_S * 1000;
	run_until(NULL, NULL);
	wait_ms = PATIENCE_MS;
	assert_string_equal("d5.com d6.com d7.com d0.com d1.com", one.asked);
	assert_rows("0", "SELECT COUNT(domain_asked_at) FROM monitor_states");
	close_checker();
}

/* Whatever the moment, each alert is told once. */
static void alerts_are_told_once_although_checkers_are_killed(void **state)
{
	enum { MANY = 40, KILLS = 12 };
	(void)state;
	int64_t account = add_account("one");
	config.has_outbox = true;
	for (int i = 0; i < MANY; i++)
		add(account, arena_printf(&arena, "https://d%d.com/", i), CHECK_HTTP);
	for (int i = 0; i < KILLS; i++) {
		execute("UPDATE monitor_states SET tls_expires_at = '2027-03-01 00:00:00', "
			"tls_seen_at = '2027-02-20 00:00:00' WHERE monitor_id %% %d = %d",
			KILLS, i);
		execute("UPDATE check_locations SET holder = NULL");
		pid_t child = fork();
		assert_true(child >= 0);
		if (child == 0) {
			open_checker(in_days(20));
			loop_run(&one.loop);
			_exit(0);
		}
		usleep(1000000 + (useconds_t)i * 7000);
		assert_int_equal(kill(child, SIGKILL), 0);
		assert_int_equal(waitpid(child, NULL, 0), child);
	}
	execute("UPDATE check_locations SET holder = NULL");
	live(in_days(20),
	     "SELECT COUNT(*), COUNT(DISTINCT object_id) FROM events "
	     "WHERE kind = 'monitor.certificate_expiring'",
	     "40|40");
	assert_rows("40",
		    "SELECT COUNT(*) FROM outbox WHERE kind = 'monitor.certificate_expiring'");
	assert_rows("0", "SELECT COUNT(*) FROM (SELECT 1 FROM events GROUP BY kind, object_id "
			 "HAVING COUNT(*) > 1) twice");
	config.has_outbox = false;
}

#define EXPIRY_TEST(function) cmocka_unit_test_setup(function, clear)

int main(void)
{
	const struct CMUnitTest tests[] = {
		EXPIRY_TEST(a_domain_is_asked_for_once),
		EXPIRY_TEST(no_answer_is_unknown_and_asked_for_the_next_day),
		EXPIRY_TEST(another_url_is_another_domain),
		EXPIRY_TEST(answers_are_kept_while_the_database_is_away),
		EXPIRY_TEST(nothing_is_stored_after_the_lease_is_released),
		EXPIRY_TEST(domains_take_turns),
		EXPIRY_TEST(alerts_are_told_once_although_checkers_are_killed),
	};
	secret_init();
	return RUN_ON_DATABASE(tests);
}
