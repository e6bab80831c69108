/*
 * Lists of many incidents: each page against the order that the database gives without any index of
 * the lists, the statements that a page takes, and lists during writes.
 */
#include "integration/lib/database.h"

#include <pthread.h>
#include <unistd.h>
#include <stdlib.h>

#include "store/incident/incident.h"

enum { INCIDENTS = 1300, MONITORS = 40 };

static int64_t account;

/*
 * Incidents with many equal times; the first of each monitor is open, and every other of these is
 * acknowledged. Another account has as many.
 */
static void add_incidents(int64_t owner)
{
	int64_t first = add_monitor(owner, arena_printf(&arena, "m%d-%ld", 0, (long)owner));
	for (int i = 1; i < MONITORS; i++)
		add_monitor(owner, arena_printf(&arena, "m%d-%ld", i, (long)owner));
	execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, "
		"acknowledged_at, ended_at, created_at, updated_at) "
		"SELECT %ld, %ld + seq %% %d, CONCAT('Cause ', seq), "
		"'2026-01-01' + INTERVAL seq * 7919 %% 97 HOUR, "
		"IF(seq %% 2, '2026-02-01', NULL), "
		"IF(seq < %d, NULL, '2026-02-02' + INTERVAL seq * 104729 %% 61 HOUR), "
		"'2026-01-01', '2026-01-01' FROM seq_0_to_%d",
		(long)owner, (long)first, MONITORS, MONITORS, INCIDENTS - 1);
}

static int many_incidents(void **state)
{
	database_clear(state);
	account = add_account("one");
	add_incidents(account);
	add_incidents(add_account("two"));
	select_text("ANALYZE TABLE incidents");
	assert_committed(incident_counts_rebuild(db, &error));
	return 0;
}

static const char *added_id(const char *ids, int64_t id)
{
	return arena_printf(&arena, "%s%s%ld", ids, ids[0] ? "\n" : "", (long)id);
}

/* The ids of all pages of a list, one after the other. */
static const char *paged(struct incident_query query)
{
	const char *ids = "";
	struct incident_list list = { .total = 1 };
	for (query.list.offset = 0; query.list.offset < list.total;
	     query.list.offset += query.list.limit) {
		assert_ok(incident_list(db, &query, &arena, &list, &error));
		for (size_t i = 0; i < list.count; i++)
			ids = added_id(ids, list.rows[i].id);
	}
	return ids;
}

static void check_pages(struct incident_query query, const char *filter)
{
	static const int64_t limits[] = { 10, 33, 100 };
	const char *direction = query.list.is_ascending ? "ASC" : "DESC";
	const char *time = query.list.sort_by == INCIDENT_BY_ENDED_AT
				   ? "COALESCE(ended_at, '9999-12-31')"
				   : "started_at";
	const char *expected = select_text(
		"SELECT id FROM incidents IGNORE INDEX (incidents_ends, incidents_starts) "
		"WHERE account_id = %ld %s ORDER BY %s %s, id %s",
		(long)account, filter, time, direction, direction);
	for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
		query.list.limit = limits[i];
		assert_string_equal(paged(query), expected);
	}
}

static void check_orders(struct incident_query query, const char *filter)
{
	query.list.account_id = account;
	for (int order = 0; order < 4; order++) {
		query.list.sort_by = order % 2 ? INCIDENT_BY_ENDED_AT : INCIDENT_BY_STARTED_AT;
		query.list.is_ascending = order / 2;
		check_pages(query, filter);
	}
}

static void pages_follow_the_order_from_both_ends(void **state)
{
	(void)state;
	int64_t monitor = select_number("SELECT MIN(id) + 3 FROM monitors WHERE account_id = %ld",
					(long)account);
	check_orders((struct incident_query){ .status = INCIDENT_ANY_STATUS }, "");
	check_orders((struct incident_query){ .status = INCIDENT_RESOLVED },
		     "AND ended_at IS NOT NULL");
	check_orders((struct incident_query){ .status = INCIDENT_ACKNOWLEDGED },
		     "AND ended_at IS NULL AND acknowledged_at IS NOT NULL");
	check_orders(
		(struct incident_query){ .status = INCIDENT_ANY_STATUS, .monitor_id = monitor },
		arena_printf(&arena, "AND monitor_id = %ld", (long)monitor));
}

static void pages_of_a_search_follow_the_order(void **state)
{
	(void)state;
	check_orders((struct incident_query){ .status = INCIDENT_ANY_STATUS,
					      .list.search = "CAUSE 12",
					      .list.search_by = INCIDENT_SEARCH_CAUSE },
		     "AND cause LIKE 'Cause 12%'");
	check_orders((struct incident_query){ .status = INCIDENT_RESOLVED,
					      .list.search = "m1",
					      .list.search_by = INCIDENT_SEARCH_MONITOR },
		     "AND ended_at IS NOT NULL AND monitor_id IN "
		     "(SELECT id FROM monitors WHERE name LIKE '%m1%')");
	check_orders((struct incident_query){ .status = INCIDENT_ANY_STATUS,
					      .list.search = "m12-",
					      .list.search_by = INCIDENT_SEARCH_ALL },
		     "AND monitor_id IN (SELECT id FROM monitors WHERE name LIKE 'm12-%')");
}

/* Of a deep page all rows but the last are read backwards: the short last page, too. */
static void totals_agree_with_the_rows(void **state)
{
	(void)state;
	struct incident_list list;
	struct incident_query query = { .list.account_id = account,
					.status = INCIDENT_ANY_STATUS,
					.list.limit = 100 };
	static const int64_t offsets[] = { 0, 400, 600, 1200, 1250, 1299, 1300, 1400, 100000 };
	for (size_t i = 0; i < ARRAY_LEN(offsets); i++) {
		int64_t left = INCIDENTS - offsets[i];
		query.list.offset = offsets[i];
		assert_ok(incident_list(db, &query, &arena, &list, &error));
		assert_int_equal(list.total, INCIDENTS);
		assert_int_equal(list.count, left < 0 ? 0 : left > 100 ? 100 : left);
	}
	/* Wrong counts never show rows beyond the total, nor a page that is not there. */
	execute("UPDATE incident_counts SET total = 0");
	query.list.offset = 200;
	assert_ok(incident_list(db, &query, &arena, &list, &error));
	assert_int_equal(list.total, 300);
	execute("UPDATE incident_counts SET total = 1000");
	query.list.offset = 5000;
	assert_ok(incident_list(db, &query, &arena, &list, &error));
	assert_int_equal(list.total, 5000);
	assert_int_equal(list.count, 0);
}

static uint64_t cost(struct incident_query query)
{
	struct incident_list list;
	uint64_t before = db_queries(db);
	query.list.account_id = account;
	query.list.limit = 10;
	assert_ok(incident_list(db, &query, &arena, &list, &error));
	return db_queries(db) - before;
}

static void a_page_takes_one_statement_or_two(void **state)
{
	(void)state;
	struct incident_query query = { .status = INCIDENT_ANY_STATUS };
	assert_int_equal(cost(query), 1);
	query.status = INCIDENT_ACKNOWLEDGED;
	assert_int_equal(cost(query), 1);
	query.list.offset = 100; /* past the end */
	assert_int_equal(cost(query), 2);
	query.status = INCIDENT_ANY_STATUS;
	query.list.offset = 500;
	assert_int_equal(cost(query), 1);
	query.list.offset = 510;
	assert_int_equal(cost(query), 2);
	query.list.offset = 100000;
	assert_int_equal(cost(query), 1);
	query.list.offset = 0;
	query.list.search = "Cause 12";
	assert_int_equal(cost(query), 2);
	query.list.search = "none has this";
	assert_int_equal(cost(query), 1);
}

static int64_t status_value(const char *name)
{
	const char *shown = select_text("SHOW GLOBAL STATUS LIKE '%s'", name);
	return atoll(strchr(shown, '|') + 1);
}

static void check_temporary_tables(struct incident_query query)
{
	int64_t before = status_value("Created_tmp_disk_tables");
	int64_t own = status_value("Created_tmp_disk_tables") - before;
	before += own;
	query.list.account_id = account;
	query.list.limit = 100;
	struct incident_list list;
	assert_ok(incident_list(db, &query, &arena, &list, &error));
	assert_true(list.count > 0);
	assert_int_equal(status_value("Created_tmp_disk_tables") - before - own, 0);
}

static void no_list_makes_a_table_on_the_database_s_disk(void **state)
{
	(void)state;
	struct incident_query query = { .status = INCIDENT_ANY_STATUS };
	for (int order = 0; order < 4; order++) {
		query.list.sort_by = order % 2 ? INCIDENT_BY_ENDED_AT : INCIDENT_BY_STARTED_AT;
		query.list.is_ascending = order / 2;
		query.list.offset = order * 200;
		query.list.search = NULL;
		check_temporary_tables(query);
		query.list.offset = 0;
		query.list.search = "Cause 1";
		check_temporary_tables(query);
	}
}

/*
 * A deep page reads the index alone, although the same connection has read the table by another
 * index before: the pages of memory that InnoDB reads are fewer than the incidents skipped.
 */
static void a_deep_page_reads_no_rows_that_it_skips(void **state)
{
	(void)state;
	struct incident_query query = { .list.account_id = account,
					.status = INCIDENT_ANY_STATUS,
					.list.limit = 10,
					.list.offset = 640 };
	struct incident_list list;
	int64_t least[2] = { INT64_MAX, INT64_MAX };
	/* The least of several: the database's own threads read, too, for as long as a second. */
	for (int round = 0; round < 20 || (round < 1000 && (least[0] > 500 || least[1] > 500));
	     round++) {
		if (round >= 20)
			usleep(10000);
		query.list.sort_by = round % 2 ? INCIDENT_BY_ENDED_AT : INCIDENT_BY_STARTED_AT;
		int64_t before = status_value("Innodb_buffer_pool_read_requests");
		assert_ok(incident_list(db, &query, &arena, &list, &error));
		int64_t spent = status_value("Innodb_buffer_pool_read_requests") - before;
		assert_int_equal(list.count, 10);
		/* The first runs of a statement do not have the defect. */
		if (round >= 4 && spent < least[round % 2])
			least[round % 2] = spent;
	}
	assert_in_range(least[0], 1, 500);
	assert_in_range(least[1], 1, 500);
}

enum { CHANGES = 400 };

/* Adds and removes the newest incident, with its count. */
static void *change_newest(void *context)
{
	int64_t monitor = *(const int64_t *)context;
	for (int i = 0; i < CHANGES; i++) {
		execute("START TRANSACTION");
		if (i % 2 == 0)
			execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, "
				"ended_at, created_at, updated_at) VALUES (%ld, %ld, 'newest', "
				"'2027-01-01', '2027-01-01', '2027-01-01', '2027-01-01')",
				(long)account, (long)monitor);
		else
			execute("DELETE FROM incidents WHERE cause = 'newest'");
		execute("UPDATE incident_counts SET total = total + %d "
			"WHERE monitor_id = %ld AND status = 2",
			i % 2 ? -1 : 1, (long)monitor);
		execute("COMMIT");
	}
	return NULL;
}

static void a_deep_page_is_right_while_incidents_come_and_go(void **state)
{
	(void)state;
	pthread_t thread;
	struct incident_list list;
	struct incident_query query = { .list.account_id = account,
					.status = INCIDENT_ANY_STATUS,
					.list.limit = 10 };
	int64_t monitor =
		select_number("SELECT MIN(id) FROM monitors WHERE account_id = %ld", (long)account);
	int64_t oldest = select_number("SELECT id FROM incidents WHERE account_id = %ld "
				       "ORDER BY started_at, id LIMIT 1",
				       (long)account);
	assert_int_equal(pthread_create(&thread, NULL, change_newest, &monitor), 0);
	for (int i = 0; i < CHANGES; i++) {
		query.list.offset = INCIDENTS - 10 + i % 2;
		assert_ok(incident_list(db, &query, &arena, &list, &error));
		assert_in_range(list.total, INCIDENTS, INCIDENTS + 1);
		bool is_last = query.list.offset + (int64_t)list.count == list.total;
		assert_true(list.count > 0);
		assert_int_equal(list.rows[list.count - 1].id == oldest, is_last);
	}
	assert_int_equal(pthread_join(thread, NULL), 0);
}

/* Pages that show all systems. */
static void add_pages(void)
{
	execute("INSERT INTO status_pages (account_id, name, slug, created_at, updated_at) "
		"SELECT %ld, 'p', CONCAT('p', seq), '2026-01-01', '2026-01-01' FROM seq_1_to_60",
		(long)account);
	execute("INSERT INTO status_page_monitors (status_page_id, monitor_id, position) "
		"SELECT p.id, m.id, m.id FROM status_pages p, monitors m WHERE m.account_id = %ld",
		(long)account);
}

/* Reported incidents of three systems each. */
static void add_reports(int count)
{
	execute("DELETE FROM incidents WHERE monitor_id IS NULL");
	execute("INSERT INTO incidents (account_id, names_pages, cause, title, started_at, "
		"ended_at, "
		"created_at, updated_at) SELECT %ld, 0, '', CONCAT('t', seq), '2027-01-01', "
		"'2027-01-02', '2027-01-01', '2027-01-01' FROM seq_1_to_%d",
		(long)account, count);
	execute("INSERT INTO incident_monitors (incident_id, position, account_id, monitor_id, "
		"impact, lesser_impact, has_outage, started_at, ended_at) "
		"SELECT i.id, p.seq, i.account_id, (SELECT MIN(m.id) FROM monitors m "
		"WHERE m.account_id = i.account_id) + (i.id * 3 + p.seq) %% %d, 3, 0, 1, "
		"i.started_at, i.ended_at FROM incidents i, seq_0_to_2 p WHERE i.monitor_id IS "
		"NULL",
		MONITORS);
	select_text("ANALYZE TABLE incidents, incident_monitors, status_page_monitors");
	assert_committed(incident_counts_rebuild(db, &error));
}

static const struct incident_query of_reports = { .status = INCIDENT_RESOLVED,
						  .list.sort_by = INCIDENT_BY_STARTED_AT,
						  .list.limit = 10 };

/* The rows that a list of reported incidents reads, and its statements. */
static int64_t cost_of_reports(uint64_t *statements)
{
	struct incident_query query = of_reports;
	struct incident_list list;
	query.list.account_id = account;
	assert_ok(incident_list(db, &query, &arena, &list, &error));
	int64_t before = all_rows_read(), own = all_rows_read() - before;
	*statements = db_queries(db);
	before = all_rows_read();
	assert_ok(incident_list(db, &query, &arena, &list, &error));
	int64_t rows = all_rows_read() - before - own;
	*statements = db_queries(db) - *statements;
	assert_int_equal(list.count, 10);
	assert_int_equal(list.rows[0].kind, INCIDENT_REPORTED);
	assert_int_equal(list.rows[0].monitor_count, 3);
	assert_string_equal(list.rows[0].page_address, "p1/");
	return rows;
}

/* The rows grow neither with the pages that show a system nor with the incidents of the list. */
static void a_list_of_reports_is_one_statement_of_few_rows(void **state)
{
	(void)state;
	uint64_t statements;
	add_pages();
	add_reports(10);
	int64_t few = cost_of_reports(&statements);
	assert_in_range(few, 1, 400);
	assert_int_equal(statements, 1);
	check_temporary_tables(of_reports);
	add_reports(1000);
	assert_in_range(cost_of_reports(&statements), 1, few + 10);
	assert_int_equal(statements, 1);
}

/* What few incidents have is read by one statement more. */
static void named_pages_and_found_impacts_are_one_statement(void **state)
{
	(void)state;
	uint64_t statements;
	add_pages();
	add_reports(10);
	/* A former program does not tell whether its incidents name pages. */
	execute("UPDATE incidents SET names_pages = NULL WHERE title = 't3'");
	cost_of_reports(&statements);
	assert_int_equal(statements, 2);
	execute("UPDATE incidents SET names_pages = 0, impact = IF(title = 't9', 0, 3) "
		"WHERE monitor_id IS NULL");
	cost_of_reports(&statements);
	assert_int_equal(statements, 2);
	execute("UPDATE incidents SET impact = 1, names_pages = NULL WHERE title = 't9'");
	cost_of_reports(&statements);
	assert_int_equal(statements, 2);
}

int main(void)
{
#define LIST_TEST(function) cmocka_unit_test_setup(function, many_incidents)
	const struct CMUnitTest tests[] = {
		LIST_TEST(pages_follow_the_order_from_both_ends),
		LIST_TEST(pages_of_a_search_follow_the_order),
		LIST_TEST(totals_agree_with_the_rows),
		LIST_TEST(a_page_takes_one_statement_or_two),
		LIST_TEST(no_list_makes_a_table_on_the_database_s_disk),
		LIST_TEST(a_deep_page_reads_no_rows_that_it_skips),
		LIST_TEST(a_list_of_reports_is_one_statement_of_few_rows),
		LIST_TEST(named_pages_and_found_impacts_are_one_statement),
		LIST_TEST(a_deep_page_is_right_while_incidents_come_and_go),
	};
	return RUN_ON_DATABASE(tests);
}
