/* What the checker reads and writes. Each column has another value. */
#include "integration/lib/database.h"

#include "base/secret.h"
#include "store/account/removal.h"
#include "store/check/check_locations.h"
#include "store/check/check_store.h"
#include "store/monitor/monitor.h"

#define HOLDER "00112233445566aa"
#define OTHER  "ffeeddccbbaa9988"

enum { HOUR = 3600 };

static int64_t checked(int64_t account, const char *name)
{
	int64_t id = add_monitor(account, name);
	execute("INSERT INTO monitor_checks (monitor_id, account_id, type, `interval`, timeout, "
		"confirmations, recoveries, slow_ms, depends_on_id, request_method, cache_buster, "
		"follow_redirects, verify_tls, alert_condition, json_operator, dns_type, "
		"ssl_alert_days, domain_alert_days, period, grace, changed_at) VALUES (%ld, %ld, "
		"2, "
		"60, 7, 3, 2, 800, 0, 0, 0, 1, 1, 0, 0, 0, 14, 0, 0, 60, '2026-03-01 00:00:00')",
		(long)id, (long)account);
	return id;
}

static void take_lease(void)
{
	struct check_lease lease;
	assert_ok(check_lease_take(db, HOLDER, &lease, &error));
	assert_true(lease.is_held);
}

static struct check_record record_of(int64_t id)
{
	return (struct check_record){
		.monitor_id = id,
		.state = { .phase = CHECK_CONFIRMING,
			   .since = at(5, 1),
			   .checked_at = at(5, 2),
			   .failing_since = at(5, 3),
			   .well_since = at(5, 4),
			   .failures = 11,
			   .successes = 12,
			   .is_slow = true,
			   .changes = 13,
			   .changes_since = at(5, 5),
			   .is_flapping = false,
			   .response_ms = 14,
			   .cause = "The cause" },
		.hour = { at(5, 6), 21, 22, 23, 24, 25 },
		.tls_expires_at = at(5, 7),
		.tls_seen_at = at(5, 8),
		.tls_issuer = "The issuer",
	};
}

static enum result store(const struct check_record *rows, size_t count, bool is_over)
{
	struct checked_hour hours[2048];
	for (size_t i = 0; i < count; i++)
		hours[i] = (struct checked_hour){ rows[i].monitor_id, rows[i].hour, is_over };
	const struct check_batch batch = { rows, count, hours, count };
	return check_records_store(db, HOLDER, &batch, &error);
}

#define STATES \
	"SELECT phase, since, checked_at, failing_since, well_since, failures, successes, " \
	"is_slow, changes, changes_since, is_flapping, response_ms, cause, tls_expires_at, " \
	"tls_seen_at, tls_issuer, reported, reported_since, location_id FROM monitor_states"
#define HOURS \
	"SELECT hour, checks, failures, response_sum_ms, response_min_ms, response_max_ms " \
	"FROM monitor_hours ORDER BY monitor_id, hour"
#define DAYS \
	"SELECT day, checks, failures, response_sum_ms, response_min_ms, response_max_ms " \
	"FROM monitor_days ORDER BY monitor_id, day"
#define DAY "2026-03-05 "
#define STATE_TEXT \
	"2|" DAY "01:00:00|" DAY "02:00:00|" DAY "03:00:00|" DAY "04:00:00|11|12|1|13|" DAY \
	"05:00:00|0|14|The cause|" DAY "07:00:00|" DAY "08:00:00|The issuer|0|-|0"

static void records_are_stored_and_listed(void **state)
{
	(void)state;
	struct arena scratch CLEANUP(arena_done);
	struct checked_list list;
	int64_t account = add_account("one"), id = checked(account, "web");
	struct check_record record = record_of(id);
	arena_init(&scratch, 64 << 20);
	take_lease();
	assert_ok(store(&record, 1, false));
	assert_rows(STATE_TEXT, STATES);
	assert_rows(DAY "06:00:00|21|22|23|24|25", HOURS);
	assert_rows("", DAYS);
	assert_ok(store(&record, 1, false));
	assert_rows(STATE_TEXT, STATES);
	assert_rows(DAY "06:00:00|21|22|23|24|25", HOURS);
	/* What is unknown stays. */
	record.tls_expires_at.s = record.tls_seen_at.s = 0;
	record.tls_issuer[0] = '\0';
	assert_ok(store(&record, 1, false));
	assert_rows(STATE_TEXT, STATES);
	execute("INSERT INTO monitor_hours VALUES (%ld, '2026-03-04 23:00:00', 1, 1, 1, 1, 1)",
		(long)id);
	assert_ok(checked_list_read(db, NULL, &(struct check_range){ .after_id = 0, .most = 1000 },
				    &scratch, &list, &error));
	assert_int_equal(list.count, 1);
	const struct checked_monitor *row = &list.rows[0];
	assert_int_equal(row->id, id);
	assert_int_equal(row->account_id, account);
	assert_string_equal(row->name, "web");
	assert_false(row->is_known);
	assert_int_equal(row->settings.timeout, 7);
	assert_int_equal(row->settings.slow_ms, 800);
	assert_memory_equal(&row->hour, &record.hour, sizeof(record.hour));
	assert_int_equal(row->reported.kind, 0);
	/* What was read is what was stored. */
	record.state = row->state;
	execute("UPDATE monitor_states SET phase = 0, since = NULL, checked_at = NULL, "
		"failing_since = NULL, well_since = NULL, failures = 0, successes = 0, "
		"is_slow = 0, changes = 0, changes_since = NULL, is_flapping = 1, response_ms = 0, "
		"cause = NULL");
	assert_ok(store(&record, 1, false));
	assert_rows(STATE_TEXT, STATES);
}

static void a_report_stores_what_was_reported(void **state)
{
	(void)state;
	struct arena scratch CLEANUP(arena_done);
	struct checked_list list;
	int64_t id = checked(add_account("one"), "web");
	struct check_record record = record_of(id);
	const struct check_reported_state reported = { id,
						       &record.state,
						       { CHECK_REPORT_SLOW, at(5, 9) } };
	arena_init(&scratch, 64 << 20);
	take_lease();
	assert_ok(store(&record, 1, false));
	assert_committed(check_reported_store(db, &reported, 1, &error));
	assert_rows("2|2026-03-05 09:00:00|The issuer",
		    "SELECT reported, reported_since, tls_issuer FROM monitor_states");
	/* Records keep it. */
	assert_ok(store(&record, 1, false));
	assert_ok(checked_list_read(db, NULL, &(struct check_range){ .after_id = 0, .most = 1000 },
				    &scratch, &list, &error));
	assert_int_equal(list.rows[0].reported.kind, CHECK_REPORT_SLOW);
	assert_int_equal(list.rows[0].reported.since.s, at(5, 9).s);
}

static void a_list_is_read_in_pages_by_two_statements(void **state)
{
	(void)state;
	struct arena scratch CLEANUP(arena_done);
	struct checked_list list;
	int64_t account = add_account("one"), gone = add_account("gone");
	arena_init(&scratch, 256 << 20);
	checked(gone, "of a removed account");
	execute("UPDATE accounts SET removed_at = NOW() WHERE id = %ld", (long)gone);
	execute("UPDATE monitors SET retired_at = NOW() WHERE id = %ld",
		(long)checked(account, "retired"));
	execute("UPDATE monitor_checks SET type = 0 WHERE monitor_id = %ld",
		(long)checked(account, "external"));
	add_monitor(account, "without a row");
	execute("INSERT INTO monitors (account_id, name, is_paused, created_at, updated_at) "
		"SELECT %ld, CONCAT('m', seq), seq = 1005, NOW(), NOW() FROM seq_1_to_1005",
		(long)account);
	execute("INSERT INTO monitor_checks (monitor_id, account_id, type, `interval`, timeout, "
		"confirmations, recoveries, slow_ms, depends_on_id, request_method, cache_buster, "
		"follow_redirects, verify_tls, alert_condition, json_operator, dns_type, "
		"ssl_alert_days, domain_alert_days, period, grace, changed_at) SELECT id, "
		"account_id, 1, 60, 7, 3, 2, 0, 0, 0, 0, 1, 1, 0, 0, 0, 14, 0, 0, 60, NOW() "
		"FROM monitors WHERE name LIKE 'm%%'");
	uint64_t before = db_queries(db);
	assert_ok(checked_list_read(db, NULL, &(struct check_range){ .after_id = 0, .most = 1000 },
				    &scratch, &list, &error));
	assert_int_equal(db_queries(db) - before, 2);
	assert_int_equal(list.count, CHECKED_LIST_MAX);
	assert_string_equal(list.rows[0].name, "m1");
	assert_ok(checked_list_read(
		db, NULL, &(struct check_range){ .after_id = list.rows[999].id, .most = 1000 },
		&scratch, &list, &error));
	assert_int_equal(list.count, 5);
	assert_true(list.rows[4].is_paused);
	assert_false(list.rows[3].is_paused);
	assert_ok(checked_list_read(
		db, NULL, &(struct check_range){ .after_id = list.rows[4].id, .most = 1000 },
		&scratch, &list, &error));
	assert_int_equal(list.count, 0);
}

static void the_mark_shows_changes(void **state)
{
	(void)state;
	struct checked_mark marks[4];
	int64_t account = add_account("one"), id = checked(account, "web");
	assert_ok(checked_mark_read(db, &marks[0], &error));
	execute("UPDATE monitor_checks SET changed_at = '2026-03-01 00:00:01'");
	assert_ok(checked_mark_read(db, &marks[1], &error));
	assert_memory_not_equal(&marks[0], &marks[1], sizeof(marks[0]));
	checked(account, "mail");
	assert_ok(checked_mark_read(db, &marks[2], &error));
	assert_memory_not_equal(&marks[1], &marks[2], sizeof(marks[0]));
	execute("DELETE FROM monitors WHERE id = %ld", (long)id);
	assert_ok(checked_mark_read(db, &marks[3], &error));
	assert_memory_not_equal(&marks[2], &marks[3], sizeof(marks[0]));
}

static bool marks_differ(void)
{
	static struct checked_mark last;
	struct checked_mark mark;
	assert_ok(checked_mark_read(db, &mark, &error));
	bool differ = memcmp(&mark, &last, sizeof(mark)) != 0;
	last = mark;
	return differ;
}

/* Each operation on a monitor reaches the checker before its next whole list. */
static void operations_on_monitors_change_the_mark(void **state)
{
	(void)state;
	int64_t account = add_account("one"), id = checked(account, "web"), deleted;
	struct monitor monitor;
	bool is_done = false;
	(void)marks_differ();
	assert_false(marks_differ());
	assert_ok(monitor_find(db, account, id, at(5, 0), &arena, &monitor, &error));
	monitor.updated_at = at(5, 1);
	monitor.is_paused = true;
	assert_committed(monitor_update(db, &monitor, false, &error));
	assert_true(marks_differ());
	/* A clock that is behind changes nothing else. */
	monitor.updated_at = at(4, 1);
	assert_committed(monitor_update(db, &monitor, false, &error));
	assert_rows("2026-03-05 01:00:00", "SELECT changed_at FROM monitor_checks");
	assert_committed(monitor_retire(db, id, at(5, 2), &error));
	assert_true(marks_differ());
	assert_committed(monitor_detach(db, id, at(5, 3), &error));
	assert_true(marks_differ());
	execute("INSERT INTO monitor_hours VALUES (%ld, '2026-03-04 23:00:00', 1, 1, 1, 1, 1)",
		(long)id);
	execute("INSERT INTO monitor_gaps (monitor_id, started_at) SELECT %ld, '2026-03-04' + "
		"INTERVAL seq SECOND FROM seq_1_to_1500",
		(long)id);
	for (int i = 0; !is_done && i < 9; i++)
		assert_ok(removal_monitor_some(db, id, &is_done, &error));
	assert_true(is_done);
	assert_true(marks_differ());
	assert_rows("0|0|0", "SELECT (SELECT COUNT(*) FROM monitors), (SELECT COUNT(*) FROM "
			     "monitor_hours), (SELECT COUNT(*) FROM monitor_gaps)");
	/* A monitor that is not checked has no row to change. */
	id = add_monitor(account, "external");
	assert_ok(monitor_find(db, account, id, at(5, 0), &arena, &monitor, &error));
	monitor.name = "renamed";
	assert_committed(monitor_update(db, &monitor, false, &error));
	assert_rows("renamed", "SELECT name FROM monitors");
	assert_result(OK, check_sums_delete(db, &(struct id_list){ &id, 1 }, &deleted, &error));
}

static void deleted_monitors_and_large_numbers_spoil_no_batch(void **state)
{
	(void)state;
	int64_t account = add_account("one");
	struct check_record rows[3] = { record_of(checked(account, "a")),
					record_of(checked(account, "b")),
					record_of(checked(account, "c")) };
	take_lease();
	execute("DELETE FROM monitors WHERE id = %ld", (long)rows[1].monitor_id);
	rows[2].state.response_ms = INT64_C(31622400000);
	rows[2].hour.response_max_ms = INT64_C(31622400000);
	assert_ok(store(rows, 3, true));
	assert_rows("14\n2147483647", "SELECT response_ms FROM monitor_states "
				      "ORDER BY monitor_id");
	assert_rows("2", "SELECT COUNT(*) FROM monitor_hours");
}

static void a_day_is_made_of_its_hours(void **state)
{
	(void)state;
	int64_t id = checked(add_account("one"), "web");
	struct check_record record = record_of(id);
	take_lease();
	/* The last hour of a day, the first of the next, an hour without a success. */
	const struct checked_hour hours[] = {
		{ id, { at(5, 23), 60, 10, 5000, 90, 300 }, true },
		{ id, { at(6, 0), 60, 60, 0, 0, 0 }, true },
		{ id, { at(6, 1), 50, 1, 4900, 80, 200 }, true },
		{ id, { at(6, 2), 7, 0, 700, 1, 999 }, false },
	};
	const struct check_batch batch = { &record, 1, hours, 4 };
	assert_ok(check_records_store(db, HOLDER, &batch, &error));
	assert_rows("2026-03-05|60|10|5000|90|300\n2026-03-06|117|61|5600|1|999", DAYS);
	assert_ok(check_records_store(db, HOLDER, &batch, &error));
	assert_rows("2026-03-05|60|10|5000|90|300\n2026-03-06|117|61|5600|1|999", DAYS);
	/* An hour of the day before that comes late changes that day alone. */
	const struct checked_hour late = { id, { at(5, 22), 1, 0, 7, 7, 7 }, true };
	assert_ok(check_records_store(
		db, HOLDER, &(struct check_batch){ .hours = &late, .hour_count = 1 }, &error));
	assert_rows("2026-03-05|61|10|5007|7|300\n2026-03-06|117|61|5600|1|999", DAYS);
	/* Sums that no column holds, of a clock that jumped. */
	const struct checked_hour most[] = {
		{ id, { at(7, 1), 16777215, 16777215, 0, 0, 0 }, true },
		{ id, { at(7, 2), 1, 1, 0, 0, 0 }, true },
	};
	assert_ok(check_records_store(
		db, HOLDER, &(struct check_batch){ .hours = most, .hour_count = 2 }, &error));
	assert_rows("16777215|16777215|0", "SELECT checks, failures, response_min_ms "
					   "FROM monitor_days WHERE day = '2026-03-07'");
}

static void add_many(int64_t account, int count)
{
	execute("INSERT INTO monitors (account_id, name, created_at, updated_at) "
		"SELECT %ld, seq, NOW(), NOW() FROM seq_1_to_10000 WHERE seq <= %d",
		(long)account, count);
}

static size_t many_records(struct check_record *rows, size_t most)
{
	int64_t first = select_number("SELECT MIN(id) FROM monitors");
	for (size_t i = 0; i < most; i++)
		rows[i] = record_of(first + (int64_t)i);
	return most;
}

static void a_batch_is_stored_by_few_statements(void **state)
{
	(void)state;
	static struct check_record rows[1000];
	add_many(add_account("one"), 1000);
	take_lease();
	many_records(rows, 1000);
	uint64_t before = db_queries(db);
	assert_ok(store(rows, 1000, false));
	/* The transaction, the lease, two lists of ids, 64 states and 512 hours in a statement. */
	assert_in_range(db_queries(db) - before, 1, 2 + 1 + 2 + 16 + 2);
	before = db_queries(db);
	assert_ok(store(rows, 1000, true));
	assert_in_range(db_queries(db) - before, 1, 2 + 1 + 2 + 16 + 2 + 2 * 16);
	assert_rows("1000|1000|1000",
		    "SELECT (SELECT COUNT(*) FROM monitor_states), "
		    "(SELECT COUNT(*) FROM monitor_hours), (SELECT COUNT(*) FROM monitor_days)");
	int64_t start = clock_ms();
	for (int i = 0; i < 10; i++)
		assert_ok(store(rows, 1000, false));
	print_message("# 10,000 records: %lld ms\n", (long long)(clock_ms() - start));
}

/* A year of days and two weeks of hours. */
static void a_monitor_takes_at_most_40_kb(void **state)
{
	(void)state;
	enum { MONITORS = 1000 };
	add_many(add_account("one"), MONITORS);
	execute("INSERT INTO monitor_hours SELECT m.id, '2026-03-01' + INTERVAL seq HOUR, 60, 1, "
		"60000, 80, 900 FROM seq_0_to_335, monitors m ORDER BY seq, m.id");
	execute("INSERT INTO monitor_days SELECT m.id, '2025-03-01' + INTERVAL seq DAY, 1440, 1, "
		"1440000, 80, 900 FROM seq_0_to_364, monitors m ORDER BY seq, m.id");
	select_text("ANALYZE TABLE monitor_hours, monitor_days");
	int64_t bytes = select_number("SELECT SUM(data_length + index_length) FROM "
				      "information_schema.tables WHERE table_schema = DATABASE() "
				      "AND table_name IN ('monitor_hours', 'monitor_days')");
	print_message("# %lld bytes a monitor and year\n", (long long)bytes / MONITORS);
	assert_in_range(bytes / MONITORS, 1, 40000);
}

static void old_hours_and_days_are_deleted_in_portions(void **state)
{
	(void)state;
	bool is_more = true;
	struct instant newest;
	int rounds = 0;
	add_many(add_account("one"), 3);
	execute("INSERT INTO monitor_hours SELECT m.id, '2026-03-01' + INTERVAL seq HOUR, 1, 1, 1, "
		"1, 1 FROM seq_0_to_799, monitors m");
	execute("INSERT INTO monitor_days SELECT m.id, '2026-03-01' + INTERVAL seq DAY, 1, 1, 1, "
		"1, "
		"1 FROM seq_0_to_9, monitors m");
	assert_ok(check_hours_newest(db, &newest, &error));
	assert_int_equal(newest.s, at(1, 0).s + 799 * HOUR);
	for (; is_more; rounds++)
		assert_ok(check_sums_prune(db, CHECK_HOURS,
					   (struct instant){ at(1, 0).s + 500 * HOUR }, &is_more,
					   &error));
	assert_int_equal(rounds, 2);
	assert_rows("900|2026-03-21 20:00:00", "SELECT COUNT(*), MIN(hour) FROM monitor_hours");
	execute("INSERT INTO location_hours SELECT m.id, 0, '2026-03-01' + INTERVAL seq HOUR, 1, "
		"1, 1, 1, 1 FROM seq_0_to_400, monitors m");
	is_more = true;
	for (rounds = 0; is_more; rounds++)
		assert_ok(check_sums_prune(db, CHECK_LOCATION_HOURS,
					   (struct instant){ at(1, 0).s + 399 * HOUR }, &is_more,
					   &error));
	assert_int_equal(rounds, 2);
	assert_rows("6|2026-03-17 15:00:00", "SELECT COUNT(*), MIN(hour) FROM location_hours");
	assert_ok(check_sums_prune(db, CHECK_DAYS, at(8, 0), &is_more, &error));
	assert_false(is_more);
	assert_rows("9|2026-03-08", "SELECT COUNT(*), MIN(day) FROM monitor_days");
}

static void the_sums_of_monitors_are_deleted(void **state)
{
	(void)state;
	int64_t deleted;
	add_many(add_account("one"), 4);
	execute("INSERT INTO monitor_hours SELECT m.id, '2026-03-01' + INTERVAL seq HOUR, 1, 1, 1, "
		"1, 1 FROM seq_0_to_335, monitors m");
	execute("INSERT INTO monitor_days SELECT m.id, '2026-03-01' + INTERVAL seq DAY, 1, 1, 1, "
		"1, "
		"1 FROM seq_0_to_99, monitors m");
	int64_t ids[] = { select_number("SELECT MIN(id) FROM monitors"),
			  select_number("SELECT MAX(id) FROM monitors") };
	assert_ok(check_sums_delete(db, &(struct id_list){ ids, 2 }, &deleted, &error));
	assert_int_equal(deleted, 2 * (336 + 100));
	assert_rows("672|2", "SELECT COUNT(*), COUNT(DISTINCT monitor_id) FROM monitor_hours");
	assert_rows("200", "SELECT COUNT(*) FROM monitor_days");
	assert_ok(check_sums_delete(db, &(struct id_list){ ids, 2 }, &deleted, &error));
	assert_int_equal(deleted, 0);
}

static void signals_are_read_and_deleted(void **state)
{
	(void)state;
	struct check_signal found[4];
	size_t count;
	int64_t account = add_account("one"), web = checked(account, "web"),
		mail = checked(account, "mail");
	execute("INSERT INTO check_signals (monitor_id, kind, value, at) VALUES "
		"(%lld, %d, 3, '2026-03-05 01:00:00'), (%lld, %d, 0, '2026-03-05 03:00:00')",
		(long long)mail, SIGNAL_EXIT, (long long)web, SIGNAL_HEARTBEAT);
	assert_ok(check_signals_read(db, 0, found, 4, &count, &error));
	assert_int_equal(count, 2);
	assert_int_equal(found[0].monitor_id, mail);
	assert_int_equal(found[0].kind, SIGNAL_EXIT);
	assert_int_equal(found[0].value, 3);
	assert_int_equal(found[0].at.s, at(5, 1).s);
	assert_int_equal(found[1].kind, SIGNAL_HEARTBEAT);
	assert_ok(check_signals_read(db, 0, found, 1, &count, &error));
	assert_int_equal(count, 1);
	assert_ok(check_signals_delete(db, &found[0].id, 1, &error));
	assert_rows("1", "SELECT COUNT(*) FROM check_signals");
	assert_ok(check_signals_read(db, found[0].id, found, 4, &count, &error));
	assert_int_equal(count, 1);
}

static bool takes(struct db *of, const char *holder)
{
	struct check_lease lease;
	assert_ok(check_lease_take(of, holder, &lease, &error));
	return lease.is_held;
}

static void of_two_holders_one_has_the_lease(void **state)
{
	(void)state;
	struct db *other = database_connect();
	assert_true(takes(db, HOLDER));
	assert_false(takes(other, OTHER));
	assert_true(takes(db, HOLDER));
	assert_transaction(E_CONFLICT, check_lease_hold(db, OTHER, &error));
	/* It is over. */
	execute("UPDATE check_locations SET lease_until = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND");
	assert_committed(check_lease_hold(db, HOLDER, &error));
	assert_true(takes(other, OTHER));
	assert_false(takes(db, HOLDER));
	assert_transaction(E_CONFLICT, check_lease_hold(db, HOLDER, &error));
	assert_ok(check_lease_drop(db, HOLDER, 0, &error));
	assert_false(takes(db, HOLDER));
	assert_ok(check_lease_drop(other, OTHER, 0, &error));
	assert_true(takes(db, HOLDER));
	db_free(other);
}

static void a_lease_of_a_clock_that_was_set_back_is_cut(void **state)
{
	(void)state;
	struct db *other = database_connect();
	assert_true(takes(db, HOLDER));
	execute("UPDATE check_locations SET lease_until = UTC_TIMESTAMP(3) + INTERVAL 1 DAY");
	assert_false(takes(other, OTHER));
	assert_rows("1", "SELECT lease_until <= UTC_TIMESTAMP(3) + INTERVAL 15 SECOND "
			 "FROM check_locations");
	assert_true(takes(db, HOLDER));
	db_free(other);
}

/* Nobody takes the lease before the transaction of its holder ends. */
static void a_transaction_holds_the_lease(void **state)
{
	(void)state;
	struct db *other = database_connect();
	struct check_lease lease;
	assert_true(takes(db, HOLDER));
	execute("UPDATE check_locations SET lease_until = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND");
	assert_ok(db_begin(db, DB_WRITE, &error));
	assert_ok(check_lease_hold(db, HOLDER, &error));
	assert_result(E_REFUSED, check_lease_take(other, OTHER, &lease, &error));
	assert_ok(db_commit(db, &error));
	assert_true(takes(other, OTHER));
	struct check_record record = record_of(checked(add_account("one"), "web"));
	assert_result(E_CONFLICT, store(&record, 1, true));
	assert_rows("0", "SELECT COUNT(*) FROM monitor_states");
	db_free(other);
}

static void idleness_is_told(void **state)
{
	(void)state;
	struct check_idleness idleness;
	assert_ok(check_idleness_read(db, &idleness, &error));
	assert_int_equal(idleness.monitors, 0);
	assert_int_equal(idleness.idle_s, -1);
	checked(add_account("one"), "web");
	assert_true(takes(db, HOLDER));
	assert_ok(check_idleness_read(db, &idleness, &error));
	assert_int_equal(idleness.monitors, 1);
	assert_int_equal(idleness.idle_s, 0);
	execute("UPDATE check_locations SET lease_until = NULL, "
		"seen_at = UTC_TIMESTAMP() - INTERVAL 90 SECOND");
	assert_ok(check_idleness_read(db, &idleness, &error));
	assert_in_range(idleness.idle_s, 90, 100);
	execute("UPDATE monitors SET is_paused = 1");
	assert_ok(check_idleness_read(db, &idleness, &error));
	assert_int_equal(idleness.monitors, 0);
}

/* Between runs of --once the lease is not over, and intervals may be too short for them. */
static void runs_that_come_evenly_keep_the_lease(void **state)
{
	(void)state;
	struct check_idleness idleness;
	struct check_rest rest;
	bool is_over = false;
	assert_ok(check_rest_read(db, &rest, &error));
	assert_int_equal(rest.rest_s, -1);
	checked(add_account("one"), "web");
	assert_true(takes(db, HOLDER));
	assert_ok(check_rest_read(db, &rest, &error));
	assert_false(rest.is_expected);
	assert_ok(check_lease_drop(db, HOLDER, 300, &error));
	assert_ok(check_lease_is_over(db, &is_over, &error));
	assert_false(is_over);
	execute("UPDATE monitor_checks SET `interval` = 272");
	assert_ok(check_idleness_read(db, &idleness, &error));
	assert_int_equal(idleness.idle_s, 0);
	assert_int_equal(idleness.apart_s, 300);
	assert_int_equal(idleness.hurried, 1);
	/* Nearly as long. */
	execute("UPDATE monitor_checks SET `interval` = 273");
	assert_ok(check_idleness_read(db, &idleness, &error));
	assert_int_equal(idleness.hurried, 0);
	/* The next run takes it at once. */
	execute("UPDATE check_locations SET seen_at = seen_at - INTERVAL 310 SECOND");
	assert_ok(check_rest_read(db, &rest, &error));
	assert_in_range(rest.rest_s, 310, 320);
	assert_true(rest.is_expected);
	assert_true(takes(db, OTHER));
	assert_ok(check_lease_drop(db, OTHER, 300, &error));
	execute("UPDATE check_locations SET lease_until = lease_until - INTERVAL 661 SECOND");
	assert_ok(check_lease_is_over(db, &is_over, &error));
	assert_true(is_over);
	assert_ok(check_rest_read(db, &rest, &error));
	assert_false(rest.is_expected);
	assert_true(takes(db, HOLDER));
	assert_ok(check_lease_drop(db, HOLDER, 0, &error));
	assert_rows("-", "SELECT lease_until FROM check_locations");
}

static void each_account_hears_once_that_the_checker_is_cut_off(void **state)
{
	(void)state;
	int64_t one = add_account("one"), two = add_account("two");
	const struct principal checker = { .type = PRINCIPAL_CHECKER, .label = "" };
	const struct event_source source = { .principal = &checker, .now = at(5, 5) };
	checked(one, "a");
	checked(one, "b");
	checked(two, "c");
	add_monitor(add_account("three"), "not checked");
	assert_true(takes(db, HOLDER));
	assert_committed(check_cut_off_store(db, (struct instant){ 0 }, &source, &error));
	assert_rows("0", "SELECT COUNT(*) FROM events");
	for (int i = 0; i < 2; i++)
		assert_committed(check_cut_off_store(db, at(5, 4 + i), &source, &error));
	const char *expected =
		arena_printf(&arena,
			     "%ld|checker.cut_off|account|%ld|checker|2026-03-05 05:00:00\n"
			     "%ld|checker.cut_off|account|%ld|checker|2026-03-05 05:00:00",
			     (long)one, (long)one, (long)two, (long)two);
	assert_rows(expected, "SELECT account_id, kind, object, object_id, actor_type, at "
			      "FROM events ORDER BY account_id");
	assert_rows("2026-03-05 04:00:00", "SELECT cut_off_since FROM check_locations");
	for (int i = 0; i < 2; i++)
		assert_committed(check_cut_off_store(db, (struct instant){ 0 }, &source, &error));
	assert_rows("2", "SELECT COUNT(*) FROM events WHERE kind = 'checker.reconnected'");
	/* The source does not fill the outbox. */
	assert_rows("0", "SELECT COUNT(*) FROM outbox");
}

static void add_channel(int64_t account)
{
	execute("INSERT INTO alert_channels (account_id, name, type, address, sealed_value, "
		"is_enabled, takes_all_monitors, delay, reminder, created_at, updated_at) "
		"VALUES (%ld, 'c', 1, 'a', 's', 1, 1, 0, 0, NOW(), NOW())",
		(long)account);
}

#define TOLD \
	"SELECT account_id, kind, object_id, at, due_at, JSON_VALUE(payload, " \
	"'$.checker.location'), JSON_VALUE(payload, '$.checker.cut_off_since'), " \
	"JSON_VALUE(payload, '$.checker.cut_off_until') FROM outbox"

static void accounts_with_channels_are_told_that_the_checker_is_cut_off(void **state)
{
	(void)state;
	int64_t one = add_account("one"), two = add_account("two"), three = add_account("three");
	const struct principal checker = { .type = PRINCIPAL_CHECKER, .label = "" };
	struct event_source source = { &checker, at(5, 5), true };
	checked(one, "a");
	checked(one, "b");
	checked(two, "without a channel");
	add_monitor(three, "not checked");
	add_channel(one);
	add_channel(one);
	add_channel(three);
	assert_true(takes(db, HOLDER));
	for (int i = 0; i < 2; i++)
		assert_committed(check_cut_off_store(db, at(5, 4 + i), &source, &error));
	assert_rows(arena_printf(&arena,
				 "%ld|checker.cut_off|%ld|2026-03-05 05:00:00|2026-03-05 05:00:00|"
				 "-|2026-03-05T04:00:00Z|-",
				 (long)one, (long)one),
		    TOLD);
	execute("DELETE FROM outbox");
	source.now = at(5, 7);
	for (int i = 0; i < 2; i++)
		assert_committed(check_cut_off_store(db, (struct instant){ 0 }, &source, &error));
	assert_rows(arena_printf(&arena,
				 "%ld|checker.reconnected|%ld|2026-03-05 07:00:00|"
				 "2026-03-05 07:00:00|-|2026-03-05T04:00:00Z|2026-03-05T07:00:00Z",
				 (long)one, (long)one),
		    TOLD);
}

static void names_location(int64_t account, const char *monitor, const char *locations)
{
	execute("UPDATE monitor_checks SET locations = '%s' WHERE monitor_id = %ld", locations,
		(long)checked(account, monitor));
}

static void see(int64_t account, const char *name, const struct event_source *source)
{
	struct check_location location = { .account_id = account, .name = name };
	assert_committed(check_location_see(db, &location, source, &error));
	assert_true(location.id > 0);
}

static void a_location_that_says_nothing_is_cut_off_until_it_asks(void **state)
{
	(void)state;
	int64_t one = add_account("one"), two = add_account("two");
	const struct principal key = { .type = PRINCIPAL_KEY, .id = 7, .label = "k" };
	struct event_source source = { &key, at(5, 5), true };
	names_location(one, "a", "berlin, centre");
	names_location(one, "b", "centre,tokyo");
	names_location(two, "c", "berlin");
	see(one, "berlin", &source);
	see(one, "tokyo", &source);
	see(two, "berlin", &source);
	execute("UPDATE check_locations SET seen_at = UTC_TIMESTAMP() - INTERVAL 110 SECOND");
	assert_committed(check_locations_cut_off(db, &source, &arena, &error));
	assert_rows("0", "SELECT COUNT(*) FROM events");
	execute("UPDATE check_locations SET seen_at = '2026-03-05 04:00:00' WHERE account_id = %ld "
		"AND name = 'berlin'",
		(long)one);
	/* Only looks. */
	assert_committed(check_locations_cut_off(db, NULL, &arena, &error));
	assert_rows("0", "SELECT COUNT(*) FROM events");
	for (int i = 0; i < 2; i++)
		assert_committed(check_locations_cut_off(db, &source, &arena, &error));
	assert_rows(arena_printf(&arena, "%ld|2026-03-05 04:00:00", (long)one),
		    "SELECT account_id, cut_off_since FROM check_locations "
		    "WHERE cut_off_since IS NOT NULL");
	assert_rows(arena_printf(&arena,
				 "%ld|checker.cut_off|%ld|2026-03-05 05:00:00|2026-03-05 05:00:00|"
				 "berlin|2026-03-05T04:00:00Z|-",
				 (long)one, (long)one),
		    TOLD);
	execute("DELETE FROM outbox");
	source.now = at(5, 7);
	for (int i = 0; i < 2; i++)
		see(one, "berlin", &source);
	assert_rows(
		arena_printf(&arena,
			     "%ld|checker.reconnected|%ld|2026-03-05 07:00:00|"
			     "2026-03-05 07:00:00|berlin|2026-03-05T04:00:00Z|2026-03-05T07:00:00Z",
			     (long)one, (long)one),
		TOLD);
	assert_rows(arena_printf(&arena,
				 "%1$ld|checker.cut_off|account|%1$ld|berlin\n"
				 "%1$ld|checker.reconnected|account|%1$ld|berlin",
				 (long)one),
		    "SELECT account_id, kind, object, object_id, detail FROM events ORDER BY id");
	/* Nobody waits for a location that no checked monitor names. */
	execute("UPDATE monitors SET is_paused = 1 WHERE name = 'b'");
	execute("UPDATE monitor_checks SET locations = 'centre' WHERE account_id = %ld", (long)two);
	execute("UPDATE check_locations SET seen_at = '2026-03-05 04:00:00' WHERE NOT "
		"(account_id = %ld AND name = 'berlin')",
		(long)one);
	assert_committed(check_locations_cut_off(db, &source, &arena, &error));
	assert_rows("2", "SELECT COUNT(*) FROM events");
}

static void records_begin_once(void **state)
{
	(void)state;
	int64_t account = add_account("one"), web = add_monitor(account, "web"),
		mail = add_monitor(account, "mail");
	show_monitor(add_page(account, "p"), web, 1);
	const struct check_beginning rows[] = { { web, at(5, 1) }, { mail, at(5, 2) } };
	execute("UPDATE monitors SET known_since = '2026-03-04 00:00:00' WHERE id = %ld",
		(long)mail);
	execute("UPDATE page_revisions SET revision = 7, unpublished_since = NULL");
	assert_committed(check_beginnings_store(db, rows, 2, at(5, 3), &error));
	assert_rows("2026-03-05 01:00:00\n2026-03-04 00:00:00",
		    "SELECT known_since FROM monitors ORDER BY id");
	assert_rows("8|2026-03-05 03:00:00",
		    "SELECT revision, unpublished_since FROM page_revisions");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(records_are_stored_and_listed),
		DATABASE_TEST(a_report_stores_what_was_reported),
		DATABASE_TEST(a_list_is_read_in_pages_by_two_statements),
		DATABASE_TEST(the_mark_shows_changes),
		DATABASE_TEST(operations_on_monitors_change_the_mark),
		DATABASE_TEST(deleted_monitors_and_large_numbers_spoil_no_batch),
		DATABASE_TEST(a_day_is_made_of_its_hours),
		DATABASE_TEST(a_batch_is_stored_by_few_statements),
		DATABASE_TEST(a_monitor_takes_at_most_40_kb),
		DATABASE_TEST(old_hours_and_days_are_deleted_in_portions),
		DATABASE_TEST(the_sums_of_monitors_are_deleted),
		DATABASE_TEST(signals_are_read_and_deleted),
		DATABASE_TEST(of_two_holders_one_has_the_lease),
		DATABASE_TEST(a_lease_of_a_clock_that_was_set_back_is_cut),
		DATABASE_TEST(a_transaction_holds_the_lease),
		DATABASE_TEST(idleness_is_told),
		DATABASE_TEST(runs_that_come_evenly_keep_the_lease),
		DATABASE_TEST(each_account_hears_once_that_the_checker_is_cut_off),
		DATABASE_TEST(accounts_with_channels_are_told_that_the_checker_is_cut_off),
		DATABASE_TEST(a_location_that_says_nothing_is_cut_off_until_it_asks),
		DATABASE_TEST(records_begin_once),
	};
	secret_init();
	return RUN_ON_DATABASE(tests);
}
