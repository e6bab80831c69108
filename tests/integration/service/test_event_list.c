/* The list of events, as clients read it: a page of a long list costs as many statements as the
 * first. */
#include "integration/lib/service.h"

#include "service/resource/resource.h"

enum { EVENTS = 30000, PER_PAGE = 10 };

/* In 6 hours of 10 days, so that a day has 3,000 events. Their ids have no gaps, which
 * AUTO_INCREMENT may leave. */
static void add_events(int64_t account)
{
	execute("INSERT INTO events (id, account_id, kind, object, object_id, actor_type, "
		"actor_label, at) SELECT 1 + seq, %ld, ELT(1 + seq %% 2, 'incident.opened', "
		"'incident.resolved'), "
		"'incident', 1, 'system', '', '2026-03-01' + INTERVAL seq DIV 3000 DAY + "
		"INTERVAL seq %% 3000 * 7 SECOND FROM seq_0_to_%d",
		(long)account, EVENTS - 1);
}

/* The events of a page of the list: "FIRST-LAST", by their ids. */
static const char *page_of(int64_t number, bool is_ascending, uint64_t *statements)
{
	struct list_query *query = arena_alloc(&arena, resource_events.query_bytes);
	struct resource_rows rows;
	memcpy(query, resource_events.query_defaults, resource_events.query_bytes);
	query->page = number;
	query->is_ascending = is_ascending;
	*statements = db_queries(db);
	assert_ok(resource_list(&service, &resource_events, 0, query, &rows));
	*statements = db_queries(db) - *statements;
	const struct event *events = rows.rows;
	assert_int_equal(rows.total, EVENTS);
	assert_int_equal(rows.count, PER_PAGE);
	return arena_printf(&arena, "%ld-%ld", (long)events[0].id, (long)events[rows.count - 1].id);
}

static void assert_page(int64_t number, bool is_ascending, uint64_t expected)
{
	uint64_t statements;
	int64_t offset = PER_PAGE * (number - 1);
	const char *ids = page_of(number, is_ascending, &statements);
	assert_string_equal(ids, is_ascending
					 ? arena_printf(&arena, "%ld-%ld", (long)offset + 1,
							(long)offset + PER_PAGE)
					 : arena_printf(&arena, "%ld-%ld", (long)(EVENTS - offset),
							(long)(EVENTS - offset - PER_PAGE + 1)));
	assert_int_equal(statements, expected);
}

static void a_deep_page_takes_as_many_statements_as_the_first(void **state)
{
	static const int64_t pages[] = { 1, 2, 100, 102, 1000, 1501, 1555, 2999, 3000 };
	(void)state;
	int64_t account = add_account("one");
	act_as_key(account);
	add_events(account);
	/* The transaction's statements count, too. */
	for (size_t i = 0; i < ARRAY_LEN(pages); i++) {
		assert_page(pages[i], false, 4);
		assert_page(pages[i], true, 4);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(a_deep_page_takes_as_many_statements_as_the_first),
	};
	return RUN_ON_DATABASE(tests);
}
