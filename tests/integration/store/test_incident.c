#include "integration/lib/database.h"

#include "store/incident/incident.h"

static const struct event_source source = { &tester, { 1772704800 } };

/* An incident with a value of its own in every column. */
static struct incident full_incident(int64_t account, int64_t monitor)
{
	struct incident incident = { .account_id = account,
				     .monitor_id = monitor,
				     .title = "The title",
				     .cause = "The cause",
				     .comment = "The comment",
				     .started_at = at(1, 1),
				     .acknowledged_at = at(2, 2),
				     .ended_at = at(3, 3),
				     .impact = INCIDENT_MAJOR_OUTAGE };
	incident_list_monitor(&incident, &arena);
	return incident;
}

static struct incident inserted(struct incident incident)
{
	assert_ok(write_incident(NULL, &incident, source.now));
	assert_true(incident.id > 0);
	return incident;
}

static void an_incident_is_stored_with_its_count_and_month(void **state)
{
	(void)state;
	int64_t account = add_account("one"), monitor = add_monitor(account, "web");
	add_monitor(account, "other");
	struct incident incident = inserted(full_incident(account, monitor));
	assert_rows(arena_printf(&arena,
				 "%ld|%ld|The title|The cause|The comment|2026-03-01 01:00:00|"
				 "2026-03-02 02:00:00|2026-03-03 03:00:00|1|"
				 "2026-03-05 10:00:00|2026-03-05 10:00:00",
				 (long)account, (long)monitor),
		    "SELECT account_id, monitor_id, title, cause, comment, started_at, "
		    "acknowledged_at, ended_at, revision, created_at, updated_at "
		    "FROM incidents WHERE id = %ld",
		    (long)incident.id);
	assert_rows(arena_printf(&arena, "%ld|2|%ld|1", (long)monitor, (long)account),
		    "SELECT monitor_id, status, account_id, total FROM incident_counts "
		    "WHERE total > 0");
	assert_rows("2026-03-01", "SELECT month FROM incident_months WHERE monitor_id = %ld",
		    (long)monitor);
}

static void a_change_marks_the_pages_that_show_its_monitor(void **state)
{
	(void)state;
	int64_t account = add_account("one"), monitor = add_monitor(account, "web");
	int64_t shows = add_page(account, "shows");
	add_page(account, "without");
	show_monitor(shows, monitor, 1);
	inserted(full_incident(account, monitor));
	assert_rows("shows|2|1|2026-03-05 10:00:00\nwithout|1|1|-",
		    "SELECT p.slug, r.revision, p.version, r.unpublished_since "
		    "FROM " PAGES_AND_REVISIONS " ORDER BY p.id");
	/* The record begins with the first incident. */
	assert_rows("2026-03-01 01:00:00", "SELECT known_since FROM monitors");
}

static void a_monitor_has_one_open_incident(void **state)
{
	struct incident found = { 0 };
	(void)state;
	int64_t account = add_account("one"), monitor = add_monitor(account, "web");
	struct incident open = full_incident(account, monitor), second;
	open.ended_at = (struct instant){ 0 };
	second = open;
	open = inserted(open);
	assert_result(E_CONFLICT, write_incident(NULL, &second, source.now));
	inserted(full_incident(account, monitor));
	assert_ok(db_begin(db, DB_WRITE, &error));
	assert_ok(incident_find_open(db, monitor, &arena, &found, &error));
	assert_int_equal(found.id, open.id);
	assert_result(E_NOT_FOUND,
		      incident_find_open(db, add_monitor(account, "idle"), &arena, &found, &error));
	db_rollback(db);
}

static void check_full(const struct incident *incident, int64_t account, int64_t monitor)
{
	assert_int_equal(incident->account_id, account);
	assert_int_equal(incident->monitor_id, monitor);
	assert_int_equal(incident->revision, 9);
	assert_string_equal(incident->monitor_name, "web");
	assert_string_equal(incident->monitor_url, "https://web.example/");
	assert_string_equal(incident->title, "The title");
	assert_string_equal(incident->cause, "The cause");
	assert_string_equal(incident->comment, "The comment");
	assert_int_equal(incident->started_at.s, at(1, 1).s);
	assert_int_equal(incident->acknowledged_at.s, at(2, 2).s);
	assert_int_equal(incident->ended_at.s, at(3, 3).s);
	assert_int_equal(incident->created_at.s, at(4, 4).s);
	assert_int_equal(incident->updated_at.s, at(6, 6).s);
}

static void an_incident_is_read_as_it_was_stored(void **state)
{
	struct incident found = { 0 };
	struct incident_list list;
	(void)state;
	int64_t account = add_account("one"), monitor = add_monitor(account, "web");
	struct incident incident = inserted(full_incident(account, monitor));
	execute("UPDATE incidents SET revision = 9, created_at = '2026-03-04 04:00:00', "
		"updated_at = '2026-03-06 06:00:00'");
	assert_ok(incident_find(db, account, incident.id, false, &arena, &found, &error));
	check_full(&found, account, monitor);
	assert_ok(incident_find(db, 0, incident.id, false, &arena, &found, &error));
	check_full(&found, account, monitor);
	assert_result(E_NOT_FOUND, incident_find(db, add_account("two"), incident.id, false, &arena,
						 &found, &error));
	const struct incident_query query = { .list.account_id = account,
					      .status = INCIDENT_ANY_STATUS,
					      .list.limit = 10 };
	assert_ok(incident_list(db, &query, &arena, &list, &error));
	assert_int_equal(list.count, 1);
	assert_int_equal(list.rows[0].id, incident.id);
	check_full(&list.rows[0], account, monitor);
}

static void the_last_incident_that_had_started_by_then(void **state)
{
	struct incident found = { 0 };
	(void)state;
	int64_t account = add_account("one"), monitor = add_monitor(account, "web");
	struct incident first = full_incident(account, monitor), second = first;
	second.started_at = at(2, 0);
	first = inserted(first);
	second = inserted(second);
	assert_ok(incident_find_last(db, monitor, at(2, 0), &arena, &found, &error));
	assert_int_equal(found.id, second.id);
	assert_ok(incident_find_last(db, monitor, (struct instant){ at(2, 0).s - 1 }, &arena,
				     &found, &error));
	assert_int_equal(found.id, first.id);
	assert_result(E_NOT_FOUND,
		      incident_find_last(db, monitor, at(1, 0), &arena, &found, &error));
}

static void saving_stores_each_value_and_moves_the_count(void **state)
{
	(void)state;
	int64_t account = add_account("one"), monitor = add_monitor(account, "web");
	struct incident before = full_incident(account, monitor);
	before.acknowledged_at = before.ended_at = (struct instant){ 0 };
	before.comment = NULL;
	before = inserted(before);
	before.revision = 1;
	struct incident other = full_incident(account, monitor);
	other = inserted(other);
	struct incident after = full_incident(account, monitor);
	after.id = before.id;
	after.started_at = (struct instant){ at(1, 1).s - 2 * 86400 };
	assert_ok(write_incident(&before, &after, at(7, 7)));
	assert_rows("The comment|2026-02-27 01:00:00|2026-03-02 02:00:00|2026-03-03 03:00:00|2|"
		    "2026-03-05 10:00:00|2026-03-07 07:00:00",
		    "SELECT comment, started_at, acknowledged_at, ended_at, revision, created_at, "
		    "updated_at FROM incidents WHERE id = %ld",
		    (long)after.id);
	assert_rows("2026-03-01 01:00:00|1",
		    "SELECT started_at, revision FROM incidents "
		    "WHERE id = %ld",
		    (long)other.id);
	assert_rows("2|2", "SELECT status, total FROM incident_counts WHERE total > 0");
	/* Both months are written again: the one that it left, in which it goes on, and the one
	 * that it is in. */
	assert_rows("2026-02-01|1\n2026-03-01|3",
		    "SELECT month, revision FROM incident_months ORDER BY month");
}

static void saving_marks_the_pages_the_monitor_and_the_month(void **state)
{
	(void)state;
	int64_t account = add_account("one"), monitor = add_monitor(account, "web");
	int64_t page = add_page(account, "p");
	show_monitor(page, monitor, 1);
	add_page(account, "without");
	struct incident before = inserted(full_incident(account, monitor)), after = before;
	execute("UPDATE page_revisions SET unpublished_since = NULL");
	execute("UPDATE monitors SET known_since = NULL");
	after.comment = "Another";
	uint64_t queries = db_queries(db);
	assert_ok(write_incident(&before, &after, at(7, 7)));
	/* With BEGIN and COMMIT. */
	assert_int_equal(db_queries(db) - queries, 3);
	assert_rows("p|3|1|2026-03-07 07:00:00\nwithout|1|1|-",
		    "SELECT p.slug, r.revision, p.version, r.unpublished_since "
		    "FROM " PAGES_AND_REVISIONS " ORDER BY p.id");
	/* A comment does not change the monitor's state. */
	assert_rows("2026-03-01 01:00:00|2026-03-05 10:00:00",
		    "SELECT known_since, updated_at FROM monitors");
	assert_rows("2026-03-01|2", "SELECT month, revision FROM incident_months");
	assert_rows("Another|2", "SELECT comment, revision FROM incidents");
	before = after;
	after.ended_at = at(4, 4);
	assert_ok(write_incident(&before, &after, at(8, 8)));
	assert_rows("2026-03-08 08:00:00", "SELECT updated_at FROM monitors");
}

static void deleting_takes_one_and_its_count(void **state)
{
	(void)state;
	int64_t account = add_account("one"), monitor = add_monitor(account, "web");
	int64_t page = add_page(account, "p");
	show_monitor(page, monitor, 1);
	struct incident incident = inserted(full_incident(account, monitor));
	struct incident kept = inserted(full_incident(account, monitor));
	execute("UPDATE page_revisions SET unpublished_since = NULL");
	assert_ok(write_incident(&incident, NULL, at(7, 7)));
	assert_rows(arena_printf(&arena, "%ld", (long)kept.id), "SELECT id FROM incidents");
	assert_rows("2|1", "SELECT status, total FROM incident_counts WHERE total > 0");
	assert_rows("2026-03-07 07:00:00", "SELECT unpublished_since FROM page_revisions");
}

static void a_write_spares_incidents_of_other_accounts(void **state)
{
	(void)state;
	int64_t account = add_account("one"), monitor = add_monitor(account, "web");
	struct incident incident = inserted(full_incident(account, monitor)), stolen = incident;
	stolen.account_id = add_account("two");
	stolen.comment = "Stolen";
	assert_ok(write_incident(&incident, &stolen, at(7, 7)));
	assert_rows("The comment|1", "SELECT comment, revision FROM incidents");
	execute("UPDATE incident_counts SET total = 1");
	assert_ok(write_incident(&stolen, NULL, at(7, 7)));
	assert_rows("1", "SELECT COUNT(*) FROM incidents");
}

static void counts_are_checked_and_rebuilt(void **state)
{
	int64_t wrong = -1;
	(void)state;
	int64_t account = add_account("one"), monitor = add_monitor(account, "web");
	inserted(full_incident(account, monitor));
	assert_ok(incident_counts_check(db, &wrong, &error));
	assert_int_equal(wrong, 0);
	execute("UPDATE incident_counts SET total = 5 WHERE status = 2");
	execute("REPLACE INTO incident_counts (monitor_id, status, account_id, total) "
		"VALUES (%ld, 1, %ld, 1)",
		(long)monitor, (long)account);
	assert_ok(incident_counts_check(db, &wrong, &error));
	assert_int_equal(wrong, 2);
	assert_committed(incident_counts_rebuild(db, &error));
	assert_ok(incident_counts_check(db, &wrong, &error));
	assert_int_equal(wrong, 0);
	assert_rows(arena_printf(&arena, "%ld|2|%ld|1", (long)monitor, (long)account),
		    "SELECT monitor_id, status, account_id, total FROM incident_counts");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(an_incident_is_stored_with_its_count_and_month),
		DATABASE_TEST(a_change_marks_the_pages_that_show_its_monitor),
		DATABASE_TEST(a_monitor_has_one_open_incident),
		DATABASE_TEST(an_incident_is_read_as_it_was_stored),
		DATABASE_TEST(the_last_incident_that_had_started_by_then),
		DATABASE_TEST(saving_stores_each_value_and_moves_the_count),
		DATABASE_TEST(saving_marks_the_pages_the_monitor_and_the_month),
		DATABASE_TEST(deleting_takes_one_and_its_count),
		DATABASE_TEST(a_write_spares_incidents_of_other_accounts),
		DATABASE_TEST(counts_are_checked_and_rebuilt),
	};
	return RUN_ON_DATABASE(tests);
}
