#include "integration/lib/database.h"

#include "domain/incident/incident.h"
#include "store/monitor/monitor.h"
#include "store/monitor/monitor_uptime.h"

/* The start of 2026-03-31. */
static struct instant now(void)
{
	return at(31, 0);
}

static int64_t known_monitor(int64_t account, const char *name, const char *since)
{
	int64_t id = add_monitor(account, name);
	execute("UPDATE monitors SET known_since = '%s' WHERE id = %ld", since, (long)id);
	return id;
}

static void add_outage(int64_t monitor, const char *from, const char *to)
{
	execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, ended_at, "
		"created_at, updated_at) SELECT account_id, id, 'x', '%s', '%s', NOW(), NOW() "
		"FROM monitors WHERE id = %ld",
		from, to, (long)monitor);
}

/* "100.00 99.40 99.86 99.95" */
static const char *uptimes_of(const struct monitor *monitor)
{
	const struct percent *all[] = { &monitor->uptime_1d, &monitor->uptime_7d,
					&monitor->uptime_30d, &monitor->uptime_90d };
	const char *text = "";
	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		text = !all[i]->is_known ? arena_printf(&arena, "%s -", text)
					 : arena_printf(&arena, "%s %lld.%02lld", text,
							(long long)all[i]->hundredths / 100,
							(long long)all[i]->hundredths % 100);
	return text + 1;
}

static struct monitor read_monitor(int64_t id)
{
	struct monitor monitor;
	assert_ok(monitor_find(db, 0, id, now(), &arena, &monitor, &error));
	assert_string_equal(uptimes_of(&monitor), "- - - -");
	assert_ok(monitor_read_uptimes(db, &monitor, 1, now(), &error));
	return monitor;
}

static void assert_uptimes(int64_t id, const char *expected)
{
	const struct monitor monitor = read_monitor(id);
	assert_string_equal(uptimes_of(&monitor), expected);
}

static void the_last_days_end_now(void **state)
{
	(void)state;
	int64_t account = add_account("one");
	int64_t web = known_monitor(account, "web", "2025-12-01");
	assert_uptimes(web, "100.00 100.00 100.00 100.00");
	/* Six hours of the last day, twelve of the last week, a day of the last 90. */
	add_outage(web, "2026-03-30 12:00:00", "2026-03-30 18:00:00");
	assert_uptimes(web, "75.00 96.42 99.16 99.72");
	add_outage(web, "2026-03-25 00:00:00", "2026-03-25 06:00:00");
	add_outage(web, "2026-01-20 00:00:00", "2026-01-20 12:00:00");
	assert_uptimes(web, "75.00 92.85 98.33 98.88");
	/* Of an outage that began earlier, the hours in the last 90 days count: two of 2,160. */
	int64_t mail = known_monitor(account, "mail", "2025-12-01");
	add_outage(mail, "2025-12-20 00:00:00", "2025-12-31 02:00:00");
	assert_uptimes(mail, "100.00 100.00 100.00 99.90");
}

static void an_open_outage_counts_until_now(void **state)
{
	(void)state;
	int64_t web = known_monitor(add_account("one"), "web", "2025-12-01");
	execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, created_at, "
		"updated_at) SELECT account_id, id, 'x', '2026-03-30 21:00:00', NOW(), NOW() "
		"FROM monitors WHERE id = %ld",
		(long)web);
	assert_uptimes(web, "87.50 98.21 99.58 99.86");
}

static void time_before_the_record_does_not_count(void **state)
{
	(void)state;
	int64_t account = add_account("one");
	int64_t web = known_monitor(account, "web", "2026-03-30 12:00:00");
	add_outage(web, "2026-03-30 12:00:00", "2026-03-30 18:00:00");
	assert_uptimes(web, "50.00 50.00 50.00 50.00");
	assert_uptimes(add_monitor(account, "never seen"), "- - - -");
	execute("UPDATE monitors SET retired_at = '2026-03-30 20:00:00' WHERE id = %ld", (long)web);
	assert_uptimes(web, "- - - -");
}

static void add_gap(int64_t monitor, const char *from, const char *to)
{
	execute("INSERT INTO monitor_gaps (monitor_id, started_at, ended_at, ends_at) "
		"VALUES (%ld, '%s', %s, COALESCE(%s, '9999-12-31'))",
		(long)monitor, from, to, to);
}

/* Six hours of downtime in the last day, of which only some hours were observed. */
static void time_in_a_gap_does_not_count(void **state)
{
	(void)state;
	int64_t account = add_account("one");
	int64_t web = known_monitor(account, "web", "2025-12-01");
	add_outage(web, "2026-03-30 12:00:00", "2026-03-30 18:00:00");
	struct monitor monitor = read_monitor(web);
	uint64_t before = db_queries(db);
	assert_ok(monitor_read_uptimes(db, &monitor, 1, now(), &error));
	uint64_t cost = db_queries(db) - before;
	/* Of the 24 hours twelve are left. */
	add_gap(web, "2026-03-30 00:00:00", "'2026-03-30 12:00:00'");
	/* Older than 90 days. */
	add_gap(web, "2025-12-02 00:00:00", "'2025-12-30 23:00:00'");
	assert_uptimes(web, "50.00 96.15 99.15 99.72");
	monitor = read_monitor(web);
	before = db_queries(db);
	assert_ok(monitor_read_uptimes(db, &monitor, 1, now(), &error));
	assert_int_equal(db_queries(db) - before, cost + 1);
	/* The gap is as long as the outage: the outage wins. */
	add_gap(web, "2026-03-30 12:00:00", "'2026-03-30 18:00:00'");
	assert_uptimes(web, "50.00 96.15 99.15 99.72");
	/* Wholly unobserved since the day before yesterday, and for months. */
	int64_t mail = known_monitor(account, "mail", "2025-12-01");
	add_gap(mail, "2026-03-29 00:00:00", "NULL");
	assert_uptimes(mail, "- 100.00 100.00 100.00");
	int64_t old = known_monitor(account, "old", "2025-06-01");
	add_gap(old, "2025-07-01 00:00:00", "NULL");
	assert_uptimes(old, "- - - -");
}

static void what_is_excluded_does_not_count(void **state)
{
	(void)state;
	int64_t web = known_monitor(add_account("one"), "web", "2025-12-01");
	add_outage(web, "2026-03-30 12:00:00", "2026-03-30 18:00:00");
	execute("UPDATE incidents SET exclude_from_uptime = 1");
	assert_uptimes(web, "100.00 100.00 100.00 100.00");
	execute("UPDATE incidents SET exclude_from_uptime = 0, impact = %d",
		INCIDENT_PARTIAL_OUTAGE);
	assert_uptimes(web, "100.00 100.00 100.00 100.00");
}

static void each_monitor_has_its_own(void **state)
{
	(void)state;
	int64_t account = add_account("one");
	struct monitor monitors[3];
	int64_t ids[] = { known_monitor(account, "c", "2025-12-01"), add_monitor(account, "b"),
			  known_monitor(account, "a", "2025-12-01") };
	add_outage(ids[2], "2026-03-30 12:00:00", "2026-03-30 18:00:00");
	/* In another order than that of the ids. */
	for (size_t i = 0; i < 3; i++)
		assert_ok(monitor_find(db, 0, ids[2 - i], now(), &arena, &monitors[i], &error));
	assert_ok(monitor_read_uptimes(db, monitors, 3, now(), &error));
	assert_string_equal(uptimes_of(&monitors[0]), "75.00 96.42 99.16 99.72");
	assert_string_equal(uptimes_of(&monitors[1]), "- - - -");
	assert_string_equal(uptimes_of(&monitors[2]), "100.00 100.00 100.00 100.00");
	assert_ok(monitor_read_uptimes(db, NULL, 0, now(), &error));
}

static void too_many_incidents_leave_it_unknown(void **state)
{
	(void)state;
	int64_t web = known_monitor(add_account("one"), "web", "2025-12-01");
	execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, ended_at, "
		"created_at, updated_at) SELECT account_id, id, 'x', "
		"'2026-02-01' + INTERVAL seq MINUTE, '2026-02-01' + INTERVAL seq * 60 + 6 SECOND, "
		"NOW(), NOW() FROM monitors JOIN seq_1_to_%d WHERE id = %ld",
		MONITOR_UPTIME_INCIDENTS_MAX, (long)web);
	/* 120,000 of 7,776,000 seconds. */
	assert_uptimes(web, "100.00 100.00 100.00 98.45");
	add_outage(web, "2026-03-30 12:00:00", "2026-03-30 18:00:00");
	assert_uptimes(web, "- - - -");
	/* What is older than 90 days is not read. */
	execute("UPDATE incidents SET started_at = started_at - INTERVAL 1 YEAR, "
		"ended_at = ended_at - INTERVAL 1 YEAR WHERE started_at < '2026-03-01'");
	assert_uptimes(web, "75.00 96.42 99.16 99.72");
}

int main(void)
{
	const struct CMUnitTest the_tests[] = {
		DATABASE_TEST(the_last_days_end_now),
		DATABASE_TEST(an_open_outage_counts_until_now),
		DATABASE_TEST(time_before_the_record_does_not_count),
		DATABASE_TEST(time_in_a_gap_does_not_count),
		DATABASE_TEST(what_is_excluded_does_not_count),
		DATABASE_TEST(each_monitor_has_its_own),
		DATABASE_TEST(too_many_incidents_leave_it_unknown),
	};
	return RUN_ON_DATABASE(the_tests);
}
