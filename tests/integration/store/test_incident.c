#include "integration/lib/database.h"

#include "store/incident.h"

static const struct event_source source = { &tester, { 1772704800 } };

/* An incident with a value of its own in every column. */
static struct incident full_incident(int64_t account, int64_t monitor)
{
	return (struct incident){ .account_id = account,
				  .monitor_id = monitor,
				  .title = "The title",
				  .cause = "The cause",
				  .comment = "The comment",
				  .started_at = at(1, 1),
				  .acknowledged_at = at(2, 2),
				  .ended_at = at(3, 3) };
}

static enum result insert_and_mark(struct incident *incident)
{
	enum result result = incident_insert(db, incident, source.now, &error);
	return result == OK ? incident_mark_pages(db, incident, source.now, &error) : result;
}

static struct incident inserted(struct incident incident)
{
	assert_committed(insert_and_mark(&incident));
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
	assert_transaction(E_CONFLICT, incident_insert(db, &second, source.now, &error));
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
	const struct incident_query query = { .account_id = account,
					      .status = INCIDENT_ANY_STATUS,
					      .limit = 10 };
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
	incident_advance(&before, &after, at(7, 7));
	assert_committed(incident_save(db, &before, &after, &error));
	assert_int_equal(after.revision, 2);
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
	/* Both months are written again: the one that it left, and the one that it is in. */
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
	incident_advance(&before, &after, at(7, 7));
	uint64_t queries = db_queries(db);
	assert_committed(incident_save(db, &before, &after, &error));
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
	incident_advance(&before, &after, at(8, 8));
	assert_committed(incident_save(db, &before, &after, &error));
	assert_rows("2026-03-08 08:00:00", "SELECT updated_at FROM monitors");
}

static enum result delete_and_mark(const struct incident *incident, struct instant now)
{
	enum result result = incident_delete(db, incident, &error);
	return result == OK ? incident_mark_pages(db, incident, now, &error) : result;
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
	assert_committed(delete_and_mark(&incident, at(7, 7)));
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
	assert_ok(db_begin(db, DB_WRITE, &error));
	assert_ok(incident_save(db, &incident, &stolen, &error));
	assert_ok(db_commit(db, &error));
	assert_rows("The comment|1", "SELECT comment, revision FROM incidents");
	execute("UPDATE incident_counts SET total = 1");
	assert_ok(db_begin(db, DB_WRITE, &error));
	assert_ok(incident_delete(db, &stolen, &error));
	assert_ok(db_commit(db, &error));
	assert_rows("1", "SELECT COUNT(*) FROM incidents");
}

/*
 * Four incidents, named by their cause: "open" and "ack" last; "late" started before "early",
 * which ended before it. Another account has "theirs".
 */
static int64_t listed_account(int64_t *monitor)
{
	int64_t account = add_account("one"), two = add_account("two");
	int64_t web = add_monitor(account, "web"), mail = add_monitor(account, "mail");
	struct incident row = full_incident(account, web);
	*monitor = web;
	row.title = NULL;
	row.cause = "late";
	row.ended_at = at(20, 0);
	inserted(row);
	row.cause = "early";
	row.started_at = at(2, 0);
	row.ended_at = at(3, 0);
	inserted(row);
	row.cause = "open";
	row.started_at = at(5, 0);
	row.acknowledged_at = row.ended_at = (struct instant){ 0 };
	inserted(row);
	row.monitor_id = mail;
	row.cause = "ack";
	row.started_at = at(4, 0);
	row.acknowledged_at = at(5, 0);
	inserted(row);
	row.account_id = two;
	row.monitor_id = add_monitor(two, "web-two");
	row.cause = "theirs";
	inserted(row);
	return account;
}

static const char *listed(const struct incident_query *query, int64_t total)
{
	struct incident_list list;
	const char *causes = "";
	assert_ok(incident_list(db, query, &arena, &list, &error));
	assert_int_equal(list.total, total);
	for (size_t i = 0; i < list.count; i++)
		causes = arena_printf(&arena, "%s%s%s", causes, i > 0 ? " " : "",
				      list.rows[i].cause);
	return causes;
}

static void lists_sort_and_page(void **state)
{
	int64_t monitor;
	(void)state;
	struct incident_query query = { .account_id = listed_account(&monitor),
					.status = INCIDENT_ANY_STATUS,
					.limit = 10 };
	assert_string_equal(listed(&query, 4), "open ack early late");
	query.is_ascending = true;
	assert_string_equal(listed(&query, 4), "late early ack open");
	query.sort_by = INCIDENT_BY_ENDED_AT;
	assert_string_equal(listed(&query, 4), "early late open ack");
	query.is_ascending = false;
	assert_string_equal(listed(&query, 4), "ack open late early");
	query.limit = 2;
	query.offset = 1;
	assert_string_equal(listed(&query, 4), "open late");
}

static void lists_filter_by_monitor_and_status(void **state)
{
	int64_t monitor;
	(void)state;
	struct incident_query query = { .account_id = listed_account(&monitor),
					.status = INCIDENT_UNRESOLVED,
					.limit = 10 };
	assert_string_equal(listed(&query, 1), "open");
	query.status = INCIDENT_ACKNOWLEDGED;
	assert_string_equal(listed(&query, 1), "ack");
	query.status = INCIDENT_RESOLVED;
	assert_string_equal(listed(&query, 2), "early late");
	query.monitor_id = monitor;
	query.sort_by = INCIDENT_BY_ENDED_AT;
	assert_string_equal(listed(&query, 2), "late early");
	query.status = INCIDENT_ANY_STATUS;
	assert_string_equal(listed(&query, 3), "open late early");
	query.sort_by = INCIDENT_BY_STARTED_AT;
	assert_string_equal(listed(&query, 3), "open early late");
	query.status = INCIDENT_UNRESOLVED;
	assert_string_equal(listed(&query, 1), "open");
	query.monitor_id = 999999999;
	assert_string_equal(listed(&query, 0), "");
}

static void lists_search_where_they_are_told(void **state)
{
	int64_t monitor;
	(void)state;
	struct incident_query query = { .account_id = listed_account(&monitor),
					.status = INCIDENT_ANY_STATUS,
					.limit = 10,
					.search = "EA" };
	assert_string_equal(listed(&query, 1), "early");
	query.search = "mail";
	assert_string_equal(listed(&query, 1), "ack");
	query.search_by = INCIDENT_SEARCH_CAUSE;
	assert_string_equal(listed(&query, 0), "");
	query.search_by = INCIDENT_SEARCH_MONITOR;
	assert_string_equal(listed(&query, 1), "ack");
	query.search = "mail.example";
	assert_string_equal(listed(&query, 0), "");
	query.search_by = INCIDENT_SEARCH_URL;
	assert_string_equal(listed(&query, 1), "ack");
	query.search_by = INCIDENT_SEARCH_CAUSE;
	query.search = "the";
	assert_string_equal(listed(&query, 0), "");
	query.search = "%";
	assert_string_equal(listed(&query, 0), "");
}

static struct incident *imported_rows(int64_t a, int64_t b)
{
	static struct incident rows[2];
	rows[0] = (struct incident){ .monitor_id = a,
				     .title = "T1",
				     .cause = "C1",
				     .comment = "M1",
				     .started_at = { at(1, 23).s - 29 * 86400 },
				     .acknowledged_at = { at(1, 23).s - 29 * 86400 + 1800 },
				     .ended_at = { at(1, 1).s - 28 * 86400 } };
	rows[1] = (struct incident){ .monitor_id = b,
				     .cause = "C2",
				     .started_at = { at(2, 0).s - 28 * 86400 },
				     .ended_at = { at(2, 1).s - 28 * 86400 } };
	return rows;
}

#define IMPORTED_EVENT "incident.imported|incident|" EVENT_SOURCE_TEXT "|2026-03-05 10:00:00|1|"

static void many_are_imported_at_once(void **state)
{
	(void)state;
	int64_t account = add_account("one"), a = add_monitor(account, "a"),
		b = add_monitor(account, "b");
	int64_t page = add_page(account, "shows"), foreign = add_page(add_account("two"), "theirs");
	show_monitor(page, a, 1);
	show_monitor(foreign, a, 1);
	execute("UPDATE monitors SET known_since = '2026-02-01 00:00:00'");
	assert_committed(incident_import(db, account, imported_rows(a, b), 2, &source, &error));
	assert_rows("a|T1|C1|M1|2026-01-31 23:00:00|2026-01-31 23:30:00|2026-02-01 01:00:00|"
		    "2026-03-05 10:00:00|2026-03-05 10:00:00\n"
		    "b|-|C2|-|2026-02-02 00:00:00|-|2026-02-02 01:00:00|2026-03-05 10:00:00|"
		    "2026-03-05 10:00:00",
		    "SELECT m.name, i.title, i.cause, i.comment, i.started_at, i.acknowledged_at, "
		    "i.ended_at, i.created_at, i.updated_at FROM incidents i "
		    "JOIN monitors m ON m.id = i.monitor_id ORDER BY i.id");
	assert_rows("a|2|1\nb|2|1", "SELECT m.name, c.status, c.total FROM incident_counts c "
				    "JOIN monitors m ON m.id = c.monitor_id ORDER BY m.id");
	assert_rows("a|2026-01-01\nb|2026-02-01",
		    "SELECT m.name, h.month FROM incident_months h "
		    "JOIN monitors m ON m.id = h.monitor_id ORDER BY m.id");
	assert_rows("a|2026-01-31 23:00:00\nb|2026-02-01 00:00:00",
		    "SELECT name, known_since FROM monitors ORDER BY id");
	assert_rows(IMPORTED_EVENT "a|C1\n" IMPORTED_EVENT "b|C2",
		    "SELECT e.kind, e.object, " EVENT_SOURCE_SHOWN ", e.at, "
		    "e.account_id = i.account_id, m.name, e.detail FROM events e "
		    "JOIN incidents i ON i.id = e.object_id "
		    "JOIN monitors m ON m.id = e.monitor_id AND m.id = i.monitor_id "
		    "ORDER BY e.id");
	assert_rows("shows|2|2026-03-05 10:00:00\ntheirs|1|-",
		    "SELECT p.slug, r.revision, r.unpublished_since "
		    "FROM " PAGES_AND_REVISIONS " ORDER BY p.id");
	assert_transaction(E_INVALID,
			   incident_import(db, account,
					   imported_rows(a, add_monitor(add_account("3"), "c")), 2,
					   &source, &error));
	assert_rows("2", "SELECT COUNT(*) FROM incidents");
}

static void counts_are_checked_and_rebuilt(void **state)
{
	int64_t wrong = -1;
	(void)state;
	int64_t account = add_account("one"), monitor = add_monitor(account, "web");
	inserted(full_incident(account, monitor));
	assert_ok(incident_counts_check(db, &arena, &wrong, &error));
	assert_int_equal(wrong, 0);
	execute("UPDATE incident_counts SET total = 5 WHERE status = 2");
	execute("REPLACE INTO incident_counts (monitor_id, status, account_id, total) "
		"VALUES (%ld, 1, %ld, 1)",
		(long)monitor, (long)account);
	assert_ok(incident_counts_check(db, &arena, &wrong, &error));
	assert_int_equal(wrong, 2);
	assert_committed(incident_counts_rebuild(db, &error));
	assert_ok(incident_counts_check(db, &arena, &wrong, &error));
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
		DATABASE_TEST(lists_sort_and_page),
		DATABASE_TEST(lists_filter_by_monitor_and_status),
		DATABASE_TEST(lists_search_where_they_are_told),
		DATABASE_TEST(many_are_imported_at_once),
		DATABASE_TEST(counts_are_checked_and_rebuilt),
	};
	return RUN_ON_DATABASE(tests);
}
