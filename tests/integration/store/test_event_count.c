#include "integration/lib/database.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* A filter of a list, as SQL chooses its events. */
struct filter {
	const char *kind;
	const char *object;
	int64_t object_id;
	int64_t since_s; /* after the first of March */
};

enum { DAY_S = 86400 };

static const struct filter filters[] = {
	{ 0 },
	{ .kind = "incident.opened" },
	{ .kind = "key.created" },
	{ .kind = "key.created", .object = "incident" },
	{ .object = "incident" },
	{ .object = "key" },
	{ .object = "account" },
	{ .object_id = 1 },
	{ .object = "incident", .object_id = 1 },
	{ .object = "monitor", .object_id = 2 },
	{ .kind = "monitor.updated", .object = "monitor", .object_id = 2 },
	{ .object = "monitor", .object_id = 2, .since_s = DAY_S },
	{ .since_s = 1 },
	{ .since_s = 3600 },
	{ .since_s = DAY_S - 1 },
	{ .since_s = DAY_S },
	{ .since_s = DAY_S + 1 },
	{ .since_s = 2 * DAY_S + 5 * 3600 + 1234 },
	{ .since_s = 400 * DAY_S },
	{ .kind = "monitor.updated", .since_s = DAY_S + 7205 },
	{ .object = "monitor", .since_s = DAY_S + 7205 },
};

/* An object is of one account. */
static int64_t object_of(int64_t account, int64_t number)
{
	return 10 * account + number;
}

static struct event_query query_of(int64_t account, const struct filter *filter)
{
	return (struct event_query){
		.account_id = account,
		.kind = filter->kind,
		.object = filter->object,
		.object_id = filter->object_id > 0 ? object_of(account, filter->object_id) : 0,
		.since = { filter->since_s > 0 ? at(1, 0).s + filter->since_s : 0 },
		.limit = EVENT_LIST_MAX,
	};
}

/* "FROM events WHERE ..." of the query, without any index. */
static const char *rows_of(const struct event_query *query)
{
	char since[INSTANT_TEXT_SIZE];
	return arena_printf(
		&arena,
		"FROM events IGNORE INDEX (events_account_at, events_account_id, events_kind, "
		"events_object, events_account_object) WHERE account_id = %ld AND kind LIKE '%s' "
		"AND object LIKE '%s' AND (%ld IN (0, object_id)) AND at >= '%s'",
		(long)query->account_id, query->kind ? query->kind : "%",
		query->object ? query->object : "%", (long)query->object_id,
		instant_format_sql(query->since, since));
}

static int64_t total_of(const struct event_query *query)
{
	int64_t total = -1;
	assert_ok(event_count(db, query, &arena, &total, &error));
	return total;
}

static void assert_totals(int64_t account)
{
	for (size_t i = 0; i < ARRAY_LEN(filters); i++) {
		const struct event_query query = query_of(account, &filters[i]);
		int64_t expected = select_number("SELECT COUNT(*) %s", rows_of(&query));
		if (total_of(&query) != expected)
			fail_msg("filter %zu: %ld instead of %ld", i, (long)total_of(&query),
				 (long)expected);
	}
}

/* Each kept count is that of its rows, and there is no other. */
static void assert_counts_are_right(void)
{
	static const char *const spans[][2] = { { "all", "1970-01-01" },
						{ "day", "%Y-%m-%d" },
						{ "hour", "%Y-%m-%d %H:00:00" } };
	static const char *const whats[] = { "''", "object", "kind" };
	const char *sql = "SELECT account_id, object_id, what, span, start, -total AS total "
			  "FROM event_counts";
	int64_t wrong = -1;
	for (size_t i = 0; i < ARRAY_LEN(whats); i++) {
		for (size_t j = 0; j < ARRAY_LEN(spans); j++)
			sql = arena_printf(
				&arena,
				"%s UNION ALL SELECT account_id, 0, %s, '%s', "
				"CAST(DATE_FORMAT(at, '%s') AS DATETIME), 1 FROM counted",
				sql, whats[i], spans[j][0], spans[j][1]);
		if (i > 0)
			sql = arena_printf(&arena,
					   "%s UNION ALL SELECT account_id, object_id, %s, 'all', "
					   "CAST('1970-01-01' AS DATETIME), 1 FROM counted "
					   "WHERE object <> 'incident'",
					   sql, whats[i]);
	}
	assert_rows("0",
		    "WITH counted AS (SELECT * FROM events WHERE account_id IS NOT NULL AND "
		    "id <= (SELECT counted_id FROM event_horizon)) SELECT COUNT(*) FROM "
		    "(SELECT 1 FROM (%s) compared GROUP BY account_id, object_id, what, span, "
		    "start HAVING SUM(total) <> 0) differing",
		    sql);
	assert_ok(event_counts_check(db, &wrong, &error));
	assert_int_equal(wrong, 0);
}

/* Events of four kinds, from the first of March on. */
static void add_events(int64_t account, int count, int seconds)
{
	execute("INSERT INTO events (account_id, kind, object, object_id, actor_type, "
		"actor_label, at) SELECT %ld, "
		"ELT(1 + seq %% 4, 'incident.opened', 'key.created', 'monitor.updated', "
		"'incident.resolved'), ELT(1 + seq %% 4, 'incident', 'key', 'monitor', "
		"'incident'), "
		"%ld + seq DIV 2 %% 3, 'system', '', '2026-03-01' + INTERVAL seq * %d SECOND "
		"FROM seq_0_to_%d",
		(long)account, (long)object_of(account, 1), seconds, count - 1);
}

/* The job of the background loop at that time: how many parts it has counted. */
static int count_at(struct instant now)
{
	int parts = 0;
	for (bool is_more = true; is_more; parts++)
		assert_ok(event_count_some(db, now, &is_more, &error));
	return parts;
}

/* Notes the newest event, and counts up to it. */
static void count_all(void)
{
	static int64_t now_s;
	now_s = (now_s ? now_s : at(20, 0).s) + EVENT_SETTLED_S;
	count_at((struct instant){ now_s });
	now_s += EVENT_SETTLED_S;
	count_at((struct instant){ now_s });
	assert_rows("1", "SELECT counted_id >= (SELECT MAX(id) FROM events) FROM event_horizon");
	assert_counts_are_right();
}

static void totals_are_those_of_the_rows(void **state)
{
	(void)state;
	int64_t one = add_account("one"), two = add_account("two");
	add_events(one, 600, 700);
	add_events(two, 100, 7000);
	execute("INSERT INTO events (account_id, kind, object, object_id, actor_type, "
		"actor_label, at) VALUES (NULL, 'account.deleted', 'account', 1, 'operator', '', "
		"'2026-03-02')");
	assert_totals(one);
	count_all();
	assert_totals(one);
	assert_totals(two);
	assert_rows("0", "SELECT COUNT(*) FROM event_counts WHERE account_id NOT IN (%ld, %ld)",
		    (long)one, (long)two);
	/* Newer ones, and some with times of long ago: the clock of a machine was wrong. */
	add_events(one, 50, 3);
	assert_totals(one);
	count_all();
	assert_totals(one);
	/* No events are left out, and none are counted twice. */
	count_all();
	assert_totals(one);
}

static void events_are_counted_once_they_are_settled(void **state)
{
	(void)state;
	int64_t account = add_account("one");
	add_events(account, 1500, 60);
	struct instant now = at(10, 0);
	assert_int_equal(count_at(now), 1);
	add_events(account, 10, 60);
	now.s += EVENT_SETTLED_S - 1;
	assert_int_equal(count_at(now), 1);
	assert_rows("0", "SELECT COUNT(*) FROM event_counts");
	now.s++;
	assert_int_equal(count_at(now), 3);
	assert_rows("1500", "SELECT total FROM event_counts WHERE object_id = 0 AND what = '' "
			    "AND span = 'all'");
	assert_totals(account);
	/* A clock that was set back delays them by no more than that time. */
	now = at(9, 0);
	count_at(now);
	now.s += EVENT_SETTLED_S;
	count_at(now);
	assert_rows("1510", "SELECT total FROM event_counts WHERE object_id = 0 AND what = '' "
			    "AND span = 'all'");
	assert_totals(account);
}

/* An event whose transaction commits behind younger ones is in the total from that moment on. */
static void a_late_commit_is_counted(void **state)
{
	bool is_more;
	(void)state;
	int64_t account = add_account("one");
	add_events(account, 300, 60);
	struct event_source source = { &tester, at(2, 0) };
	const struct event_change change = { .kind = EVENT_KEY_CREATED,
					     .account_id = account,
					     .object_id = object_of(account, 1) };
	struct db *late = database_connect();
	assert_ok(db_begin(late, DB_WRITE, &error));
	assert_ok(event_append(late, &source, &change, 1, &error));
	add_events(account, 3000, 60);
	count_at(at(10, 0));
	/* The transaction lives longer than any should: nothing behind it is counted. */
	assert_result(E_REFUSED, event_count_some(db, at(10, 1), &is_more, &error));
	assert_false(is_more);
	assert_rows("0", "SELECT COUNT(*) FROM event_counts");
	assert_totals(account);
	assert_ok(db_commit(late, &error));
	assert_totals(account);
	assert_int_equal(total_of(&(struct event_query){ .account_id = account }), 3301);
	count_at(at(10, 2));
	assert_rows("3301", "SELECT total FROM event_counts WHERE what = '' AND object_id = 0 "
			    "AND span = 'all'");
	assert_totals(account);
	assert_counts_are_right();
	db_free(late);
}

static void *count_aside(void *own)
{
	static struct error failure;
	static bool is_more;
	return event_count_some(own, at(10, 0), &is_more, &failure) == OK ? own : NULL;
}

/* The job may be stopped while it holds the newest event, which nothing follows. */
static void writes_do_not_wait_for_the_job(void **state)
{
	struct sql_build sql;
	pthread_t job;
	void *counted;
	(void)state;
	int64_t account = add_account("one");
	add_events(account, 300, 60);
	count_at(at(2, 0));
	struct db *own = database_connect(), *other = database_connect();
	assert_ok(db_begin(other, DB_WRITE, &error));
	sql_start(&sql, SQL("UPDATE event_counts SET total = total"));
	assert_ok(db_write(other, &sql, NULL, &error));
	assert_int_equal(0, pthread_create(&job, NULL, count_aside, own));
	while (select_number("SELECT COUNT(*) FROM information_schema.innodb_lock_waits") == 0)
		/* The server reads the table anew after a tenth of a second. */
		usleep(200000);
	execute("SET SESSION innodb_lock_wait_timeout = 1");
	add_events(account, 1, 60);
	assert_ok(db_commit(other, &error));
	pthread_join(job, &counted);
	assert_non_null(counted);
	assert_rows("300", "SELECT total FROM event_counts WHERE object_id = 0 AND what = '' "
			   "AND span = 'all'");
	assert_totals(account);
	assert_counts_are_right();
	execute("SET SESSION innodb_lock_wait_timeout = DEFAULT");
	db_free(own);
	db_free(other);
}

static void a_reader_sees_counts_and_rows_of_one_moment(void **state)
{
	(void)state;
	int64_t account = add_account("one"), total = 0;
	add_events(account, 700, 60);
	const struct event_query query = { .account_id = account, .since = at(1, 3) };
	int64_t expected = total_of(&query);
	struct db *reader = database_connect();
	assert_ok(db_begin(reader, DB_READ, &error));
	assert_ok(event_count(reader, &query, &arena, &total, &error));
	assert_int_equal(total, expected);
	count_all();
	add_events(account, 700, 60);
	count_all();
	assert_ok(event_count(reader, &query, &arena, &total, &error));
	assert_int_equal(total, expected);
	db_rollback(reader);
	assert_ok(event_count(reader, &query, &arena, &total, &error));
	assert_int_equal(total, 2 * expected);
	db_free(reader);
}

static void pruned_events_leave_the_counts(void **state)
{
	(void)state;
	int64_t account = add_account("one"), monitor = add_monitor(account, "web");
	execute("INSERT INTO incidents (id, account_id, monitor_id, cause, started_at, created_at, "
		"updated_at) VALUES (%ld, %ld, %ld, 'c', '2026-01-01', '2026-01-01', '2026-01-01')",
		(long)object_of(account, 2), (long)account, (long)monitor);
	add_events(account, 1000, 300);
	count_all();
	/* Not counted yet, and old. */
	add_events(account, 40, 300);
	int64_t after_id = 0;
	for (bool is_more = true; is_more;)
		assert_ok(event_prune(db, at(3, 5), &after_id, &is_more, &error));
	assert_rows("0",
		    "SELECT COUNT(*) FROM events WHERE at < '2026-03-03 05:00:00' "
		    "AND NOT (object = 'incident' AND object_id = %ld)",
		    (long)object_of(account, 2));
	assert_totals(account);
	assert_counts_are_right();
	assert_rows("0", "SELECT COUNT(*) FROM event_counts WHERE total <= 0");
	count_all();
	assert_totals(account);
	after_id = 0;
	execute("UPDATE incidents SET ended_at = '2026-03-01'");
	for (bool is_more = true; is_more;)
		assert_ok(event_prune(db, at(30, 0), &after_id, &is_more, &error));
	assert_rows("0", "SELECT COUNT(*) FROM event_counts");
	assert_totals(account);
}

static void counts_are_verified_and_built_again(void **state)
{
	int64_t wrong = 0;
	(void)state;
	int64_t account = add_account("one");
	/* Of a new installation, too. */
	assert_committed(event_counts_reset(db, &error));
	add_events(account, 700, 60);
	count_all();
	/* As a program of a former version does it. */
	execute("DELETE FROM events ORDER BY id LIMIT 10");
	assert_ok(event_counts_check(db, &wrong, &error));
	assert_true(wrong > 0);
	assert_committed(event_counts_reset(db, &error));
	assert_totals(account);
	count_all();
	assert_totals(account);
	assert_rows("690", "SELECT total FROM event_counts WHERE object_id = 0 AND what = '' "
			   "AND span = 'all'");
}

/* The ids of a page as the list has them, and as the database sorts all rows. */
static void assert_page(struct event_query query)
{
	struct event_list list;
	struct event_spans days;
	const char *ids = "";
	if (event_is_deep(&query)) {
		assert_ok(event_days(db, &query, &arena, &days, &error));
		assert_int_equal(days.total, total_of(&query));
	}
	assert_ok(event_list(db, &query, &arena, &list, &error));
	for (size_t i = 0; i < list.count; i++)
		ids = arena_printf(&arena, "%s%s%ld", ids, i > 0 ? "\n" : "",
				   (long)list.rows[i].id);
	assert_rows(ids, "SELECT id %s ORDER BY %s id DESC LIMIT %ld OFFSET %ld", rows_of(&query),
		    query.object_id > 0 ? "" : "at DESC,", (long)query.limit, (long)query.offset);
}

static void assert_pages(int64_t account, int64_t step)
{
	for (size_t i = 0; i < ARRAY_LEN(filters); i++) {
		struct event_query query = query_of(account, &filters[i]);
		int64_t total = total_of(&query);
		query.limit = 7;
		for (query.offset = 0; query.offset < total + step; query.offset += step)
			assert_page(query);
	}
}

static void a_page_has_the_same_rows_however_deep(void **state)
{
	(void)state;
	int64_t account = add_account("one");
	/* Some hours are full, some have no event; the second half is not counted. */
	add_events(account, 3000, 1);
	add_events(account, 1000, 400);
	assert_pages(account, 499);
	count_all();
	add_events(account, 2000, 100);
	assert_pages(account, 499);
	/* The first offsets for which the day is looked for; pages over the ends of days. */
	struct event_query query = { .account_id = account, .limit = 10 };
	for (query.offset = 995; query.offset < 1010; query.offset++)
		assert_page(query);
	query.limit = 700;
	for (query.offset = 1001; query.offset < 6000; query.offset += 123)
		assert_page(query);
	/* A day with so many events that the hour is looked for. */
	add_events(account, 9000, 1);
	for (query.offset = 6000; query.offset < 15000; query.offset += 777)
		assert_page(query);
}

/* What a total and a page of the list cost. */
static int64_t cost_of(struct event_query query)
{
	struct event_list list;
	struct event_spans days;
	int64_t total, idle = rows_read();
	idle = rows_read() - idle;
	int64_t before = rows_read();
	if (event_is_deep(&query)) {
		assert_ok(event_days(db, &query, &arena, &days, &error));
		query.days = &days;
	} else {
		assert_ok(event_count(db, &query, &arena, &total, &error));
	}
	assert_ok(event_list(db, &query, &arena, &list, &error));
	return rows_read() - before - idle;
}

/*
 * A hundred times as many events of the same 90 days cost a list no more rows, but for those of
 * half a day, and for the days by which a deep page is found.
 */
static void a_list_reads_as_many_rows_of_many_events(void **state)
{
	enum { FEW = 1000, MANY = 100000, HALF = MANY / 90 / 2, DAYS = 91 };
	static const int64_t depths[] = { 0, 10, 2 };
	(void)state;
	int64_t few = add_account("few"), many = add_account("many");
	add_events(few, FEW, 90 * DAY_S / FEW);
	add_events(many, MANY, 90 * DAY_S / MANY);
	count_all();
	for (size_t i = 0; i < ARRAY_LEN(filters); i++) {
		struct event_query query = query_of(few, &filters[i]);
		/* Those of one object are counted one by one, but for their total. */
		if (query.object_id > 0 &&
		    (!query.object || query.since.s > 0 || strcmp(query.object, "incident") == 0))
			continue;
		query.limit = 10;
		int64_t cost = cost_of(query);
		query.account_id = many;
		for (size_t j = 0; j < ARRAY_LEN(depths); j++) {
			if (depths[j] > 0 && query.object_id > 0)
				break;
			query.offset = depths[j] > 0 ? total_of(&query) / depths[j] : 0;
			int64_t deep = query.offset > 0 ? HALF + 4 * DAYS : 0;
			if (cost_of(query) > cost + MANY / 90 / 12 + deep)
				fail_msg("filter %zu from %ld: %ld rows instead of %ld", i,
					 (long)query.offset, (long)cost_of(query), (long)cost);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(totals_are_those_of_the_rows),
		DATABASE_TEST(events_are_counted_once_they_are_settled),
		DATABASE_TEST(a_late_commit_is_counted),
		DATABASE_TEST(writes_do_not_wait_for_the_job),
		DATABASE_TEST(a_reader_sees_counts_and_rows_of_one_moment),
		DATABASE_TEST(pruned_events_leave_the_counts),
		DATABASE_TEST(counts_are_verified_and_built_again),
		DATABASE_TEST(a_page_has_the_same_rows_however_deep),
		DATABASE_TEST(a_list_reads_as_many_rows_of_many_events),
	};
	return RUN_ON_DATABASE(tests);
}
