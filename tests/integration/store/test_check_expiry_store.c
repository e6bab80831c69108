/* What is told of certificates and domains that end, and what registries have said. */
#include "integration/lib/database.h"

#include "domain/monitor/check_expiry.h"
#include "store/check/check_expiry_store.h"
#include "store/check/check_store.h"

#define HOLDER "00112233445566aa"

enum { DAY = 86400 };

static int64_t checked(int64_t account, const char *name)
{
	int64_t id = add_monitor(account, name);
	execute("INSERT INTO monitor_checks (monitor_id, account_id, type, `interval`, timeout, "
		"confirmations, recoveries, slow_ms, depends_on_id, request_method, cache_buster, "
		"follow_redirects, verify_tls, alert_condition, json_operator, dns_type, "
		"ssl_alert_days, domain_alert_days, period, grace, changed_at) VALUES (%ld, %ld, "
		"1, 60, 7, 3, 2, 800, 0, 0, 0, 1, 1, 0, 0, 0, 14, 30, 0, 60, NOW())",
		(long)id, (long)account);
	execute("INSERT INTO monitor_states (monitor_id, phase, failures, successes, is_slow, "
		"changes, is_flapping, response_ms) VALUES (%ld, 1, 0, 1, 0, 0, 0, 5)",
		(long)id);
	return id;
}

static void take_lease(void)
{
	struct check_lease lease;
	assert_ok(check_lease_take(db, HOLDER, &lease, &error));
	assert_true(lease.is_held);
}

static const struct principal checker = { .type = PRINCIPAL_CHECKER, .label = "" };

static enum result tell(struct instant now)
{
	const struct event_source source = { &checker, now, true };
	enum result result = OK;
	int64_t after_id = 0;
	for (bool is_more = true; result == OK && is_more;)
		result = check_expiries_tell(db, HOLDER, &source, &after_id, &is_more, &error);
	return result;
}

/* The certificates end at 2026-05-01 and were seen at `now`. */
static void see(struct instant now)
{
	char text[INSTANT_TEXT_SIZE];
	execute("UPDATE monitor_states SET tls_expires_at = '2026-05-01 00:00:00', "
		"tls_seen_at = '%s'",
		instant_format_sql(now, text));
}

#define EVENTS \
	"SELECT account_id, kind, object, object_id, actor_type, detail FROM events ORDER BY id"
#define EVENT_COUNT "SELECT COUNT(*) FROM events"
#define OUTBOX	    "SELECT kind, object_id, payload FROM outbox ORDER BY id"

static struct instant may(int64_t days)
{
	struct instant at = instant_of(&(struct instant_parts){ 2026, 5, 1, 0, 0, 0 });
	at.s += days * DAY;
	return at;
}

static void a_certificate_is_told_once_for_each_alert(void **state)
{
	(void)state;
	int64_t account = add_account("one"), id = checked(account, "web");
	take_lease();
	struct instant at = may(-14);
	at.s--;
	see(at);
	assert_ok(tell(at));
	assert_rows("", EVENTS);
	see(may(-14));
	assert_ok(tell(may(-14)));
	assert_rows(arena_printf(&arena,
				 "%ld|monitor.certificate_expiring|monitor|%ld|checker|"
				 "expires 2026-05-01T00:00:00Z, in 14 days",
				 (long)account, (long)id),
		    EVENTS);
	assert_rows(arena_printf(&arena,
				 "monitor.certificate_expiring|%ld|{\"text\":\"expires "
				 "2026-05-01T00:00:00Z, in 14 days\",\"monitor\":{\"id\":%ld,"
				 "\"name\":\"web\"}}",
				 (long)id, (long)id),
		    OUTBOX);
	/* An hour later, a second before the end, and with the clock set back. */
	static const int64_t later[] = { -14 * DAY + 3600, -1, -20 * DAY };
	for (size_t i = 0; i < ARRAY_LEN(later); i++) {
		at.s = may(0).s + later[i];
		see(at);
		assert_ok(tell(at));
		assert_rows("1", EVENT_COUNT);
	}
	/* The end: not before the certificate is seen. */
	assert_ok(tell(may(1)));
	assert_rows("1", EVENT_COUNT);
	see(may(0));
	assert_ok(tell(may(1)));
	assert_ok(tell(may(2)));
	assert_rows("expired 2026-05-01T00:00:00Z", "SELECT detail FROM events WHERE id = "
						    "(SELECT MAX(id) FROM events)");
	assert_rows("2", EVENT_COUNT);
	assert_rows("2026-05-01 00:00:00|0", "SELECT tls_told, tls_told_days FROM monitor_states");
	/* Renewed. */
	execute("UPDATE monitor_states SET tls_expires_at = '2026-08-01 00:00:00'");
	assert_ok(tell(may(3)));
	assert_rows("2", EVENT_COUNT);
	execute("UPDATE monitor_states SET tls_seen_at = '2026-07-18 00:00:00'");
	assert_ok(tell(may(100)));
	assert_rows("3", EVENT_COUNT);
}

static void a_domain_is_told_beside_the_certificate(void **state)
{
	(void)state;
	int64_t account = add_account("one"), id = checked(account, "web");
	take_lease();
	see(may(-14));
	execute("UPDATE monitor_states SET domain_expires_at = '2026-05-11 00:00:00', "
		"domain_checked_at = '2026-04-11 00:00:00'");
	assert_ok(tell(may(-14)));
	assert_rows(arena_printf(&arena,
				 "%ld|monitor.certificate_expiring|monitor|%ld|checker|"
				 "expires 2026-05-01T00:00:00Z, in 14 days\n"
				 "%ld|monitor.domain_expiring|monitor|%ld|checker|"
				 "expires 2026-05-11T00:00:00Z, in 24 days",
				 (long)account, (long)id, (long)account, (long)id),
		    EVENTS);
	/* Passed, but the registry has not said so. */
	assert_ok(tell(may(60)));
	assert_rows("2", EVENT_COUNT);
	/* Unknown is not expired. */
	execute("UPDATE monitor_states SET domain_expires_at = NULL, "
		"domain_checked_at = '2026-07-01 00:00:00'");
	assert_ok(tell(may(61)));
	assert_rows("2", EVENT_COUNT);
	execute("UPDATE monitor_states SET domain_expires_at = '2026-05-11 00:00:00'");
	assert_ok(tell(may(62)));
	assert_ok(tell(may(63)));
	assert_rows("1", "SELECT COUNT(*) FROM events WHERE detail = 'expired "
			 "2026-05-11T00:00:00Z'");
}

static void nothing_is_told_of_monitors_that_are_not_checked(void **state)
{
	static const char *const changes[] = {
		"UPDATE monitors SET is_paused = 1",
		"UPDATE monitors SET is_paused = 0, retired_at = NOW()",
		"UPDATE monitors SET retired_at = NULL, removed_at = NOW()",
		"UPDATE monitors SET removed_at = NULL",
		"UPDATE accounts SET removed_at = NOW()",
	};
	(void)state;
	checked(add_account("one"), "web");
	take_lease();
	see(may(-1));
	for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
		execute("%s", changes[i]);
		if (i == 3)
			execute("UPDATE monitor_checks SET type = 0");
		assert_ok(tell(may(-1)));
		assert_rows("0", EVENT_COUNT);
	}
	execute("UPDATE accounts SET removed_at = NULL");
	execute("UPDATE monitor_checks SET type = 1, ssl_alert_days = 0");
	assert_ok(tell(may(-1)));
	assert_rows("0", EVENT_COUNT);
	execute("UPDATE monitor_checks SET ssl_alert_days = 60");
	assert_ok(tell(may(-1)));
	assert_rows("1", EVENT_COUNT);
}

static void another_issuer_is_told_if_wanted(void **state)
{
	(void)state;
	int64_t id = checked(add_account("one"), "web");
	take_lease();
	see(may(-80));
	execute("UPDATE monitor_states SET tls_issuer = 'One CA'");
	assert_ok(tell(may(-80)));
	execute("UPDATE monitor_checks SET issuer_alert = 1");
	assert_ok(tell(may(-80)));
	assert_rows("0", EVENT_COUNT);
	execute("UPDATE monitor_states SET tls_issuer = 'Another CA'");
	assert_ok(tell(may(-80)));
	assert_ok(tell(may(-79)));
	assert_rows(arena_printf(&arena, "monitor.issuer_changed|%ld|Another CA, before: One CA",
				 (long)id),
		    "SELECT kind, object_id, detail FROM events");
	execute("UPDATE monitor_checks SET issuer_alert = 0");
	execute("UPDATE monitor_states SET tls_issuer = 'A third CA'");
	assert_ok(tell(may(-79)));
	assert_rows("1", EVENT_COUNT);
}

/* Each statement of the transaction fails in turn: nothing is told, or everything with its note. */
static void what_was_told_is_stored_with_the_event(void **state)
{
	static const char *const tables[] = { "events", "outbox", "monitor_states" };
	(void)state;
	checked(add_account("one"), "web");
	take_lease();
	see(may(-1));
	for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
		execute("CREATE TRIGGER fail BEFORE %s ON %s FOR EACH ROW SIGNAL SQLSTATE '45000'",
			i == 2 ? "UPDATE" : "INSERT", tables[i]);
		assert_int_equal(tell(may(-1)), E_FAILED);
		execute("DROP TRIGGER fail");
		assert_rows("0|0|0", "SELECT (SELECT COUNT(*) FROM events), "
				     "(SELECT COUNT(*) FROM outbox), "
				     "(SELECT COUNT(tls_told) FROM monitor_states)");
	}
	execute("UPDATE check_locations SET holder = 'another'");
	assert_int_equal(tell(may(-1)), E_CONFLICT);
	assert_rows("0", EVENT_COUNT);
	execute("UPDATE check_locations SET holder = '" HOLDER "'");
	assert_ok(tell(may(-1)));
	assert_rows("1|1|1", "SELECT (SELECT COUNT(*) FROM events), "
			     "(SELECT COUNT(*) FROM outbox), "
			     "(SELECT COUNT(tls_told) FROM monitor_states)");
}

static void many_are_told_by_few_statements(void **state)
{
	enum { MANY = 1100 };
	(void)state;
	int64_t account = add_account("one"), other = add_account("two");
	checked(account, "web");
	execute("INSERT INTO monitors (account_id, name, created_at, updated_at) SELECT "
		"IF(seq %% 2, %ld, %ld), CONCAT('m', seq), NOW(), NOW() FROM seq_1_to_1099",
		(long)account, (long)other);
	execute("CREATE TEMPORARY TABLE checks SELECT * FROM monitor_checks LIMIT 1");
	execute("INSERT INTO monitor_checks SELECT m.id, m.account_id, c.type, c.`interval`, "
		"c.timeout, c.confirmations, c.recoveries, c.slow_ms, c.depends_on_id, "
		"c.request_method, c.request_headers, c.request_body, c.request_auth_username, "
		"c.request_auth_password, c.cache_buster, c.expected_statuses, c.follow_redirects, "
		"c.verify_tls, c.alert_condition, c.alert_text_lookup, c.json_path, "
		"c.json_operator, c.json_value, c.tcp_send, c.tcp_expect, c.dns_type, "
		"c.dns_server, c.dns_expected, c.ssl_alert_days, c.domain_alert_days, 0, c.period, "
		"c.grace, c.locations, c.quorum, c.changed_at FROM checks c, monitors m "
		"WHERE m.id <> c.monitor_id");
	execute("INSERT INTO monitor_states (monitor_id, phase, failures, successes, is_slow, "
		"changes, is_flapping, response_ms) SELECT id, 1, 0, 1, 0, 0, 0, 5 FROM monitors "
		"WHERE name <> 'web'");
	take_lease();
	see(may(-1));
	int64_t before = (int64_t)db_queries(db);
	assert_ok(tell(may(-1)));
	assert_in_range((int64_t)db_queries(db) - before, 1, 80);
	assert_rows("1100|1100", "SELECT COUNT(*), COUNT(DISTINCT object_id) FROM events");
	assert_rows("0", "SELECT COUNT(*) FROM events e JOIN monitors m ON m.id = e.object_id "
			 "WHERE m.account_id <> e.account_id");
	assert_rows("1100", "SELECT COUNT(*) FROM outbox");
	before = (int64_t)db_queries(db);
	assert_ok(tell(may(-1)));
	assert_in_range((int64_t)db_queries(db) - before, 1, 15);
	assert_rows("1100", EVENT_COUNT);
}

static void domains_are_stored_and_read(void **state)
{
	(void)state;
	struct arena scratch CLEANUP(arena_done);
	struct check_domain_list list;
	int64_t account = add_account("one"), id = checked(account, "web");
	int64_t unwanted = checked(account, "unwanted");
	struct check_domain row = { id, 0, NULL, "example.com", may(1), may(2), may(3) };
	arena_init(&scratch, 64 << 20);
	execute("UPDATE monitor_checks SET domain_alert_days = 0 WHERE monitor_id = %ld",
		(long)unwanted);
	execute("UPDATE monitors SET url = 'https://www.example.com/'");
	assert_int_equal(check_domains_store(db, HOLDER, &row, 1, &error), E_CONFLICT);
	take_lease();
	assert_ok(check_domains_store(db, HOLDER, &row, 1, &error));
	assert_ok(check_domains_read(db, 0, &scratch, &list, &error));
	assert_int_equal(list.count, 1);
	assert_int_equal(list.rows[0].monitor_id, id);
	assert_int_equal(list.rows[0].type, CHECK_HTTP);
	assert_string_equal(list.rows[0].url, "https://www.example.com/");
	assert_string_equal(list.rows[0].name, "example.com");
	assert_int_equal(list.rows[0].expires_at.s, may(1).s);
	assert_int_equal(list.rows[0].checked_at.s, may(2).s);
	assert_int_equal(list.rows[0].asked_at.s, may(3).s);
	assert_ok(check_domains_read(db, id, &scratch, &list, &error));
	assert_int_equal(list.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(a_certificate_is_told_once_for_each_alert),
		DATABASE_TEST(a_domain_is_told_beside_the_certificate),
		DATABASE_TEST(nothing_is_told_of_monitors_that_are_not_checked),
		DATABASE_TEST(another_issuer_is_told_if_wanted),
		DATABASE_TEST(what_was_told_is_stored_with_the_event),
		DATABASE_TEST(many_are_told_by_few_statements),
		DATABASE_TEST(domains_are_stored_and_read),
	};
	return RUN_ON_DATABASE(tests);
}
