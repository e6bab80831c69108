#include "integration/lib/database.h"

#include "store/monitor/monitor.h"

static void a_monitor_is_stored(void **state)
{
	(void)state;
	struct monitor monitor = { .account_id = add_account("one"),
				   .name = "Website",
				   .url = "https://web.example/",
				   .group = "Shop",
				   .description = "The shop",
				   .position = 7,
				   .label = "instance=web",
				   .known_since = at(1, 1),
				   .is_paused = true,
				   .paused_at = at(1, 2),
				   .created_at = at(2, 2),
				   .updated_at = at(3, 3) };
	assert_committed(monitor_add(db, &monitor, 0, &error));
	assert_rows(
		arena_printf(&arena,
			     "%ld|Website|https://web.example/|Shop|The shop|7|instance=web|"
			     "2026-03-01 01:00:00|1|2026-03-01 02:00:00|-|"
			     "2026-03-02 02:00:00|2026-03-03 03:00:00",
			     (long)monitor.account_id),
		"SELECT account_id, name, url, `group`, description, position, label, known_since, "
		"is_paused, paused_at, retired_at, created_at, updated_at FROM monitors "
		"WHERE id = %ld",
		(long)monitor.id);
	struct monitor bare = { .account_id = monitor.account_id,
				.name = "Bare",
				.created_at = at(2, 2),
				.updated_at = at(3, 3) };
	assert_committed(monitor_add(db, &bare, 0, &error));
	assert_rows("Bare|-|-|-|0|-|-|0|-|-|-",
		    "SELECT name, url, `group`, description, position, label, known_since, "
		    "is_paused, paused_at, retired_at, removed_at FROM monitors WHERE id = %ld",
		    (long)bare.id);
}

static void the_quota_is_the_last_monitor_that_fits(void **state)
{
	(void)state;
	struct monitor monitor = { .account_id = add_account("one"),
				   .name = "M",
				   .url = "https://m.example/",
				   .created_at = at(1, 0),
				   .updated_at = at(1, 0) };
	add_monitor(add_account("two"), "theirs");
	assert_committed(monitor_add(db, &monitor, 2, &error));
	assert_committed(monitor_add(db, &monitor, 2, &error));
	assert_transaction(E_QUOTA_EXCEEDED, monitor_add(db, &monitor, 2, &error));
	assert_string_equal(error.client, "The account may have at most 2 monitors.");
	assert_committed(monitor_add(db, &monitor, 0, &error));
	assert_rows("3", "SELECT COUNT(*) FROM monitors WHERE account_id = %ld",
		    (long)monitor.account_id);
}

/* One with a value of its own in each column, on two pages and with three incidents. */
static int64_t full_monitor(int64_t account)
{
	int64_t id = execute("INSERT INTO monitors (account_id, name, url, `group`, description, "
			     "position, label, known_since, is_paused, paused_at, "
			     "retired_at, created_at, updated_at) VALUES (%ld, 'Name', "
			     "'https://url.example/', 'Group', 'Description', 9, 'instance=web', "
			     "'2026-03-01 00:00:00', 1, '2026-03-01 06:00:00', "
			     "'2026-03-02 00:00:00', '2026-03-03 00:00:00', '2026-03-04 00:00:00')",
			     (long)account);
	show_monitor(add_page(account, "p1"), id, 1);
	show_monitor(add_page(account, "p2"), id, 1);
	execute("INSERT INTO incident_counts (monitor_id, status, account_id, total) "
		"VALUES (%1$ld, 0, %2$ld, 1), (%1$ld, 2, %2$ld, 2)",
		(long)id, (long)account);
	execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, ended_at, "
		"created_at, updated_at) VALUES "
		"(%1$ld, %2$ld, 'first', '2026-03-01 01:00:00', '2026-03-01 02:00:00', NOW(), "
		"NOW()), (%1$ld, %2$ld, 'newest', '2026-03-01 05:00:00', NULL, NOW(), NOW()), "
		"(%1$ld, %2$ld, 'second', '2026-03-01 03:00:00', '2026-03-01 04:00:00', NOW(), "
		"NOW())",
		(long)account, (long)id);
	return id;
}

static void check_full(const struct monitor *monitor, int64_t account, int64_t id)
{
	assert_int_equal(monitor->id, id);
	assert_int_equal(monitor->account_id, account);
	assert_string_equal(monitor->name, "Name");
	assert_string_equal(monitor->url, "https://url.example/");
	assert_string_equal(monitor->group, "Group");
	assert_string_equal(monitor->description, "Description");
	assert_int_equal(monitor->position, 9);
	assert_string_equal(monitor->label, "instance=web");
	assert_int_equal(monitor->status_page_count, 2);
	assert_int_equal(monitor->incident_count, 3);
	assert_int_equal(monitor->known_since.s, at(1, 0).s);
	assert_true(monitor->is_paused);
	assert_int_equal(monitor->paused_at.s, at(1, 6).s);
	assert_int_equal(monitor->open_since.s, at(1, 5).s);
	assert_int_equal(monitor->last_ended_at.s, at(1, 4).s);
	assert_string_equal(monitor->last_cause, "newest");
	assert_string_equal(monitor->state, "retired");
	assert_int_equal(monitor->state_since.s, at(2, 0).s);
	assert_int_equal(monitor->retired_at.s, at(2, 0).s);
	assert_int_equal(monitor->created_at.s, at(3, 0).s);
	assert_int_equal(monitor->updated_at.s, at(4, 0).s);
}

static void a_monitor_is_found_and_listed_with_its_counts(void **state)
{
	struct monitor monitor = { 0 };
	struct monitor_list list;
	(void)state;
	int64_t one = add_account("one"), two = add_account("two");
	int64_t id = full_monitor(one), theirs = add_monitor(two, "theirs"),
		last = add_monitor(one, "last");
	assert_ok(monitor_find(db, 0, id, at(5, 10), &arena, &monitor, &error));
	check_full(&monitor, one, id);
	assert_result(E_NOT_FOUND,
		      monitor_find(db, 0, 999999999, at(5, 10), &arena, &monitor, &error));
	assert_ok(monitor_list(db, one, 0, at(5, 10), &arena, &list, &error));
	assert_int_equal(list.count, 2);
	check_full(&list.rows[0], one, id);
	assert_int_equal(list.rows[1].id, last);
	assert_ok(monitor_list(db, 0, id, at(5, 10), &arena, &list, &error));
	assert_int_equal(list.count, 2);
	assert_int_equal(list.rows[0].id, theirs);
}

static void a_page_of_the_list_has_whole_monitors(void **state)
{
	(void)state;
	struct monitor_page page;
	int64_t one = add_account("one"), id = full_monitor(one);
	add_monitor(one, "last");
	add_monitor(add_account("two"), "theirs");
	struct monitor_query query = { .list.account_id = one,
				       .state = MONITOR_RETIRED,
				       .list.limit = 10 };
	assert_ok(monitor_list_page(db, &query, &arena, &page, &error));
	assert_int_equal(page.total, 1);
	assert_int_equal(page.count, 1);
	check_full(&page.rows[0], one, id);
	query.state = MONITOR_ANY_STATE;
	assert_ok(monitor_list_page(db, &query, &arena, &page, &error));
	assert_int_equal(page.total, 1);
	assert_string_equal(page.rows[0].name, "last");
	assert_string_equal(page.rows[0].state, "no_data");
	query.list.offset = 20;
	assert_ok(monitor_list_page(db, &query, &arena, &page, &error));
	assert_int_equal(page.count, 0);
	assert_int_equal(page.total, 1);
}

static void observe(int64_t monitor, int phase, const char *cause)
{
	execute("REPLACE INTO monitor_states (monitor_id, phase, since, checked_at, failing_since, "
		"failures, successes, is_slow, changes, is_flapping, response_ms, cause, "
		"tls_expires_at, domain_expires_at) VALUES (%ld, %d, '2026-03-04 04:00:00', "
		"'2026-03-04 05:00:00', "
		"'2026-03-04 03:00:00', 1, 2, 0, 3, 0, 45, %s, '2026-06-01 00:00:00', '2026-06-02 "
		"00:00:00')",
		(long)monitor, phase, cause);
}

static void check_by(int64_t monitor)
{
	execute("INSERT INTO monitor_checks (monitor_id, account_id, type, `interval`, timeout, "
		"confirmations, recoveries, slow_ms, depends_on_id, request_method, cache_buster, "
		"follow_redirects, verify_tls, alert_condition, json_operator, dns_type, "
		"ssl_alert_days, domain_alert_days, period, grace, changed_at) "
		"SELECT id, account_id, 1, 60, 10, 2, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, "
		"NOW() FROM monitors WHERE id = %ld",
		(long)monitor);
}

/* "up 2026-03-04T04:00:00Z"; the list filtered by this state has the monitor alone, and the list of
 * any other state does not have it. */
static const char *state_of(int64_t account, int64_t id)
{
	struct monitor monitor = { 0 };
	char since[INSTANT_TEXT_SIZE];
	assert_ok(monitor_find(db, account, id, at(5, 10), &arena, &monitor, &error));
	for (int state = MONITOR_UP; state < MONITOR_RETIRED; state++) {
		struct monitor_query query = { .list.account_id = account,
					       .list.now = at(5, 10),
					       .list.limit = 10,
					       .state = state };
		struct monitor_page page;
		assert_ok(monitor_list_page(db, &query, &arena, &page, &error));
		bool is_its = strcmp(monitor_state_words[state], monitor.state) == 0;
		assert_int_equal(page.count, is_its);
		assert_int_equal(page.total, is_its);
	}
	return monitor.state_since.s > 0 ? arena_printf(&arena, "%s %s", monitor.state,
							instant_format(monitor.state_since, since))
					 : monitor.state;
}

static void the_checker_sets_the_state(void **state)
{
	(void)state;
	int64_t account = add_account("one"), id = add_monitor(account, "web");
	struct monitor monitor = { 0 };
	/* Not checked: what is stored of a former check does not count. */
	observe(id, CHECK_CONFIRMING, "'former'");
	assert_string_equal(state_of(account, id), "no_data");
	execute("UPDATE monitors SET known_since = '2026-03-01'");
	assert_string_equal(state_of(account, id), "up 2026-03-01T00:00:00Z");
	assert_ok(monitor_find(db, account, id, at(5, 10), &arena, &monitor, &error));
	assert_int_equal(monitor.checked_at.s, 0);
	assert_int_equal(monitor.response_ms, 0);
	assert_null(monitor.last_cause);
	check_by(id);
	assert_string_equal(state_of(account, id), "confirming 2026-03-04T04:00:00Z");
	assert_ok(monitor_find(db, account, id, at(5, 10), &arena, &monitor, &error));
	assert_int_equal(monitor.checked_at.s, at(4, 5).s);
	assert_int_equal(monitor.response_ms, 45);
	assert_string_equal(monitor.last_cause, "former");
	assert_int_equal(monitor.tls_expires_at.s, at(1, 0).s + 92 * INT64_C(86400));
	assert_int_equal(monitor.domain_expires_at.s, 0);
	execute("UPDATE monitor_checks SET domain_alert_days = 1");
	assert_ok(monitor_find(db, account, id, at(5, 10), &arena, &monitor, &error));
	assert_int_equal(monitor.domain_expires_at.s, at(1, 0).s + 93 * INT64_C(86400));
	execute("DELETE FROM monitor_states");
	assert_string_equal(state_of(account, id), "pending");
	/* Also without a record, which the first report begins. */
	execute("UPDATE monitors SET known_since = NULL");
	assert_string_equal(state_of(account, id), "pending");
	observe(id, CHECK_CONFIRMING, "NULL");
	assert_string_equal(state_of(account, id), "confirming 2026-03-04T04:00:00Z");
	observe(id, CHECK_UP, "NULL");
	assert_string_equal(state_of(account, id), "no_data");
	execute("UPDATE monitors SET known_since = '2026-03-01'");
	observe(id, CHECK_UP, "'former'");
	assert_string_equal(state_of(account, id), "up 2026-03-01T00:00:00Z");
	assert_ok(monitor_find(db, account, id, at(5, 10), &arena, &monitor, &error));
	assert_null(monitor.last_cause);
	/* Only an open incident makes it go down. */
	observe(id, CHECK_DOWN, "'down'");
	assert_string_equal(state_of(account, id), "up 2026-03-01T00:00:00Z");
	observe(id, CHECK_NO_DATA, "'depends on db'");
	assert_string_equal(state_of(account, id), "no_data 2026-03-04T04:00:00Z");
	/* A gap, whatever the phase; then up since its end. */
	observe(id, CHECK_UP, "NULL");
	execute("INSERT INTO monitor_gaps (monitor_id, started_at) "
		"VALUES (%ld, '2026-03-04 02:00:00')",
		(long)id);
	assert_string_equal(state_of(account, id), "no_data 2026-03-04T02:00:00Z");
	execute("UPDATE monitor_gaps SET ended_at = '2026-03-04 08:00:00', "
		"ends_at = '2026-03-04 08:00:00'");
	assert_string_equal(state_of(account, id), "up 2026-03-04T08:00:00Z");
	/* No longer checked: what is left of the checks says nothing. */
	observe(id, CHECK_CONFIRMING, "'left'");
	execute("UPDATE monitor_checks SET type = 0");
	assert_string_equal(state_of(account, id), "up 2026-03-04T08:00:00Z");
	execute("UPDATE monitor_checks SET type = 2");
	execute("UPDATE monitor_gaps SET ended_at = NULL, ends_at = DEFAULT");
	assert_string_equal(state_of(account, id), "no_data 2026-03-04T02:00:00Z");
	execute("UPDATE monitors SET is_paused = 1, paused_at = '2026-03-04 09:00:00'");
	assert_string_equal(state_of(account, id), "paused 2026-03-04T09:00:00Z");
	execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, created_at, "
		"updated_at) VALUES (%ld, %ld, 'it', '2026-03-04 01:00:00', NOW(), NOW())",
		(long)account, (long)id);
	assert_string_equal(state_of(account, id), "down 2026-03-04T01:00:00Z");
}

static void an_update_stores_each_value_and_keeps_the_rest(void **state)
{
	(void)state;
	int64_t account = add_account("one"), id = full_monitor(account);
	add_monitor(account, "other");
	const struct monitor after = { .id = id,
				       .account_id = 999999999,
				       .name = "New",
				       .url = "https://new.example/",
				       .group = "New group",
				       .description = "New description",
				       .position = 10,
				       .label = "instance=new",
				       .known_since = at(11, 1),
				       .is_paused = false,
				       .paused_at = at(11, 2),
				       .retired_at = at(12, 2),
				       .created_at = at(13, 3),
				       .updated_at = at(14, 4) };
	assert_committed(monitor_update(db, &after, false, &error));
	assert_rows(arena_printf(&arena,
				 "%ld|New|https://new.example/|New group|New description|10|"
				 "instance=new|2026-03-11 01:00:00|0|2026-03-11 02:00:00|"
				 "2026-03-02 00:00:00|2026-03-03 00:00:00|2026-03-14 04:00:00",
				 (long)account),
		    "SELECT account_id, name, url, `group`, description, position, label, "
		    "known_since, is_paused, paused_at, retired_at, created_at, updated_at "
		    "FROM monitors WHERE id = %ld",
		    (long)id);
	assert_rows("other|https://other.example/|-|2026-01-03 00:00:00",
		    "SELECT name, url, label, updated_at FROM monitors WHERE name = 'other'");
	assert_rows("0", "SELECT COUNT(*) FROM page_revisions WHERE unpublished_since IS NOT NULL");
	const struct monitor unknown = { .id = 999999999, .name = "N", .url = "u" };
	assert_transaction(E_NOT_FOUND, monitor_update(db, &unknown, true, &error));
}

static void what_pages_show_marks_the_pages_that_show_it(void **state)
{
	(void)state;
	int64_t account = add_account("one"), id = add_monitor(account, "old");
	int64_t shows = add_page(account, "shows");
	add_page(account, "without");
	show_monitor(shows, id, 1);
	const struct monitor after = {
		.id = id, .name = "New", .url = "https://new.example/", .updated_at = at(6, 6)
	};
	assert_committed(monitor_update(db, &after, true, &error));
	assert_rows("New|2026-03-06 06:00:00", "SELECT name, updated_at FROM monitors");
	assert_rows("shows|2|1|2026-03-06 06:00:00\nwithout|1|1|-",
		    "SELECT p.slug, r.revision, p.version, r.unpublished_since "
		    "FROM " PAGES_AND_REVISIONS " ORDER BY p.id");
}

static struct monitor labelled(int64_t id, const char *label)
{
	return (struct monitor){ .id = id,
				 .name = "n",
				 .url = "https://n.example/",
				 .label = label,
				 .updated_at = at(6, 0) };
}

static void a_label_belongs_to_one_monitor_of_an_account(void **state)
{
	(void)state;
	int64_t one = add_account("one"), two = add_account("two");
	int64_t ids[] = { add_monitor(one, "a"), add_monitor(one, "b") };
	struct monitor first = labelled(ids[0], "instance=web"),
		       second = labelled(ids[1], "instance=web"),
		       theirs = labelled(add_monitor(two, "c"), "instance=web");
	assert_committed(monitor_update(db, &first, false, &error));
	assert_committed(monitor_update(db, &theirs, false, &error));
	assert_transaction(E_CONFLICT, monitor_update(db, &second, false, &error));
	assert_rows("instance=web\n-\ninstance=web", "SELECT label FROM monitors ORDER BY id");
	first.label = NULL;
	assert_committed(monitor_update(db, &first, false, &error));
	assert_committed(monitor_update(db, &second, false, &error));
	assert_rows("-\ninstance=web\ninstance=web", "SELECT label FROM monitors ORDER BY id");
}

static void a_monitor_is_locked_within_its_account(void **state)
{
	struct monitor monitor = { 0 };
	(void)state;
	int64_t account = add_account("one"), other = add_account("two");
	int64_t id = full_monitor(account);
	assert_committed(monitor_lock(db, account, id, &arena, &monitor, &error));
	assert_int_equal(monitor.id, id);
	assert_int_equal(monitor.account_id, account);
	assert_string_equal(monitor.name, "Name");
	assert_string_equal(monitor.url, "https://url.example/");
	assert_string_equal(monitor.label, "instance=web");
	assert_int_equal(monitor.known_since.s, at(1, 0).s);
	assert_int_equal(monitor.retired_at.s, at(2, 0).s);
	assert_int_equal(monitor.created_at.s, at(3, 0).s);
	assert_int_equal(monitor.updated_at.s, at(4, 0).s);
	assert_committed(monitor_lock(db, 0, id, &arena, &monitor, &error));
	assert_transaction(E_NOT_FOUND, monitor_lock(db, other, id, &arena, &monitor, &error));
}

/* A monitor with a label and an incident, on the page "p", where "kept" comes after it. */
static int64_t shown_monitor(void)
{
	int64_t account = add_account("one"), monitor = add_monitor(account, "m"),
		kept = add_monitor(account, "kept");
	int64_t page = add_page(account, "p");
	add_page(account, "without");
	show_monitor(page, monitor, 1);
	show_monitor(page, kept, 2);
	execute("UPDATE monitors SET label = 'a=b' WHERE id = %ld", (long)monitor);
	execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, created_at, "
		"updated_at) SELECT %ld, id, 'c', NOW(), NOW(), NOW() FROM monitors",
		(long)account);
	return monitor;
}

#define SHOWN_PAGES \
	"SELECT p.slug, p.version, r.revision, r.unpublished_since " \
	"FROM " PAGES_AND_REVISIONS " ORDER BY p.id"
#define CHANGED_PAGES "p|2|2|2026-03-06 00:00:00\nwithout|1|1|-"

static void a_retired_monitor_keeps_its_incidents_and_pages(void **state)
{
	(void)state;
	int64_t monitor = shown_monitor();
	assert_committed(monitor_retire(db, monitor, at(6, 0), &error));
	assert_rows("m|2026-03-06 00:00:00|-|2026-03-06 00:00:00\nkept|-|-|2026-01-03 00:00:00",
		    "SELECT name, retired_at, label, updated_at FROM monitors ORDER BY id");
	assert_rows("2|2", "SELECT (SELECT COUNT(*) FROM incidents), "
			   "(SELECT COUNT(*) FROM status_page_monitors)");
	assert_rows(CHANGED_PAGES, SHOWN_PAGES);
	assert_committed(monitor_retire(db, monitor, at(7, 0), &error));
	assert_rows("2026-03-06 00:00:00\n-", "SELECT retired_at FROM monitors ORDER BY id");
	assert_transaction(E_NOT_FOUND, monitor_retire(db, 999999999, at(7, 0), &error));
}

static void a_detached_monitor_leaves_its_pages(void **state)
{
	(void)state;
	int64_t monitor = shown_monitor();
	assert_committed(monitor_detach(db, monitor, at(6, 0), &error));
	assert_rows("m|2026-03-06 00:00:00|2026-03-06 00:00:00|-\nkept|-|-|-",
		    "SELECT name, retired_at, removed_at, label FROM monitors ORDER BY id");
	assert_rows("kept", "SELECT m.name FROM status_page_monitors s "
			    "JOIN monitors m ON m.id = s.monitor_id");
	assert_rows(CHANGED_PAGES, SHOWN_PAGES);
	assert_committed(monitor_detach(db, monitor, at(7, 0), &error));
	assert_rows("2026-03-06 00:00:00\n-", "SELECT retired_at FROM monitors ORDER BY id");
	assert_transaction(E_NOT_FOUND, monitor_detach(db, 999999999, at(7, 0), &error));
}

static void a_monitor_that_is_being_removed_is_unknown_to_its_account(void **state)
{
	struct monitor monitor = { 0 };
	int64_t found = 0;
	(void)state;
	int64_t id = shown_monitor(), account = select_number("SELECT id FROM accounts");
	assert_result(E_NOT_FOUND, monitor_next_removed(db, at(9, 0), 0, &arena, &found, &error));
	assert_committed(monitor_detach(db, id, at(6, 0), &error));
	assert_result(E_NOT_FOUND,
		      monitor_find(db, account, id, at(5, 10), &arena, &monitor, &error));
	assert_transaction(E_NOT_FOUND, monitor_lock(db, account, id, &arena, &monitor, &error));
	assert_ok(monitor_find(db, 0, id, at(5, 10), &arena, &monitor, &error));
	assert_int_equal(monitor.removed_at.s, at(6, 0).s);
	assert_ok(monitor_next_removed(db, at(9, 0), 0, &arena, &found, &error));
	assert_int_equal(found, id);
	assert_result(E_NOT_FOUND, monitor_next_removed(db, at(9, 0), id, &arena, &found, &error));
	assert_result(E_NOT_FOUND, monitor_next_removed(db, at(6, 0), 0, &arena, &found, &error));
}

static void a_removed_monitor_takes_its_incidents_and_no_others(void **state)
{
	(void)state;
	int64_t monitor = shown_monitor();
	assert_committed(monitor_remove(db, monitor, &error));
	assert_rows("kept", "SELECT name FROM monitors");
	assert_rows("kept",
		    "SELECT m.name FROM incidents i JOIN monitors m ON m.id = i.monitor_id");
	assert_rows("1", "SELECT COUNT(*) FROM status_page_monitors");
	assert_transaction(E_NOT_FOUND, monitor_remove(db, monitor, &error));
}

static void monitors_of_a_removed_account_are_not_listed(void **state)
{
	struct monitor_list list;
	(void)state;
	int64_t gone = add_account("gone");
	add_monitor(gone, "m");
	int64_t kept = add_monitor(add_account("kept"), "k");
	execute("UPDATE accounts SET removed_at = NOW() WHERE id = %ld", (long)gone);
	assert_ok(monitor_list(db, 0, 0, at(5, 10), &arena, &list, &error));
	assert_int_equal(list.count, 1);
	assert_int_equal(list.rows[0].id, kept);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(a_monitor_is_stored),
		DATABASE_TEST(the_quota_is_the_last_monitor_that_fits),
		DATABASE_TEST(a_monitor_is_found_and_listed_with_its_counts),
		DATABASE_TEST(a_page_of_the_list_has_whole_monitors),
		DATABASE_TEST(the_checker_sets_the_state),
		DATABASE_TEST(an_update_stores_each_value_and_keeps_the_rest),
		DATABASE_TEST(what_pages_show_marks_the_pages_that_show_it),
		DATABASE_TEST(a_label_belongs_to_one_monitor_of_an_account),
		DATABASE_TEST(a_monitor_is_locked_within_its_account),
		DATABASE_TEST(a_retired_monitor_keeps_its_incidents_and_pages),
		DATABASE_TEST(a_detached_monitor_leaves_its_pages),
		DATABASE_TEST(a_monitor_that_is_being_removed_is_unknown_to_its_account),
		DATABASE_TEST(a_removed_monitor_takes_its_incidents_and_no_others),
		DATABASE_TEST(monitors_of_a_removed_account_are_not_listed),
	};
	return RUN_ON_DATABASE(tests);
}
