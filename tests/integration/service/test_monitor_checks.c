/* The settings of checks in the operations on monitors: secrets, dependencies, windows, costs. */
#include "integration/lib/service.h"

#include <mysql.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "access/signed_id.h"
#include "access/signing_key.h"
#include "publish/folder/pages_dir.h"
#include "service/monitor_checks.h"
#include "service/monitors.h"
#include "store/check/check_settings_store.h"

static struct monitor monitor;

#define F(name) MONITOR_FIELD_##name
#define UPDATE(id, the_sent, ...) \
	service_update_monitor(&service, (id), &(struct monitor_input){ __VA_ARGS__ }, (the_sent), \
			       &monitor)

static int64_t add(int64_t account, const char *name)
{
	const struct monitor_input input = { .name = name,
					     .url = "https://a.test/",
					     .type = CHECK_HTTP };
	assert_ok(service_add_monitor(&service, account, &input,
				      FIELD_SET(F(name), F(url), F(type)), &monitor));
	return monitor.id;
}

static struct check_settings stored(void)
{
	struct signing_key key;
	struct stored_check_list list;
	assert_ok(service_read_key(&service, &key));
	assert_ok(stored_checks_read(db, key.bytes,
				     &(struct check_range){ .after_id = 0, .most = 1000 }, &arena,
				     &list, &error));
	assert_int_equal(list.count, 1);
	assert_false(list.rows[0].settings.has_lost_secrets);
	return list.rows[0].settings;
}

static const char *violated(void)
{
	const char *field = violations.count > 0 ? violations.first->field : "";
	violations = (struct violations){ .arena = &arena };
	return field;
}

static void only_check_fields_cost_a_statement(void **state)
{
	(void)state;
	int64_t account = add_account("one");
	const struct field_set plain = FIELD_SET(F(name)),
			       checked = FIELD_SET(F(name), F(interval));
	const struct monitor_input input = { .name = "a", .interval = 60 };
	uint64_t counts[8], at = 0;
#define COUNT(call) \
	do { \
		uint64_t before = db_queries(db); \
		assert_ok(call); \
		counts[at++] = db_queries(db) - before; \
	} while (0)
	COUNT(service_add_monitor(&service, account, &input, plain, &monitor));
	COUNT(service_add_monitor(&service, account, &input, checked, &monitor));
	assert_rows("0", "SELECT COUNT(*) FROM monitor_checks");
	COUNT(UPDATE(monitor.id, plain, .name = "b"));
	COUNT(UPDATE(monitor.id, checked, .name = "c", .interval = 60));
	assert_rows("0", "SELECT COUNT(*) FROM monitor_checks");
	COUNT(UPDATE(monitor.id, checked, .name = "d", .interval = 61));
	COUNT(UPDATE(monitor.id, checked, .name = "e", .interval = 61));
	/* A setting with its default value is stored nowhere. */
	assert_int_equal(counts[1], counts[0]);
	assert_int_equal(counts[3], counts[2]);
	assert_int_equal(counts[4], counts[2] + 1);
	assert_int_equal(counts[5], counts[2]);
	assert_rows("61|0", "SELECT `interval`, type FROM monitor_checks");
}

/* If the monitor is checked again later, its time as external is no gap. */
static void the_gap_ends_when_the_monitor_becomes_external(void **state)
{
	(void)state;
	const struct field_set type = FIELD_SET(F(type));
	int64_t id = add(add_account("one"), "a");
	execute("INSERT INTO monitor_gaps (monitor_id, started_at) VALUES (%ld, '2026-03-02')",
		(long)id);
	assert_ok(UPDATE(id, FIELD_SET(F(interval)), .interval = 61));
	assert_rows("-", "SELECT ended_at FROM monitor_gaps");
	assert_ok(UPDATE(id, type, .type = CHECK_EXTERNAL));
	assert_rows("1|1", "SELECT ended_at = ends_at, ends_at < '9999-01-01' FROM monitor_gaps");
	execute("UPDATE monitor_gaps SET ended_at = '2026-03-03', ends_at = '2026-03-03'");
	assert_ok(UPDATE(id, type, .type = CHECK_HTTP));
	assert_ok(UPDATE(id, type, .type = CHECK_EXTERNAL));
	assert_rows("2026-03-03 00:00:00", "SELECT ended_at FROM monitor_gaps");
}

/* Nobody would find its end any more. */
static void the_outage_ends_when_the_monitor_becomes_external(void **state)
{
	(void)state;
	const struct field_set type = FIELD_SET(F(type));
	int64_t id = add(add_account("one"), "a");
	assert_ok(UPDATE(id, type, .type = CHECK_HTTP));
	execute("INSERT INTO monitor_states (monitor_id, phase, failures, successes, is_slow, "
		"changes, is_flapping, response_ms) VALUES (%ld, 3, 2, 0, 0, 0, 0, 0)",
		(long)id);
	execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, created_at, "
		"updated_at) SELECT account_id, id, 'x', '2026-03-05 01:00:00', NOW(), NOW() "
		"FROM monitors");
	/* The incident is of other monitoring. */
	assert_ok(UPDATE(id, type, .type = CHECK_EXTERNAL));
	assert_string_equal(monitor.state, "down");
	assert_ok(UPDATE(id, type, .type = CHECK_HTTP));
	execute("UPDATE monitor_states SET reported = 1, reported_since = '2026-03-05 01:00:00', "
		"failing_since = '2026-03-05 01:00:00'");
	assert_ok(UPDATE(id, type, .type = CHECK_EXTERNAL));
	assert_string_not_equal(monitor.state, "down");
	assert_rows("1|1", "SELECT COUNT(*), COUNT(ended_at) FROM incidents");
	assert_rows("4|0|-", "SELECT phase, reported, failing_since FROM monitor_states");
}

static void secrets_are_stored_encrypted_and_kept(void **state)
{
	(void)state;
	struct check_header sent[] = { { "Authorization", "Bearer one", NULL },
				       { "Accept", "a/b", NULL },
				       { "x-TOKEN", "two", NULL } };
	const struct field_set headers = FIELD_SET(F(request_headers));
	const struct field_set password = FIELD_SET(F(request_auth_password));
	int64_t id = add(add_account("one"), "a");
	assert_ok(UPDATE(id, field_set_or(headers, password), .request_headers = { sent, 3 },
			 .request_auth_password = "pass"));
	assert_true(monitor.has_request_auth_password);
	const struct check_header *shown = monitor.request_headers.rows;
	assert_null(shown[0].value);
	assert_string_equal(shown[1].value, "a/b");
	assert_null(shown[2].value);
	assert_string_equal(stored().request_auth_password, "pass");
	assert_rows("0", "SELECT COUNT(*) FROM monitor_checks WHERE CONCAT(request_headers, "
			 "request_auth_password) REGEXP 'Bearer|two|pass'");
	/* The same values, and headers as they are read, change nothing. */
	const char *before = select_text("SELECT request_headers, request_auth_password, "
					 "changed_at FROM monitor_checks");
	forget_events();
	assert_ok(UPDATE(id, field_set_or(headers, password), .request_headers = { sent, 3 },
			 .request_auth_password = "pass"));
	assert_ok(UPDATE(id, headers, .request_headers = monitor.request_headers));
	assert_rows("0", "SELECT COUNT(*) FROM events");
	assert_rows(before, "SELECT request_headers, request_auth_password, changed_at "
			    "FROM monitor_checks");
	/* In another place, and one less. */
	struct check_header moved[] = { { "X-Token", NULL, NULL }, { "Accept", "c/d", NULL } };
	assert_ok(UPDATE(id, headers, .request_headers = { moved, 2 }));
	assert_string_equal(((const struct check_header *)stored().request_headers.rows)[0].value,
			    "two");
	assert_string_equal(stored().request_auth_password, "pass");
	struct check_header other = { "X-Token", "three", NULL };
	forget_events();
	assert_ok(UPDATE(id, headers, .request_headers = { &other, 1 }));
	assert_one_event(monitor.account_id, "monitor.updated", id, id, "a");
	assert_string_equal(((const struct check_header *)stored().request_headers.rows)[0].value,
			    "three");
	struct check_header missing = { "Cookie", NULL, NULL };
	assert_result(E_INVALID, UPDATE(id, headers, .request_headers = { &missing, 1 }));
	assert_string_equal(violated(), "request_headers.0.value");
	assert_ok(UPDATE(id, password, .request_auth_password = NULL));
	assert_false(monitor.has_request_auth_password);
	assert_null(stored().request_auth_password);
}

/* The transaction of an update that runs twice seals what was sent, not what it has sealed. */
static int tries;
static void lose_the_first_time(void)
{
	if (tries++ == 0)
		execute("KILL %ld",
			(long)select_number("SELECT id FROM information_schema.processlist WHERE "
					    "id <> CONNECTION_ID() AND db = DATABASE() AND "
					    "command = 'Sleep' ORDER BY id LIMIT 1"));
}

static void a_repeated_transaction_seals_once(void **state)
{
	(void)state;
	struct check_header sent = { "Authorization", "Bearer one", NULL };
	int64_t id = add(add_account("one"), "a");
	use_caller();
	tries = 0;
	caller.in_transaction = lose_the_first_time;
	assert_ok(UPDATE(id, FIELD_SET(F(request_headers), F(request_auth_password)),
			 .request_headers = { &sent, 1 }, .request_auth_password = "pass"));
	assert_true(tries > 1);
	assert_string_equal(stored().request_auth_password, "pass");
	assert_string_equal(((const struct check_header *)stored().request_headers.rows)[0].value,
			    "Bearer one");
}

static void secrets_stay_with_their_server(void **state)
{
	static const char *const others[] = { "http://a.test/", "https://a.test:444/",
					      "https://b.test/", "https://a.test.b.test/" };
	(void)state;
	struct check_header sent[] = { { "Authorization", "Bearer one", NULL } },
			    kept[] = { { "Authorization", NULL, NULL } };
	const struct field_set url = FIELD_SET(F(url)),
			       headers = FIELD_SET(F(url), F(request_headers)),
			       password = FIELD_SET(F(url), F(request_auth_password));
	int64_t id = add(add_account("one"), "a");
	assert_ok(UPDATE(id, password, .url = "https://a.test/", .request_auth_password = "pass"));
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		assert_int_equal(E_INVALID, UPDATE(id, url, .url = others[i]));
		assert_string_equal("request_auth_password", violated());
	}
	/* Nor by the way of no URL. */
	assert_ok(UPDATE(id, FIELD_SET(F(url), F(type)), .type = CHECK_EXTERNAL));
	assert_int_equal(E_INVALID, UPDATE(id, url, .url = "https://b.test/"));
	violated();
	assert_ok(UPDATE(id, password, .url = "https://A.test?b", .request_auth_password = "pass"));
	assert_ok(UPDATE(id, url, .url = "https://a.test/c"));
	assert_ok(UPDATE(id, password, .url = "https://b.test/", .request_auth_password = NULL));
	assert_ok(UPDATE(id, headers, .url = "https://c.test/", .request_headers = { sent, 1 }));
	assert_int_equal(E_INVALID, UPDATE(id, url, .url = "https://d.test/"));
	assert_string_equal("request_headers", violated());
	assert_int_equal(E_INVALID, UPDATE(id, headers, .url = "https://d.test/",
					   .request_headers = { kept, 1 }));
	assert_string_equal("request_headers", violated());
	assert_ok(UPDATE(id, headers, .url = "https://d.test/", .request_headers = { sent, 1 }));
	assert_ok(UPDATE(id, headers, .url = "https://e.test/"));
}

static void an_unreadable_key_refuses_secrets_and_nothing_else(void **state)
{
	(void)state;
	int64_t id = add(add_account("one"), "a");
	config.pages_dir = "/dev/null/pages";
	assert_ok(UPDATE(id, FIELD_SET(F(interval)), .interval = 30));
	forget_events();
	enum result result = UPDATE(id, FIELD_SET(F(request_auth_password), F(interval)),
				    .request_auth_password = "pass", .interval = 31);
	assert_true(result != OK && result != E_INVALID);
	assert_rows("30|-", "SELECT `interval`, request_auth_password FROM monitor_checks");
	assert_rows("0", "SELECT COUNT(*) FROM events");
}

static void a_dependency_is_a_monitor_of_the_account_without_circles(void **state)
{
	(void)state;
	int64_t one = add_account("one"), theirs = add_monitor(add_account("two"), "theirs");
	int64_t a = add(one, "a"), b = add(one, "b"), c = add(one, "c");
	const struct field_set sent = FIELD_SET(F(depends_on_id));
	assert_ok(UPDATE(a, sent, .depends_on_id = b));
	assert_int_equal(monitor.depends_on_id, b);
	assert_ok(UPDATE(b, sent, .depends_on_id = c));
	const int64_t wrong[][2] = { { c, a }, { c, b },      { c, c },
				     { b, a }, { c, theirs }, { c, 999999 } };
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		assert_result(E_INVALID, UPDATE(wrong[i][0], sent, .depends_on_id = wrong[i][1]));
		assert_string_equal(violated(), "depends_on_id");
	}
	act_as_key(one);
	const struct monitor_input input = { .name = "d", .depends_on_id = theirs };
	assert_result(E_INVALID,
		      service_add_monitor(&service, one, &input,
					  FIELD_SET(F(name), F(depends_on_id)), &monitor));
	assert_string_equal(violated(), "depends_on_id");
	assert_rows("0", "SELECT COUNT(*) FROM monitors WHERE name = 'd'");
	assert_ok(UPDATE(a, sent, .depends_on_id = 0));
	/* A monitor that goes takes the dependencies on it along. */
	assert_ok(UPDATE(a, sent, .depends_on_id = b));
	assert_ok(service_retire_monitor(&service, b));
	assert_rows("0", "SELECT depends_on_id FROM monitor_checks WHERE monitor_id = %ld",
		    (long)a);
	assert_result(E_INVALID, UPDATE(a, sent, .depends_on_id = b));
	violated();
	assert_ok(UPDATE(a, sent, .depends_on_id = c));
	assert_ok(service_remove_monitor(&service, c));
	assert_rows(arena_printf(&arena, "%ld|0\n%ld|%ld", (long)a, (long)b, (long)0),
		    "SELECT monitor_id, depends_on_id FROM monitor_checks ORDER BY monitor_id");
}

/* An update by another process, with a connection of its own. */
static struct rival {
	pthread_t thread;
	struct service service;
	struct arena arena;
	struct violations violations;
	struct error error;
	int64_t id, depends_on_id;
	enum result result;
	atomic_bool is_done;
} rival;

static void *update_as_rival(void *unused)
{
	struct monitor changed;
	(void)unused;
	mysql_thread_init();
	rival.result = service_update_monitor(
		&rival.service, rival.id,
		&(struct monitor_input){ .depends_on_id = rival.depends_on_id },
		FIELD_SET(F(depends_on_id)), &changed);
	atomic_store(&rival.is_done, true);
	mysql_thread_end();
	return NULL;
}

/* The service's transaction has stored and checked its dependency, and has not committed. */
static void start_the_rival(void)
{
	/* The server renews this table when nobody has read it for 100 ms. */
	enum { TRIES = 200, PAUSE_US = 150000 };
	assert_int_equal(pthread_create(&rival.thread, NULL, update_as_rival, NULL), 0);
	for (int i = 0; i < TRIES && !atomic_load(&rival.is_done); i++) {
		if (select_number("SELECT COUNT(*) FROM information_schema.innodb_trx "
				  "WHERE trx_state = 'LOCK WAIT'") > 0)
			return;
		usleep(PAUSE_US);
	}
}

/* Two transactions at once that would close a circle: of two monitors, and through a third. */
static void of_two_that_close_a_circle_one_is_refused(void **state)
{
	(void)state;
	int64_t account = add_account("one");
	const struct field_set sent = FIELD_SET(F(depends_on_id));
	for (int round = 0; round < 2; round++) {
		int64_t a = add(account, "a"), b = add(account, "b"), c = add(account, "c"),
			d = add(account, "d");
		/* First a -> b beside b -> a; then, with b -> c and d -> a, a -> b beside c -> d.
		 */
		if (round == 1) {
			assert_ok(UPDATE(b, sent, .depends_on_id = c));
			assert_ok(UPDATE(d, sent, .depends_on_id = a));
		}
		rival = (struct rival){ .id = round == 0 ? b : c,
					.depends_on_id = round == 0 ? a : d };
		arena_init(&rival.arena, 64 << 20);
		rival.service = service;
		rival.service.db = database_connect();
		rival.service.arena = &rival.arena;
		rival.service.error = &rival.error;
		rival.service.violations = &rival.violations;
		rival.service.caller = NULL;
		violations_init(&rival.violations, &rival.arena);
		use_caller();
		caller.in_transaction = start_the_rival;
		enum result result = UPDATE(a, sent, .depends_on_id = b);
		assert_int_equal(pthread_join(rival.thread, NULL), 0);
		service.caller = NULL;
		assert_ok(result);
		assert_int_equal(rival.result, E_INVALID);
		assert_true(violations_has(&rival.violations, "depends_on_id"));
		db_free(rival.service.db);
		arena_done(&rival.arena);
	}
}

static void both_times_add_one_window(void **state)
{
	(void)state;
	const struct field_set times = FIELD_SET(F(maintenance_start_at), F(maintenance_end_at));
	const struct field_set both = field_set_or(times, FIELD_SET(F(name)));
	int64_t account = add_account("one");
	const struct monitor_input input = { .name = "Web",
					     .maintenance_start_at = at(5, 9),
					     .maintenance_end_at = at(5, 11) };
	assert_ok(service_add_monitor(&service, account, &input, both, &monitor));
	assert_string_equal(monitor.state, "maintenance");
	assert_rows(arena_printf(&arena,
				 "%ld|Maintenance of Web|%ld|2026-03-05 09:00:00|"
				 "2026-03-05 11:00:00|1",
				 (long)account, (long)monitor.id),
		    "SELECT w.account_id, w.title, x.monitor_id, o.starts_at, o.ends_at, o.status "
		    "FROM maintenances w JOIN maintenance_monitors x ON x.maintenance_id = w.id "
		    "JOIN maintenance_occurrences o ON o.maintenance_id = w.id");
	int64_t updated = select_number("SELECT COUNT(*) FROM events WHERE kind LIKE 'monitor.%%'");
	assert_ok(UPDATE(monitor.id, times, .maintenance_start_at = at(6, 1),
			 .maintenance_end_at = at(6, 2)));
	assert_rows("2", "SELECT COUNT(*) FROM maintenances");
	assert_int_equal(updated,
			 select_number("SELECT COUNT(*) FROM events WHERE kind LIKE 'monitor.%%'"));
	assert_result(E_INVALID, UPDATE(monitor.id, times, .maintenance_start_at = at(6, 2),
					.maintenance_end_at = at(6, 2)));
	assert_string_equal(violated(), "maintenance_end_at");
	config.most_maintenances = 2;
	enum result result = UPDATE(monitor.id, field_set_or(both, times), .name = "New",
				    .maintenance_start_at = at(6, 3),
				    .maintenance_end_at = at(6, 4));
	assert_int_equal(result, E_QUOTA_EXCEEDED);
	assert_string_equal(violated(), "maintenances");
	assert_rows("Web|2", "SELECT name, (SELECT COUNT(*) FROM maintenances) FROM monitors");
}

static void a_heartbeat_has_its_address(void **state)
{
	(void)state;
	struct signing_key key;
	int64_t id = add(add_account("one"), "a"), read = 0;
	assert_null(monitor.heartbeat_url);
	assert_ok(UPDATE(id, FIELD_SET(F(type), F(period)), .type = CHECK_HEARTBEAT, .period = 60));
	assert_ok(service_read_key(&service, &key));
	const char *token = strstr(monitor.heartbeat_url, "/hb/");
	assert_non_null(token);
	assert_true(signed_id_read(&key, SIGNED_HEARTBEAT, str_from(token + 4), &read));
	assert_int_equal(read, id);
	assert_int_equal(
		0, strncmp(monitor.heartbeat_url, service.base_url, strlen(service.base_url)));
	assert_result(E_INVALID, UPDATE(id, FIELD_SET(F(period)), .period = 0));
	assert_string_equal(violated(), "period");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(only_check_fields_cost_a_statement),
		SERVICE_TEST(the_gap_ends_when_the_monitor_becomes_external),
		SERVICE_TEST(the_outage_ends_when_the_monitor_becomes_external),
		SERVICE_TEST(secrets_are_stored_encrypted_and_kept),
		SERVICE_TEST(a_repeated_transaction_seals_once),
		SERVICE_TEST(secrets_stay_with_their_server),
		SERVICE_TEST(an_unreadable_key_refuses_secrets_and_nothing_else),
		SERVICE_TEST(a_dependency_is_a_monitor_of_the_account_without_circles),
		SERVICE_TEST(of_two_that_close_a_circle_one_is_refused),
		SERVICE_TEST(both_times_add_one_window),
		SERVICE_TEST(a_heartbeat_has_its_address),
	};
	return RUN_ON_DATABASE(tests);
}
