#include "integration/lib/database.h"

#include "base/secret.h"
#include "store/check/check_settings_store.h"
#include "store/monitor/monitor.h"

static const uint8_t key[SECRET_HASH_BYTES] = { 1, 2, 3 }, other_key[SECRET_HASH_BYTES] = { 4 };

static const char *seal(int64_t account, const char *text)
{
	return secret_seal(key, check_secret_owner(account, &arena), str_from(text), &arena);
}

/* A monitor whose settings have another value in each column. */
static struct monitor full_monitor(int64_t account)
{
	static struct check_header headers[3];
	struct monitor monitor = { .account_id = account,
				   .id = add_monitor(account, "full"),
				   .updated_at = at(3, 3),
				   .type = CHECK_HTTP,
				   .interval = 31,
				   .timeout = 12,
				   .confirmations = 3,
				   .recoveries = 4,
				   .slow_ms = 505,
				   .depends_on_id = 66,
				   .request_method = CHECK_OPTIONS,
				   .request_body = "{\"a\": 1}\n",
				   .request_auth_username = "user",
				   .cache_buster = true,
				   .expected_statuses = "200,401",
				   .follow_redirects = false,
				   .verify_tls = true,
				   .alert_condition = CHECK_JSON,
				   .alert_text_lookup = " look up ",
				   .json_path = "a.b",
				   .json_operator = CHECK_LESS,
				   .json_value = "7.5",
				   .tcp_send = "HELO\\r\\n",
				   .tcp_expect = "220",
				   .dns_type = CHECK_PTR,
				   .dns_server = "192.0.2.53",
				   .dns_expected = "mail.example",
				   .ssl_alert_days = 30,
				   .domain_alert_days = 7,
				   .issuer_alert = true,
				   .period = 3600,
				   .grace = 120,
				   .locations = "a, b",
				   .quorum = 2 };
	headers[0] = (struct check_header){ "Accept", "text/html: \xc3\xa9", NULL };
	headers[1] = (struct check_header){ "Authorization", NULL, seal(account, "Bearer one") };
	headers[2] = (struct check_header){ "X-Last", "=a:b", NULL };
	monitor.request_headers = (struct field_rows){ headers, 3 };
	monitor.sealed_password = seal(account, "pass word");
	monitor.has_request_auth_password = true;
	return monitor;
}

static void each_setting_has_its_column(void **state)
{
	(void)state;
	struct monitor monitor = full_monitor(add_account("one"));
	assert_committed(check_settings_put(db, &monitor, &arena, &error));
	assert_rows(
		"1|31|12|3|4|505|66|6|user|1|200,401|0|1|3| look up |a.b|2|7.5|HELO\\r\\n|220|9|"
		"192.0.2.53|mail.example|30|7|1|3600|120|a, b|2|2026-03-03 03:00:00",
		"SELECT type, `interval`, timeout, confirmations, recoveries, slow_ms, "
		"depends_on_id, request_method, request_auth_username, cache_buster, "
		"expected_statuses, follow_redirects, verify_tls, alert_condition, "
		"alert_text_lookup, json_path, json_operator, json_value, tcp_send, tcp_expect, "
		"dns_type, dns_server, dns_expected, ssl_alert_days, domain_alert_days, "
		"issuer_alert, period, grace, locations, quorum, changed_at FROM monitor_checks "
		"WHERE monitor_id = %ld "
		"AND account_id = %ld AND request_body = '{\"a\": 1}\n'",
		(long)monitor.id, (long)monitor.account_id);
	assert_rows("0", "SELECT COUNT(*) FROM monitor_checks WHERE "
			 "CONCAT(request_headers, request_auth_password) REGEXP 'Bearer|pass'");
	monitor.interval = 32;
	monitor.tcp_send = NULL;
	monitor.request_headers.count = 0;
	monitor.sealed_password = NULL;
	assert_committed(check_settings_put(db, &monitor, &arena, &error));
	assert_rows("32|-|-|-|12", "SELECT `interval`, tcp_send, request_headers, "
				   "request_auth_password, timeout FROM monitor_checks");
}

static void check_read(const struct monitor *found, const struct monitor *stored)
{
	assert_true(field_set_is_empty(
		fields_differing(monitor_update_fields, FIELD_SET_ALL,
				 (struct fields){ monitor_fields.rows + 10, 33 }, found, stored)));
	const struct check_header *headers = found->request_headers.rows;
	assert_int_equal(found->request_headers.count, 3);
	assert_string_equal(headers[0].value, "text/html: \xc3\xa9");
	assert_null(headers[0].sealed);
	assert_string_equal(headers[1].key, "Authorization");
	assert_null(headers[1].value);
	assert_non_null(headers[1].sealed);
	assert_string_equal(headers[2].value, "=a:b");
	assert_string_equal(found->sealed_password, stored->sealed_password);
}

/* A monitor is read with its settings by the statement that reads the monitor. */
static void a_monitor_has_its_settings_or_the_defaults(void **state)
{
	(void)state;
	int64_t account = add_account("one"), plain = add_monitor(account, "plain");
	struct monitor stored = full_monitor(account), found;
	struct monitor_list list;
	struct monitor_page page;
	const struct monitor_query query = { .list = { .account_id = account, .limit = 10 },
					     .state = MONITOR_ANY_STATE };
	assert_committed(check_settings_put(db, &stored, &arena, &error));
	uint64_t before = db_queries(db);
	assert_ok(monitor_find(db, account, stored.id, at(5, 1), &arena, &found, &error));
	check_read(&found, &stored);
	assert_ok(monitor_list(db, account, 0, at(5, 1), &arena, &list, &error));
	check_read(&list.rows[1], &stored);
	assert_ok(monitor_list_page(db, &query, &arena, &page, &error));
	check_read(&page.rows[0], &stored);
	assert_int_equal(db_queries(db) - before, 3);
	const struct monitor *bare[] = { &list.rows[0], &page.rows[1], &found };
	assert_ok(monitor_find(db, account, plain, at(5, 1), &arena, &found, &error));
	for (size_t i = 0; i < ARRAY_LEN(bare); i++) {
		assert_int_equal(bare[i]->id, plain);
		assert_int_equal(bare[i]->type, CHECK_EXTERNAL);
		assert_int_equal(bare[i]->interval, 60);
		assert_int_equal(bare[i]->timeout, 10);
		assert_int_equal(bare[i]->confirmations, 2);
		assert_int_equal(bare[i]->recoveries, 1);
		assert_true(bare[i]->follow_redirects && bare[i]->verify_tls);
		assert_int_equal(bare[i]->ssl_alert_days, 14);
		assert_int_equal(bare[i]->grace, 60);
		assert_null(bare[i]->expected_statuses);
	}
}

static void the_checker_reads_checked_monitors_decrypted(void **state)
{
	(void)state;
	int64_t one = add_account("one"), gone = add_account("gone");
	struct monitor stored = full_monitor(one);
	struct stored_check_list list;
	assert_committed(check_settings_put(db, &stored, &arena, &error));
	execute("UPDATE monitors SET url = 'https://full.example/', is_paused = 1, "
		"updated_at = '2026-03-02 00:00:00' WHERE id = %ld",
		(long)stored.id);
	const char *others[] = { "external", "retired", "removed" };
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		struct monitor other = stored;
		other.id = add_monitor(one, others[i]);
		other.type = i == 0 ? CHECK_EXTERNAL : CHECK_TCP;
		assert_committed(check_settings_put(db, &other, &arena, &error));
		if (i > 0)
			execute("UPDATE monitors SET %s_at = NOW() WHERE id = %ld", others[i],
				(long)other.id);
	}
	stored.account_id = gone;
	stored.id = add_monitor(gone, "gone");
	assert_committed(check_settings_put(db, &stored, &arena, &error));
	execute("UPDATE accounts SET removed_at = NOW() WHERE id = %ld", (long)gone);
	uint64_t before = db_queries(db);
	assert_ok(stored_checks_read(db, key, &(struct check_range){ .after_id = 0, .most = 1000 },
				     &arena, &list, &error));
	assert_int_equal(db_queries(db) - before, 1);
	assert_int_equal(list.count, 1);
	const struct stored_check *row = &list.rows[0];
	const struct check_header *headers = row->settings.request_headers.rows;
	assert_string_equal(row->name, "full");
	assert_int_equal(row->account_id, one);
	assert_true(row->is_paused);
	assert_string_equal(row->settings.url, "https://full.example/");
	assert_int_equal(row->settings.interval, 31);
	assert_int_equal(row->settings.grace, 120);
	assert_string_equal(row->settings.request_auth_password, "pass word");
	assert_string_equal(headers[1].value, "Bearer one");
	assert_string_equal(headers[2].value, "=a:b");
	assert_false(row->settings.has_lost_secrets);
	assert_ok(stored_checks_read(db, key,
				     &(struct check_range){ .after_id = row->id, .most = 1000 },
				     &arena, &list, &error));
	assert_int_equal(list.count, 0);
}

static void secrets_of_another_key_are_lost_and_not_wrong(void **state)
{
	(void)state;
	const uint8_t *const keys[] = { other_key, NULL };
	struct monitor stored = full_monitor(add_account("one"));
	struct stored_check_list list;
	assert_committed(check_settings_put(db, &stored, &arena, &error));
	for (size_t i = 0; i <= ARRAY_LEN(keys); i++) {
		/* The last time the secret is of another account. */
		if (i == ARRAY_LEN(keys))
			execute("UPDATE monitors SET account_id = %ld", (long)add_account("other"));
		assert_ok(stored_checks_read(db, i < ARRAY_LEN(keys) ? keys[i] : key,
					     &(struct check_range){ .after_id = 0, .most = 1000 },
					     &arena, &list, &error));
		const struct check_settings *settings = &list.rows[0].settings;
		const struct check_header *headers = settings->request_headers.rows;
		assert_true(settings->has_lost_secrets);
		assert_null(settings->request_auth_password);
		assert_null(headers[1].value);
		assert_string_equal(headers[0].value, "text/html: \xc3\xa9");
	}
	stored.sealed_password = NULL;
	stored.request_headers.count = 1;
	assert_committed(check_settings_put(db, &stored, &arena, &error));
	assert_ok(stored_checks_read(db, NULL, &(struct check_range){ .after_id = 0, .most = 1000 },
				     &arena, &list, &error));
	assert_false(list.rows[0].settings.has_lost_secrets);
}

static int64_t add_dependent(int64_t account, const char *name, int64_t depends_on_id)
{
	struct monitor monitor = { .account_id = account,
				   .id = add_monitor(account, name),
				   .depends_on_id = depends_on_id,
				   .updated_at = at(1, 1) };
	assert_committed(check_settings_put(db, &monitor, &arena, &error));
	return monitor.id;
}

static void a_dependency_is_right_unknown_or_a_circle(void **state)
{
	(void)state;
	int64_t one = add_account("one"), two = add_account("two");
	int64_t root = add_monitor(one, "root"), theirs = add_monitor(two, "theirs");
	int64_t retired = add_monitor(one, "retired"), removed = add_monitor(one, "removed");
	int64_t middle = add_dependent(one, "middle", root);
	int64_t leaf = add_dependent(one, "leaf", middle), free_one = add_monitor(one, "free");
	int64_t own = add_dependent(one, "own", 0), other_leaf = add_dependent(one, "l2", middle);
	execute("UPDATE monitor_checks SET depends_on_id = monitor_id WHERE monitor_id = %ld",
		(long)own);
	execute("UPDATE monitors SET retired_at = NOW() WHERE id = %ld", (long)retired);
	execute("UPDATE monitors SET removed_at = NOW() WHERE id = %ld", (long)removed);
	const struct {
		int64_t id;
		enum check_dependency_state state;
	} rows[] = {
		{ root, DEPENDENCY_RIGHT },
		{ middle, DEPENDENCY_RIGHT },
		{ leaf, DEPENDENCY_RIGHT },
		{ free_one, DEPENDENCY_RIGHT },
		{ own, DEPENDENCY_CIRCLE },
		{ add_dependent(one, "to theirs", theirs), DEPENDENCY_UNKNOWN },
		{ add_dependent(one, "to retired", retired), DEPENDENCY_UNKNOWN },
		{ add_dependent(one, "to removed", removed), DEPENDENCY_UNKNOWN },
		{ add_dependent(one, "to nothing", 999999), DEPENDENCY_UNKNOWN },
		{ add_dependent(one, "to circle", own), DEPENDENCY_RIGHT },
	};
	struct check_dependencies list;
	uint64_t before = db_queries(db);
	assert_ok(check_dependencies_read(db, one, &arena, &list, &error));
	assert_int_equal(db_queries(db) - before, 1);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(check_dependency_state(&list, rows[i].id), rows[i].state);
	struct monitor closing = {
		.account_id = one, .id = root, .depends_on_id = leaf, .updated_at = at(1, 1)
	};
	assert_committed(check_settings_put(db, &closing, &arena, &error));
	assert_ok(check_dependencies_read(db, one, &arena, &list, &error));
	assert_int_equal(check_dependency_state(&list, root), DEPENDENCY_CIRCLE);
	assert_int_equal(check_dependency_state(&list, middle), DEPENDENCY_CIRCLE);
	assert_int_equal(check_dependency_state(&list, other_leaf), DEPENDENCY_RIGHT);
	assert_committed(check_dependency_clear(db, one, middle, at(4, 4), &error));
	assert_rows(arena_printf(&arena, "%ld|2026-03-04 04:00:00\n%ld|2026-03-04 04:00:00",
				 (long)leaf, (long)other_leaf),
		    "SELECT monitor_id, changed_at FROM monitor_checks "
		    "WHERE depends_on_id = 0 ORDER BY monitor_id");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(each_setting_has_its_column),
		DATABASE_TEST(a_monitor_has_its_settings_or_the_defaults),
		DATABASE_TEST(the_checker_reads_checked_monitors_decrypted),
		DATABASE_TEST(secrets_of_another_key_are_lost_and_not_wrong),
		DATABASE_TEST(a_dependency_is_right_unknown_or_a_circle),
	};
	return RUN_ON_DATABASE(tests);
}
