/* What lists of incidents are sorted by, filtered by and searched in. */
#include "integration/lib/database.h"

#include "store/incident/incident.h"

static void insert(struct incident *row)
{
	row->impact = INCIDENT_MAJOR_OUTAGE;
	assert_ok(write_incident(NULL, row, at(5, 10)));
}

/*
 * Four incidents, named by their cause: "open" and "ack" last; "late" started before "early",
 * which ended before it. Another account has "theirs".
 */
static int64_t listed_account(int64_t *monitor)
{
	int64_t account = add_account("one"), two = add_account("two");
	int64_t web = add_monitor(account, "web"), mail = add_monitor(account, "mail");
	struct incident row = { .account_id = account,
				.monitor_id = web,
				.cause = "late",
				.comment = "The comment",
				.started_at = at(1, 1),
				.acknowledged_at = at(2, 2),
				.ended_at = at(20, 0) };
	*monitor = web;
	insert(&row);
	row.cause = "early";
	row.started_at = at(2, 0);
	row.ended_at = at(3, 0);
	insert(&row);
	row.cause = "open";
	row.started_at = at(5, 0);
	row.acknowledged_at = row.ended_at = (struct instant){ 0 };
	insert(&row);
	row.monitor_id = mail;
	row.cause = "ack";
	row.started_at = at(4, 0);
	row.acknowledged_at = at(5, 0);
	insert(&row);
	row.account_id = two;
	row.monitor_id = add_monitor(two, "web-two");
	row.cause = "theirs";
	insert(&row);
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
	struct incident_query query = { .list.account_id = listed_account(&monitor),
					.status = INCIDENT_ANY_STATUS,
					.list.limit = 10 };
	assert_string_equal(listed(&query, 4), "open ack early late");
	query.list.is_ascending = true;
	assert_string_equal(listed(&query, 4), "late early ack open");
	query.list.sort_by = INCIDENT_BY_ENDED_AT;
	assert_string_equal(listed(&query, 4), "early late open ack");
	query.list.is_ascending = false;
	assert_string_equal(listed(&query, 4), "ack open late early");
	query.list.limit = 2;
	query.list.offset = 1;
	assert_string_equal(listed(&query, 4), "open late");
}

static void lists_filter_by_monitor_and_status(void **state)
{
	int64_t monitor;
	(void)state;
	struct incident_query query = { .list.account_id = listed_account(&monitor),
					.status = INCIDENT_UNRESOLVED,
					.list.limit = 10 };
	assert_string_equal(listed(&query, 1), "open");
	query.status = INCIDENT_ACKNOWLEDGED;
	assert_string_equal(listed(&query, 1), "ack");
	query.status = INCIDENT_RESOLVED;
	assert_string_equal(listed(&query, 2), "early late");
	query.monitor_id = monitor;
	query.list.sort_by = INCIDENT_BY_ENDED_AT;
	assert_string_equal(listed(&query, 2), "late early");
	query.status = INCIDENT_ANY_STATUS;
	assert_string_equal(listed(&query, 3), "open late early");
	query.list.sort_by = INCIDENT_BY_STARTED_AT;
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
	struct incident_query query = { .list.account_id = listed_account(&monitor),
					.status = INCIDENT_ANY_STATUS,
					.list.limit = 10,
					.list.search = "EA" };
	assert_string_equal(listed(&query, 1), "early");
	query.list.search = "mail";
	assert_string_equal(listed(&query, 1), "ack");
	query.list.search_by = INCIDENT_SEARCH_CAUSE;
	assert_string_equal(listed(&query, 0), "");
	query.list.search_by = INCIDENT_SEARCH_MONITOR;
	assert_string_equal(listed(&query, 1), "ack");
	query.list.search = "mail.example";
	assert_string_equal(listed(&query, 0), "");
	query.list.search_by = INCIDENT_SEARCH_URL;
	assert_string_equal(listed(&query, 1), "ack");
	query.list.search_by = INCIDENT_SEARCH_CAUSE;
	query.list.search = "the";
	assert_string_equal(listed(&query, 0), "");
	query.list.search = "%";
	assert_string_equal(listed(&query, 0), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(lists_sort_and_page),
		DATABASE_TEST(lists_filter_by_monitor_and_status),
		DATABASE_TEST(lists_search_where_they_are_told),
	};
	return RUN_ON_DATABASE(tests);
}
