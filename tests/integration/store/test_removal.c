#include "integration/lib/database.h"

#include "store/account/removal.h"
#include "store/check/check_settings_store.h"

enum { ROUNDS_MAX = 1000 };

/* The tables that have rows of accounts, as they are counted below. */
static const char *const tables[] = {
	"accounts",
	"account_usage",
	"api_keys",
	"monitors",
	"incidents",
	"incident_counts",
	"report_counts",
	"incident_sources",
	"incident_imports",
	"idempotency_keys",
	"events",
	"event_counts",
	"outbox",
	"alert_channels",
	"monitor_channels",
	"deliveries",
	"pending_updates",
	"incident_updates",
	"incident_monitors",
	"incident_pages",
	"status_pages",
	"status_page_files",
	"page_links",
	"subscribers",
	"subscriber_monitors",
	"incident_months",
	"monitor_checks",
	"monitor_states",
	"monitor_hours",
	"monitor_days",
	"monitor_gaps",
	"check_signals",
	"check_locations",
	"status_page_monitors",
	"maintenances",
	"maintenance_monitors",
	"maintenance_occurrences",
	"maintenance_updates",
	"incident_templates",
	"incident_template_monitors",
	"users",
	"user_roles",
	"user_sessions",
};

/* A reported incident with an update, on a monitor and a page. */
static void add_report(int64_t account, int64_t monitor, int64_t page)
{
	long incident = (long)execute(
		"INSERT INTO incidents (account_id, cause, title, started_at, created_at, "
		"updated_at) VALUES (%ld, '', 't', NOW(), NOW(), NOW())",
		(long)account);
	execute("INSERT INTO report_counts (account_id, status, total) VALUES (%ld, 0, 1) "
		"ON DUPLICATE KEY UPDATE total = total + 1",
		(long)account);
	execute("INSERT INTO incident_updates (account_id, incident_id, phase, body, at) "
		"VALUES (%ld, %ld, 0, 'b', NOW())",
		(long)account, incident);
	execute("INSERT INTO pending_updates (account_id, kind, incident_id, request, author_type, "
		"author_id, author_label, created_at) VALUES (%ld, 1, %ld, '{}', 'user', 1, 'a', "
		"NOW())",
		(long)account, incident);
	execute("INSERT INTO incident_monitors (incident_id, position, account_id, monitor_id, "
		"impact, lesser_impact, has_outage, started_at) VALUES (%ld, 0, %ld, %ld, 3, 0, 1, "
		"NOW())",
		incident, (long)account, (long)monitor);
	execute("INSERT INTO incident_pages (status_page_id, month, incident_id, position, "
		"account_id, is_shown, revision, started_at, ends_at) VALUES (%ld, '2026-03-01', "
		"%ld, 0, %ld, 1, 1, NOW(), NOW())",
		(long)page, incident, (long)account);
}

/* A window of a monitor, with an occurrence and an update. */
static void add_maintenance(int64_t account, int64_t monitor)
{
	long window = (long)execute(
		"INSERT INTO maintenances (account_id, title, starts_at, duration, "
		"auto_transition, remind_before, first_at, over_at, created_at, updated_at) "
		"VALUES (%ld, 't', '', 0, 1, 0, NOW(), NOW(), NOW(), NOW())",
		(long)account);
	execute("INSERT INTO maintenance_monitors (maintenance_id, monitor_id, position) "
		"VALUES (%ld, %ld, 1)",
		window, (long)monitor);
	long occurrence = (long)execute(
		"INSERT INTO maintenance_occurrences (maintenance_id, starts_at, ends_at, status, "
		"is_dropped, is_reminded, created_at, updated_at) "
		"VALUES (%ld, NOW(), NOW(), 0, 0, 0, NOW(), NOW())",
		window);
	execute("INSERT INTO maintenance_updates (maintenance_id, occurrence_id, phase, body, at) "
		"VALUES (%ld, %ld, 4, 'b', NOW())",
		window, occurrence);
}

static void add_template(int64_t account, int64_t monitor)
{
	execute("INSERT INTO incident_template_monitors (template_id, monitor_id) "
		"VALUES (%ld, %ld)",
		(long)execute("INSERT INTO incident_templates (account_id, name, title, phase, "
			      "impact, created_at, updated_at) "
			      "VALUES (%ld, 'n%ld', 't', 0, 0, NOW(), NOW())",
			      (long)account, (long)monitor),
		(long)monitor);
}

/* A channel of a monitor, with a message of an event. */
static void add_channel_rows(long account, long monitor, long event)
{
	long channel = (long)execute(
		"INSERT INTO alert_channels (account_id, name, type, address, sealed_value, "
		"is_enabled, takes_all_monitors, delay, reminder, created_at, updated_at) "
		"VALUES (%ld, 'n', 0, 'a', 's', 1, 0, 0, 0, NOW(), NOW())",
		account);
	execute("INSERT INTO monitor_channels (monitor_id, channel_id) VALUES (%ld, %ld)", monitor,
		channel);
	execute("INSERT INTO deliveries (account_id, outbox_id, channel_id, event, kind, "
		"object_id, state, created_at, due_at, first_due_at) "
		"VALUES (%ld, %ld, %ld, 0, 'incident.opened', 1, 0, NOW(), NOW(), NOW())",
		account, event, channel);
}

/* Two subscribers of a page, with a message each. */
static void add_subscribers(int64_t account, int64_t page, int64_t monitor)
{
	execute("INSERT INTO subscribers (account_id, page_id, type, address, address_hash, "
		"takes_all, created_at) VALUES (%1$ld, %2$ld, 0, 'a', 'a', 0, NOW()), "
		"(%1$ld, %2$ld, 1, 'b', 'b', 0, NOW())",
		(long)account, (long)page);
	execute("INSERT INTO subscriber_monitors (subscriber_id, monitor_id) "
		"SELECT id, %ld FROM subscribers WHERE page_id = %ld",
		(long)monitor, (long)page);
	execute("INSERT INTO deliveries (account_id, subscriber_id, lane, event, kind, object_id, "
		"state, created_at, due_at, first_due_at) SELECT account_id, id, 1, 3, "
		"'subscriber.asked', id, 0, NOW(), NOW(), NOW() FROM subscribers WHERE page_id = "
		"%ld",
		(long)page);
}

static void add_page_rows(int64_t page, int64_t monitor)
{
	show_monitor(page, monitor, 1);
	execute("INSERT INTO page_links (page_id, label, actor_type, actor_id, actor_label, "
		"created_at, expires_at) VALUES (%ld, '', 'key', 1, '', NOW(), NOW())",
		(long)page);
	execute("INSERT INTO status_page_files (status_page_id, kind, name, bytes) "
		"VALUES (%1$ld, 'logo', 'l', 'x'), (%1$ld, 'favicon', 'f', 'x')",
		(long)page);
}

/* What the checker stores of a monitor. */
static void add_checked_rows(int64_t monitor)
{
	execute("INSERT INTO monitor_states (monitor_id, phase, failures, successes, is_slow, "
		"changes, is_flapping, response_ms) VALUES (%ld, 1, 0, 0, 0, 0, 0, 0)",
		(long)monitor);
	execute("INSERT INTO monitor_hours VALUES (%1$ld, '2026-03-01 00:00:00', 1, 1, 1, 1, 1), "
		"(%1$ld, '2026-03-14 23:00:00', 1, 1, 1, 1, 1)",
		(long)monitor);
	execute("INSERT INTO monitor_days VALUES (%1$ld, '2025-03-01', 1, 1, 1, 1, 1), "
		"(%1$ld, '2026-03-14', 1, 1, 1, 1, 1)",
		(long)monitor);
	execute("INSERT INTO monitor_gaps (monitor_id, started_at) VALUES (%ld, NOW())",
		(long)monitor);
	execute("INSERT INTO check_signals (monitor_id, kind, value, at) VALUES (%ld, 1, 0, NOW())",
		(long)monitor);
}

/* An account with rows in each table: two monitors, and two pages with two files each. */
static int64_t full_account(const char *name)
{
	int64_t id = add_account(name);
	long account = (long)id;
	for (int i = 0; i < 2; i++) {
		int64_t monitor = add_monitor(id, "web");
		int64_t page = add_page(id, arena_printf(&arena, "%s-%d", name, i));
		add_page_rows(page, monitor);
		add_subscribers(id, page, monitor);
		add_report(id, monitor, page);
		add_maintenance(id, monitor);
		add_template(id, monitor);
		execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, "
			"ended_at, created_at, updated_at) SELECT %ld, %ld, 'c', "
			"'2026-01-01 00:00:00', '2026-01-01 01:00:00', NOW(), NOW() FROM "
			"(SELECT 1 UNION SELECT 2 UNION SELECT 3) three",
			account, (long)monitor);
		execute("INSERT INTO incident_counts (monitor_id, status, account_id, total) "
			"VALUES (%ld, 2, %ld, 3)",
			(long)monitor, account);
		struct monitor checked = { .account_id = id,
					   .id = monitor,
					   .updated_at = at(1, 0) };
		assert_committed(check_settings_put(db, &checked, &arena, &error));
		add_checked_rows(monitor);
		execute("INSERT INTO incident_months (monitor_id, month, revision) "
			"VALUES (%ld, '2026-01-01', 1)",
			(long)monitor);
	}
	execute("INSERT INTO check_locations (id, account_id, name) VALUES (%1$ld, %1$ld, 'l')",
		account);
	execute("INSERT INTO api_keys (account_id, key_hash, label, created_at) "
		"VALUES (%ld, UNHEX(SHA2('%s', 256)), 'k', NOW())",
		account, name);
	long event = (long)execute(
		"INSERT INTO outbox (account_id, kind, object_id, at, payload, due_at) "
		"VALUES (%ld, 'incident.opened', 1, NOW(), '{}', NOW())",
		account);
	long monitor =
		(long)select_number("SELECT MAX(id) FROM monitors WHERE account_id = %ld", account);
	add_channel_rows(account, monitor, event);
	execute("INSERT INTO incident_sources (account_id, source, incident_id) VALUES (%ld, 's', "
		"1)",
		account);
	execute("INSERT INTO incident_imports (account_id, file_hash, lines_done, updated_at) "
		"VALUES (%ld, UNHEX(SHA2('f', 256)), 1, NOW())",
		account);
	execute("INSERT INTO idempotency_keys (account_id, key_hash, request_hash, created_at) "
		"VALUES (%ld, 'k', 'r', NOW())",
		account);
	long user =
		(long)execute("INSERT INTO users (name, created_at) VALUES ('%s', NOW())", name);
	execute("INSERT INTO user_roles (account_id, user_id, role) VALUES (%ld, %ld, 3)", account,
		user);
	execute("INSERT INTO user_sessions (token_hash, account_id, user_id, created_at, used_at) "
		"VALUES (UNHEX(SHA2('%s', 256)), %ld, %ld, NOW(), NOW())",
		name, account, user);
	execute("INSERT INTO events (account_id, kind, object, object_id, actor_type, actor_label, "
		"at) VALUES (%ld, 'key.created', 'key', 1, 'operator', 'l', NOW())",
		account);
	execute("INSERT INTO event_counts (account_id, object_id, what, span, start, total) "
		"VALUES (%ld, 0, '', 'all', '1970-01-01', 1)",
		account);
	return id;
}

static const char *counts(void)
{
	const char *text = "";
	for (size_t i = 0; i < ARRAY_LEN(tables); i++)
		text = arena_printf(&arena, "%s%s=%s ", text, tables[i],
				    select_text("SELECT COUNT(*) FROM %s", tables[i]));
	return text;
}

static void a_marked_account_is_found_until_it_is_removed(void **state)
{
	int64_t found = 0;
	(void)state;
	int64_t one = add_account("one"), two = add_account("two");
	add_account("kept");
	assert_result(E_NOT_FOUND, removal_next(db, 0, &arena, &found, &error));
	assert_committed(removal_mark(db, two, at(5, 0), &error));
	assert_committed(removal_mark(db, one, at(6, 0), &error));
	assert_committed(removal_mark(db, one, at(1, 0), &error));
	assert_rows("one|2026-03-06 00:00:00\ntwo|2026-03-05 00:00:00\nkept|-",
		    "SELECT name, removed_at FROM accounts ORDER BY id");
	assert_ok(removal_next(db, 0, &arena, &found, &error));
	assert_int_equal(found, one);
	assert_ok(removal_next(db, one, &arena, &found, &error));
	assert_int_equal(found, two);
	assert_result(E_NOT_FOUND, removal_next(db, two, &arena, &found, &error));
	assert_transaction(E_NOT_FOUND, removal_mark(db, 999999999, at(5, 0), &error));
}

/* The number of rows that statements have deleted, without those of a cascade. */
static int64_t remove_all(int64_t account)
{
	struct removal removal = { .account_id = account };
	for (int i = 0; !removal.is_done && i < ROUNDS_MAX; i++)
		assert_ok(removal_account_some(db, &removal, &error));
	assert_true(removal.is_done);
	return removal.deleted;
}

static int64_t count_rows(void)
{
	int64_t total = 0;
	for (size_t i = 0; i < ARRAY_LEN(tables); i++)
		total += select_number("SELECT COUNT(*) FROM %s", tables[i]);
	return total;
}

static void a_removed_account_takes_its_own_rows_and_no_others(void **state)
{
	(void)state;
	full_account("kept");
	int64_t gone = full_account("gone");
	const char *two_accounts = counts();
	full_account("later");
	int64_t rows = count_rows() / 3;
	assert_committed(removal_mark(db, gone, at(5, 0), &error));
	/* All but the account itself: no row is left to a foreign key. */
	assert_int_equal(remove_all(gone), rows - 1);
	assert_string_equal(counts(), two_accounts);
	assert_rows("kept\nlater", "SELECT name FROM accounts ORDER BY id");
}

static void each_table_of_an_account_is_removed(void **state)
{
	(void)state;
	const char *list = "''";
	for (size_t i = 0; i < ARRAY_LEN(tables); i++)
		list = arena_printf(&arena, "%s, '%s'", list, tables[i]);
	/* page_revisions tells followers of the deletion, and is forgotten later. */
	assert_rows("page_revisions",
		    "SELECT table_name FROM information_schema.columns "
		    "WHERE table_schema = DATABASE() AND column_name = 'account_id' "
		    "AND table_name NOT IN (%s) ORDER BY table_name",
		    list);
}

static void an_account_that_is_not_marked_stays(void **state)
{
	(void)state;
	int64_t account = add_account("one");
	remove_all(account);
	assert_rows("one", "SELECT name FROM accounts");
}

static void pages_are_removed_first(void **state)
{
	(void)state;
	int64_t account = full_account("one");
	struct removal removal = { .account_id = account };
	assert_committed(removal_mark(db, account, at(5, 0), &error));
	for (int i = 0; !removal.has_no_pages && i < ROUNDS_MAX; i++)
		assert_ok(removal_account_some(db, &removal, &error));
	assert_rows("0|0|0", "SELECT (SELECT COUNT(*) FROM status_pages), "
			     "(SELECT COUNT(*) FROM status_page_files), "
			     "(SELECT COUNT(*) FROM status_page_monitors)");
	assert_rows("2|8", "SELECT (SELECT COUNT(*) FROM monitors), "
			   "(SELECT COUNT(*) FROM incidents)");
	assert_false(removal.is_done);
	/* Another process goes on where this one was. */
	remove_all(account);
	assert_rows("0|0", "SELECT (SELECT COUNT(*) FROM accounts), "
			   "(SELECT COUNT(*) FROM incidents)");
}

/* `count` resolved incidents, an hour each. */
static void add_incidents(int64_t account, int64_t monitor, int count)
{
	execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, ended_at, "
		"created_at, updated_at) SELECT %ld, %ld, 'c', "
		"'2020-01-01' + INTERVAL seq DAY, '2020-01-01 01:00:00' + INTERVAL seq DAY, "
		"NOW(), NOW() FROM seq_1_to_%d",
		(long)account, (long)monitor, count);
}

static void steps_are_bounded(void **state)
{
	(void)state;
	int64_t account = add_account("one"), monitor = add_monitor(account, "web");
	add_incidents(account, monitor, 2 * REMOVAL_ROWS_MAX + 1);
	struct removal removal = { .account_id = account };
	assert_committed(removal_mark(db, account, at(5, 0), &error));
	int64_t left = 2 * REMOVAL_ROWS_MAX + 1;
	for (int i = 0; !removal.is_done && i < ROUNDS_MAX; i++) {
		assert_ok(removal_account_some(db, &removal, &error));
		int64_t now_left = select_number("SELECT COUNT(*) FROM incidents");
		assert_in_range(left - now_left, 0, REMOVAL_ROWS_MAX);
		left = now_left;
	}
	assert_int_equal(left, 0);
}

static void subscribers_are_removed_in_steps(void **state)
{
	enum { COUNT = 300 };
	int64_t left = COUNT;
	(void)state;
	int64_t account = add_account("one"), page = add_page(account, "one");
	int64_t monitor = add_monitor(account, "web");
	execute("INSERT INTO subscribers (account_id, page_id, type, address, address_hash, "
		"takes_all, created_at) SELECT %ld, %ld, 0, 'a', seq, 0, NOW() FROM seq_1_to_%d",
		(long)account, (long)page, COUNT);
	execute("INSERT INTO subscriber_monitors (subscriber_id, monitor_id) "
		"SELECT id, %ld FROM subscribers",
		(long)monitor);
	struct removal removal = { .account_id = account };
	assert_committed(removal_mark(db, account, at(5, 0), &error));
	for (int i = 0; !removal.is_done && i < ROUNDS_MAX; i++) {
		assert_ok(removal_account_some(db, &removal, &error));
		int64_t now_left = select_number("SELECT COUNT(*) FROM subscribers");
		assert_in_range(left - now_left, 0, 64);
		/* The systems of a subscriber are never left to the foreign key. */
		assert_true(select_number("SELECT COUNT(*) FROM subscriber_monitors") <= now_left);
		left = now_left;
	}
	assert_int_equal(left, 0);
	/* With a page, a monitor, and six quotas. */
	assert_int_equal(2 * COUNT + 8, removal.deleted);
}

static void incidents_of_a_monitor_are_removed_with_their_counts(void **state)
{
	int64_t count = -1;
	(void)state;
	int64_t account = add_account("one"), web = add_monitor(account, "web"),
		mail = add_monitor(account, "mail");
	add_incidents(account, web, REMOVAL_INCIDENTS_MAX);
	add_incidents(account, mail, 2);
	execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, "
		"acknowledged_at, created_at, updated_at) VALUES "
		"(%1$ld, %2$ld, 'open', '2026-01-01', NULL, NOW(), NOW()), "
		"(%1$ld, %3$ld, 'ack', '2026-01-01', NOW(), NOW(), NOW())",
		(long)account, (long)web, (long)mail);
	execute("INSERT INTO incident_counts (monitor_id, status, account_id, total) "
		"SELECT monitor_id, status, account_id, COUNT(*) FROM incidents "
		"GROUP BY monitor_id, status, account_id");
	const char *kept = "mail|1|1\nmail|2|2";
	const char *query = "SELECT m.name, c.status, c.total FROM incident_counts c "
			    "JOIN monitors m ON m.id = c.monitor_id ORDER BY m.id, c.status";
	assert_committed(removal_incidents_some(db, web, &arena, &count, &error));
	assert_int_equal(count, REMOVAL_INCIDENTS_MAX);
	assert_rows(arena_printf(&arena, "web|0|1\nweb|2|0\n%s", kept), "%s", query);
	assert_committed(removal_incidents_some(db, web, &arena, &count, &error));
	assert_int_equal(count, 1);
	assert_rows(arena_printf(&arena, "web|0|0\nweb|2|0\n%s", kept), "%s", query);
	assert_committed(removal_incidents_some(db, web, &arena, &count, &error));
	assert_int_equal(count, 0);
	assert_rows("mail|3", "SELECT m.name, COUNT(*) FROM incidents i "
			      "JOIN monitors m ON m.id = i.monitor_id GROUP BY m.id");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(a_marked_account_is_found_until_it_is_removed),
		DATABASE_TEST(a_removed_account_takes_its_own_rows_and_no_others),
		DATABASE_TEST(each_table_of_an_account_is_removed),
		DATABASE_TEST(an_account_that_is_not_marked_stays),
		DATABASE_TEST(pages_are_removed_first),
		DATABASE_TEST(steps_are_bounded),
		DATABASE_TEST(subscribers_are_removed_in_steps),
		DATABASE_TEST(incidents_of_a_monitor_are_removed_with_their_counts),
	};
	return RUN_ON_DATABASE(tests);
}
