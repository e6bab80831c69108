#include "integration/lib/database.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/schema/migration.h"

static const struct event_source source = { &tester, { 1772704800 } };

#define ROW_TEXT(kind, object, id) \
	kind "|" object "|" id "|" EVENT_SOURCE_TEXT "|2026-03-05 10:00:00"
#define ROWS \
	"SELECT kind, object, object_id, " EVENT_SOURCE_SHOWN ", at, account_id, monitor_id, " \
	"detail FROM events ORDER BY id"

static void an_event_has_each_value_in_its_column(void **state)
{
	(void)state;
	int64_t account = add_account("one");
	const struct event_change change = { .kind = EVENT_INCIDENT_OPENED,
					     .account_id = account,
					     .object_id = 31,
					     .monitor_id = 32,
					     .detail = "why" };
	assert_committed(event_append(db, &source, &change, 1, &error));
	assert_rows(arena_printf(&arena,
				 ROW_TEXT("incident.opened", "incident", "31") "|%ld|32|why",
				 (long)account),
		    ROWS);
}

static void an_event_may_lack_what_is_optional(void **state)
{
	(void)state;
	const struct principal system = { .type = PRINCIPAL_SYSTEM };
	const struct event_source by_clock = { &system, at(6, 0) };
	const struct event_change change = { .kind = EVENT_ACCOUNT_DELETED, .object_id = 5 };
	assert_committed(event_append(db, &by_clock, &change, 1, &error));
	assert_rows("account.deleted|account|5|system|-||-|-|2026-03-06 00:00:00|-|-|-", ROWS);
}

static void many_events_keep_their_order_and_their_accounts(void **state)
{
	enum { CHANGES = 20 };
	struct event_change changes[CHANGES];
	(void)state;
	int64_t one = add_account("one"), two = add_account("two");
	/* Runs of one, of two, and of more than fit into a statement. */
	for (int i = 0; i < CHANGES; i++)
		changes[i] = (struct event_change){
			.kind = i == 5 ? EVENT_KEY_REVOKED : EVENT_INCIDENT_RESOLVED,
			.account_id = i < 2 ? two : one,
			.object_id = 100 + i,
			.monitor_id = i % 2 == 0 ? 200 + i : 0,
			.detail = i % 3 == 0 ? arena_printf(&arena, "d%d", i) : NULL,
		};
	assert_committed(event_append(db, &source, changes, CHANGES, &error));
	const char *expected = "";
	for (int i = 0; i < CHANGES; i++)
		expected = arena_printf(
			&arena, "%s%s%s|%ld|%s|%s", expected, i > 0 ? "\n" : "",
			i == 5 ? arena_printf(&arena, ROW_TEXT("key.revoked", "key", "%d"), 100 + i)
			       : arena_printf(&arena,
					      ROW_TEXT("incident.resolved", "incident", "%d"),
					      100 + i),
			(long)(i < 2 ? two : one),
			i % 2 == 0 ? arena_printf(&arena, "%d", 200 + i) : "-",
			i % 3 == 0 ? arena_printf(&arena, "d%d", i) : "-");
	assert_rows(expected, ROWS);
	assert_committed(event_append(db, &source, NULL, 0, &error));
	assert_rows("20", "SELECT COUNT(*) FROM events");
}

static void a_lost_domain_that_is_taken_is_an_event_of_its_page(void **state)
{
	(void)state;
	int64_t one = add_account("one"), page = add_page(one, "p"), other = add_page(one, "q");
	execute("UPDATE status_pages SET domain = CONCAT(slug, '.example'), "
		"domain_lost_at = IF(slug = 'p', NOW(), NULL)");
	assert_committed(event_append_domain_taken(db, "q.example", page, at(6, 0), &error));
	assert_committed(event_append_domain_taken(db, "p.example", page, at(6, 0), &error));
	assert_rows("0", "SELECT COUNT(*) FROM events");
	assert_committed(event_append_domain_taken(db, "p.example", other, at(6, 0), &error));
	assert_rows(arena_printf(&arena,
				 "domain.taken|status_page|%ld|system|-||-|-|2026-03-06 00:00:00|"
				 "%ld|-|p.example",
				 (long)page, (long)one),
		    ROWS);
}

/*
 * Events named by their detail. Of the first account: "open" and "end" of incident 1, "other" of
 * incident 2, "page" of a page with the id 1. "theirs" is of another account, and "installation"
 * of none. The times of "end" and "other" are not in the order of the ids.
 */
static int64_t add_events(void)
{
	int64_t one = add_account("one"), two = add_account("two");
	execute("INSERT INTO events (account_id, kind, object, object_id, actor_type, actor_id, "
		"actor_label, at, address, request_id, detail) VALUES "
		"(%1$ld, 'incident.opened', 'incident', 1, 'key', 7, 'l', '2026-03-01 00:00:00', "
		"'192.0.2.1', 'r', 'open'), "
		"(%1$ld, 'incident.resolved', 'incident', 1, 'operator', NULL, 'l', "
		"'2026-03-04 00:00:00', NULL, NULL, 'end'), "
		"(%1$ld, 'incident.opened', 'incident', 2, 'key', 7, 'l', '2026-03-03 00:00:00', "
		"NULL, NULL, 'other'), "
		"(%1$ld, 'status_page.created', 'status_page', 1, 'key', 7, 'l', "
		"'2026-03-05 00:00:00', NULL, NULL, 'page'), "
		"(%2$ld, 'incident.opened', 'incident', 3, 'key', 8, 'l', '2026-03-02 00:00:00', "
		"NULL, NULL, 'theirs'), "
		"(NULL, 'account.deleted', 'account', 9, 'operator', NULL, 'l', "
		"'2026-03-06 00:00:00', NULL, NULL, 'installation')",
		(long)one, (long)two);
	return one;
}

static const char *listed(struct event_query query, int64_t expected_total)
{
	struct event_list list;
	int64_t total = -1;
	const char *details = "";
	assert_ok(event_list(db, &query, &arena, &list, &error));
	for (size_t i = 0; i < list.count; i++)
		details = arena_printf(&arena, "%s%s%s", details, i > 0 ? " " : "",
				       list.rows[i].detail);
	assert_ok(event_count(db, &query, &arena, &total, &error));
	assert_int_equal(total, expected_total);
	return details;
}

static void an_event_is_read_as_it_was_stored(void **state)
{
	struct event_list list;
	(void)state;
	int64_t account = add_events();
	const struct event_query query = { .account_id = account, .limit = 1, .offset = 3 };
	assert_ok(event_list(db, &query, &arena, &list, &error));
	assert_int_equal(list.count, 1);
	const struct event *event = &list.rows[0];
	assert_int_equal(event->id, select_number("SELECT MIN(id) FROM events"));
	assert_int_equal(event->account_id, account);
	assert_string_equal(event->kind, "incident.opened");
	assert_string_equal(event->object, "incident");
	assert_int_equal(event->object_id, 1);
	assert_string_equal(event->actor_type, "key");
	assert_int_equal(event->actor_id, 7);
	assert_string_equal(event->actor_label, "l");
	assert_int_equal(event->at.s, at(1, 0).s);
	assert_string_equal(event->address, "192.0.2.1");
	assert_string_equal(event->request_id, "r");
	assert_string_equal(event->detail, "open");
}

static void an_account_sees_its_own_events_alone(void **state)
{
	(void)state;
	int64_t account = add_events();
	struct event_query query = { .account_id = account, .limit = 10 };
	assert_string_equal(listed(query, 4), "page end other open");
	query.is_oldest_first = true;
	assert_string_equal(listed(query, 4), "open end other page");
	query.account_id = 0;
	assert_string_equal(listed(query, 6), "open end other page theirs installation");
	query.is_oldest_first = false;
	assert_string_equal(listed(query, 6), "installation theirs page other end open");
	/* Filters keep it so. */
	query = (struct event_query){ .account_id = account, .object_id = 3, .limit = 10 };
	assert_string_equal(listed(query, 0), "");
}

static void filters_choose_events(void **state)
{
	(void)state;
	int64_t account = add_events();
	struct event_query query = { .account_id = account,
				     .kind = "incident.opened",
				     .limit = 10 };
	assert_string_equal(listed(query, 2), "other open");
	query = (struct event_query){ .account_id = account, .object = "incident", .limit = 10 };
	assert_string_equal(listed(query, 3), "end other open");
	query.object_id = 1;
	assert_string_equal(listed(query, 2), "end open");
	query.object = NULL;
	assert_string_equal(listed(query, 3), "page end open");
	query = (struct event_query){ .account_id = account, .since = at(4, 0), .limit = 10 };
	assert_string_equal(listed(query, 2), "page end");
	query.since.s++;
	assert_string_equal(listed(query, 1), "page");
}

static void limit_and_offset_cut_the_list_and_not_the_count(void **state)
{
	(void)state;
	struct event_query query = { .account_id = add_events(), .limit = 2, .offset = 1 };
	assert_string_equal(listed(query, 4), "end other");
	query.offset = 4;
	assert_string_equal(listed(query, 4), "");
}

static void events_of_one_second_are_listed_by_id(void **state)
{
	(void)state;
	struct event_query query = { .account_id = add_events(), .limit = 10 };
	execute("UPDATE events SET at = '2026-03-01 00:00:00'");
	assert_string_equal(listed(query, 4), "page other end open");
}

static struct event_change change_of(enum event_kind kind, int64_t account, int64_t object_id)
{
	return (struct event_change){ .kind = kind, .account_id = account, .object_id = object_id };
}

static int64_t add_incident(int64_t account, int64_t monitor, const char *ended_at)
{
	execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, ended_at, "
		"created_at, updated_at) VALUES (%ld, %ld, 'c', '2026-01-01', %s, '2026-01-01', "
		"'2026-01-01')",
		(long)account, (long)monitor, ended_at);
	return atoll(select_text("SELECT MAX(id) FROM incidents"));
}

/* Appends two old events of the open incident and of the other, and a newer one of each. */
static void append_both(int64_t account, int64_t open, int64_t ended)
{
	struct event_source old = { &tester, at(1, 0) }, newer = { &tester, at(2, 0) };
	const struct event_change changes[] = {
		change_of(EVENT_INCIDENT_OPENED, account, ended),
		change_of(EVENT_INCIDENT_OPENED, account, open),
		change_of(EVENT_INCIDENT_RESOLVED, account, ended),
		change_of(EVENT_INCIDENT_COMMENTED, account, open),
	};
	assert_committed(event_append(db, &old, changes, 2, &error));
	assert_committed(event_append(db, &newer, changes + 2, 2, &error));
	/* The id of a page may be that of an incident. */
	const struct event_change page = change_of(EVENT_STATUS_PAGE_CREATED, account, open);
	assert_committed(event_append(db, &old, &page, 1, &error));
}

static size_t prune(struct instant before)
{
	int64_t after_id = 0;
	size_t parts = 0;
	for (bool is_more = true; is_more; parts++)
		assert_ok(event_prune(db, before, &after_id, &is_more, &error));
	return parts;
}

static void old_events_are_pruned_but_for_those_of_open_incidents(void **state)
{
	(void)state;
	int64_t account = add_account("one"), monitor = add_monitor(account, "web");
	int64_t open = add_incident(account, monitor, "NULL");
	int64_t ended = add_incident(account, monitor, "'2026-02-01'");
	append_both(account, open, ended);
	assert_int_equal(prune(at(1, 0)), 1);
	assert_rows("5", "SELECT COUNT(*) FROM events");
	assert_int_equal(prune(at(2, 0)), 2);
	assert_rows(arena_printf(&arena,
				 "incident.opened|%ld\nincident.resolved|%ld\n"
				 "incident.commented|%ld",
				 (long)open, (long)ended, (long)open),
		    "SELECT kind, object_id FROM events ORDER BY id");
	/* More than a part, behind those that stay. */
	execute("INSERT INTO events (account_id, kind, object, object_id, actor_type, "
		"actor_label, at) SELECT %ld, 'key.created', 'key', 1, 'system', '', "
		"IF(seq <= 2500, '2026-03-01', '2026-03-05') FROM seq_1_to_4500",
		(long)account);
	assert_int_equal(prune(at(4, 0)), 6);
	assert_rows("incident.commented|1\nincident.opened|1\nkey.created|2000",
		    "SELECT kind, COUNT(*) FROM events GROUP BY kind ORDER BY kind");
}

static int64_t total_of(struct event_query query)
{
	int64_t total = 0;
	assert_ok(event_count(db, &query, &arena, &total, &error));
	query.limit = EVENT_LIST_MAX;
	struct event_list list;
	assert_ok(event_list(db, &query, &arena, &list, &error));
	assert_int_equal(list.count, total);
	return total;
}

static void each_filter_chooses_its_events(void **state)
{
	(void)state;
	int64_t account = add_account("one"), other = add_account("two");
	append_both(account, 7, 8);
	append_both(other, 7, 9);
	const struct event_query own = { .account_id = account };
	struct event_query query = own;
	assert_int_equal(total_of(query), 5);
	query.kind = "incident.opened";
	assert_int_equal(total_of(query), 2);
	query.object = "status_page";
	assert_int_equal(total_of(query), 0);
	query = own;
	query.object = "status_page";
	assert_int_equal(total_of(query), 1);
	query.object = "incident";
	assert_int_equal(total_of(query), 4);
	query.since = at(2, 0);
	assert_int_equal(total_of(query), 2);
	query.object_id = 7;
	assert_int_equal(total_of(query), 1);
	query = own;
	query.object_id = 7;
	assert_int_equal(total_of(query), 3);
	query.account_id = 0;
	assert_int_equal(total_of(query), 6);
	query.object = "incident";
	assert_int_equal(total_of(query), 4);
	query.object_id = 0;
	assert_int_equal(total_of(query), 8);
}

/* How often the server has looked at a page of its buffer, and how many rows it has sorted. */
static int64_t status_of(const char *name)
{
	return atoll(select_text("SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS "
				 "WHERE VARIABLE_NAME = '%s'",
				 name));
}
#define PAGE_READS "Innodb_buffer_pool_read_requests"
#define SORTED	   "Sort_rows"

/* An offset and a count that nothing is kept for yet read an index and no rows, in its order. */
static void a_deep_page_reads_an_index_alone(void **state)
{
	static const char *const filters[] = { "", "incident", "key" };
	(void)state;
	int64_t account = add_account("one");
	execute("INSERT INTO events (account_id, kind, object, object_id, actor_type, "
		"actor_label, at) SELECT %ld, IF(seq %% 2, 'key.created', 'incident.opened'), "
		"IF(seq %% 2, 'key', 'incident'), seq, 'system', '', '2026-03-01' + INTERVAL seq "
		"SECOND FROM seq_1_to_3000",
		(long)account);
	for (size_t i = 0; i < ARRAY_LEN(filters); i++) {
		int64_t total, expected = i == 0 ? 3000 : 1500;
		struct event_list list;
		struct event_query query = { .account_id = account,
					     .object = *filters[i] ? filters[i] : NULL,
					     .limit = 10,
					     .offset = expected - 10 };
		int64_t reads = 1001, sorted = 0;
		/* The database's own threads read, too, for as long as a second. */
		for (int tries = 0; tries < 1000 && reads > 1000; tries++) {
			usleep(tries == 0 ? 0 : 10000);
			reads = status_of(PAGE_READS);
			sorted = status_of(SORTED);
			assert_ok(event_count(db, &query, &arena, &total, &error));
			assert_ok(event_list(db, &query, &arena, &list, &error));
			reads = status_of(PAGE_READS) - reads;
			sorted = status_of(SORTED) - sorted;
		}
		assert_int_equal(total, expected);
		assert_int_equal(list.count, 10);
		assert_in_range(reads, 0, 1000);
		assert_in_range(sorted, 0, 20);
		assert_true(list.rows[9].object_id <= 2);
		assert_true(list.rows[0].at.s > list.rows[9].at.s);
	}
}

/* Events, and their kept counts, that a program of before 0.1 has stored. */
static void events_of_older_programs_get_the_present_words(void **state)
{
	static const char *const kinds[] = { "monitor.added", "monitor.removed", "account.added",
					     "account.removed", "monitor.retired" };
	(void)state;
	int64_t account = add_account("one");
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		execute("INSERT INTO events (account_id, kind, object, object_id, actor_type, "
			"actor_label, at) VALUES (%s, '%s', '%.7s', %zu, 'operator', '', NOW())",
			i == 3 ? "NULL" : arena_printf(&arena, "%ld", (long)account), kinds[i],
			kinds[i], i);
		execute("INSERT INTO event_counts (account_id, object_id, what, span, start, "
			"total) "
			"VALUES (%ld, 0, '%s', 'all', '1970-01-01', %zu)",
			(long)account, kinds[i], i + 1);
	}
	for (int run = 0; run < 2; run++) {
		for (size_t i = 0; i < migration_files_count; i++)
			if (strncmp(migration_files[i].name, "022", 3) == 0)
				execute("%s", migration_files[i].text);
		assert_rows("monitor.created\nmonitor.deleted\naccount.created\naccount.deleted\n"
			    "monitor.retired",
			    "SELECT kind FROM events ORDER BY id");
		assert_rows("monitor.created|1\nmonitor.deleted|2\naccount.created|3\n"
			    "account.deleted|4\nmonitor.retired|5",
			    "SELECT what, total FROM event_counts ORDER BY total");
	}
}

static void a_search_reads_the_newest_events_of_the_filters(void **state)
{
	(void)state;
	int64_t account = add_account("one"), other = add_account("two"), total = 0;
	struct event_list list;
	execute("INSERT INTO events (account_id, kind, object, object_id, actor_type, actor_label, "
		"at, detail) SELECT IF(seq = 7, %ld, %ld), IF(seq %% 2, 'key.created', "
		"'key.revoked'), 'key', seq, 'key', IF(seq = 30, '100%%', 'x'), "
		"TIMESTAMPADD(SECOND, seq, '2026-03-01'), IF(seq %% 100 = 1, 'An Ärger_', seq) "
		"FROM seq_1_to_10300",
		(long)other, (long)account);
	struct event_query query = { .account_id = account, .search = "äRGER_", .limit = 10 };
	const uint64_t before = db_queries(db);
	assert_ok(event_count(db, &query, &arena, &total, &error));
	assert_ok(event_list(db, &query, &arena, &list, &error));
	assert_int_equal(db_queries(db) - before, 2);
	/* Of the newest 10,000: not the events 1, 101 and 201. */
	assert_int_equal(total, 100);
	assert_int_equal(list.count, 10);
	assert_int_equal(list.rows[0].object_id, 10201);
	query.offset = 99;
	assert_ok(event_list(db, &query, &arena, &list, &error));
	assert_int_equal(list.count, 1);
	assert_int_equal(list.rows[0].object_id, 301);
	/* A filter lets the search reach further back. */
	query = (struct event_query){
		.account_id = account, .kind = "key.created", .limit = 10, .search = "rger"
	};
	assert_ok(event_count(db, &query, &arena, &total, &error));
	assert_int_equal(total, 103);
	query = (struct event_query){ .account_id = account,
				      .kind = "key.revoked",
				      .limit = 10,
				      .search = "%",
				      .search_by = EVENT_SEARCH_ACTOR };
	assert_ok(event_list(db, &query, &arena, &list, &error));
	assert_int_equal(list.count, 1);
	assert_int_equal(list.rows[0].object_id, 30);
	query = (struct event_query){ .account_id = other, .search = "rger", .limit = 10 };
	assert_ok(event_list(db, &query, &arena, &list, &error));
	assert_int_equal(list.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(old_events_are_pruned_but_for_those_of_open_incidents),
		DATABASE_TEST(each_filter_chooses_its_events),
		DATABASE_TEST(a_deep_page_reads_an_index_alone),
		DATABASE_TEST(an_event_has_each_value_in_its_column),
		DATABASE_TEST(an_event_may_lack_what_is_optional),
		DATABASE_TEST(many_events_keep_their_order_and_their_accounts),
		DATABASE_TEST(a_lost_domain_that_is_taken_is_an_event_of_its_page),
		DATABASE_TEST(an_event_is_read_as_it_was_stored),
		DATABASE_TEST(an_account_sees_its_own_events_alone),
		DATABASE_TEST(filters_choose_events),
		DATABASE_TEST(limit_and_offset_cut_the_list_and_not_the_count),
		DATABASE_TEST(events_of_one_second_are_listed_by_id),
		DATABASE_TEST(events_of_older_programs_get_the_present_words),
		DATABASE_TEST(a_search_reads_the_newest_events_of_the_filters),
	};
	return RUN_ON_DATABASE(tests);
}
