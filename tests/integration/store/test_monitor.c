#include "integration/lib/database.h"

#include "store/monitor.h"

static const struct incident_actor actor = { .name = "key 7 (test)" };

static struct incident_actor actor_at(int day, int hour)
{
	return (struct incident_actor){ actor.name, at(day, hour) };
}

static void a_monitor_is_stored(void **state)
{
	(void)state;
	struct monitor monitor = { .account_id = add_account("one"),
				   .name = "Website",
				   .url = "https://web.example/",
				   .known_since = at(1, 1),
				   .created_at = at(2, 2),
				   .updated_at = at(3, 3) };
	assert_committed(monitor_add(db, &monitor, 0, &error));
	assert_rows(arena_printf(&arena,
				 "%ld|Website|https://web.example/|-|2026-03-01 01:00:00|-|"
				 "2026-03-02 02:00:00|2026-03-03 03:00:00",
				 (long)monitor.account_id),
		    "SELECT account_id, name, url, label, known_since, retired_at, created_at, "
		    "updated_at FROM monitors WHERE id = %ld",
		    (long)monitor.id);
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
	int64_t id = execute("INSERT INTO monitors (account_id, name, url, label, known_since, "
			     "retired_at, created_at, updated_at) VALUES (%ld, 'Name', "
			     "'https://url.example/', 'instance=web', '2026-03-01 00:00:00', "
			     "'2026-03-02 00:00:00', '2026-03-03 00:00:00', '2026-03-04 00:00:00')",
			     (long)account);
	show_monitor(add_page(account, "p1"), id, 1);
	show_monitor(add_page(account, "p2"), id, 1);
	execute("INSERT INTO incident_counts (monitor_id, status, account_id, total) "
		"VALUES (%1$ld, 0, %2$ld, 1), (%1$ld, 2, %2$ld, 2)",
		(long)id, (long)account);
	return id;
}

static void check_full(const struct monitor *monitor, int64_t account, int64_t id)
{
	assert_int_equal(monitor->id, id);
	assert_int_equal(monitor->account_id, account);
	assert_string_equal(monitor->name, "Name");
	assert_string_equal(monitor->url, "https://url.example/");
	assert_string_equal(monitor->label, "instance=web");
	assert_int_equal(monitor->status_pages, 2);
	assert_int_equal(monitor->incidents, 3);
	assert_int_equal(monitor->known_since.s, at(1, 0).s);
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
	assert_ok(monitor_find(db, id, &arena, &monitor, &error));
	check_full(&monitor, one, id);
	assert_result(E_NOT_FOUND, monitor_find(db, 999999999, &arena, &monitor, &error));
	assert_ok(monitor_list(db, one, 0, &arena, &list, &error));
	assert_int_equal(list.count, 2);
	check_full(&list.rows[0], one, id);
	assert_int_equal(list.rows[1].id, last);
	assert_ok(monitor_list(db, 0, id, &arena, &list, &error));
	assert_int_equal(list.count, 2);
	assert_int_equal(list.rows[0].id, theirs);
}

static void a_new_name_marks_the_pages_that_show_it(void **state)
{
	(void)state;
	int64_t account = add_account("one"), monitor = add_monitor(account, "old");
	int64_t shows = add_page(account, "shows");
	add_page(account, "without");
	show_monitor(shows, monitor, 1);
	add_monitor(account, "other");
	assert_committed(monitor_rename(db, monitor, "New", at(6, 6), &error));
	assert_rows("New|2026-03-06 06:00:00\nother|2026-01-03 00:00:00",
		    "SELECT name, updated_at FROM monitors ORDER BY id");
	assert_rows("shows|2|1|2026-03-06 06:00:00\nwithout|1|1|-",
		    "SELECT slug, revision, version, unpublished_since FROM status_pages "
		    "ORDER BY id");
	assert_transaction(E_NOT_FOUND, monitor_rename(db, 999999999, "N", at(6, 6), &error));
}

static void a_label_belongs_to_one_monitor_of_an_account(void **state)
{
	(void)state;
	int64_t one = add_account("one"), two = add_account("two");
	int64_t first = add_monitor(one, "a"), second = add_monitor(one, "b"),
		theirs = add_monitor(two, "c");
	assert_committed(monitor_set_label(db, first, "instance=web", at(6, 0), &error));
	assert_committed(monitor_set_label(db, theirs, "instance=web", at(6, 0), &error));
	assert_transaction(E_CONFLICT,
			   monitor_set_label(db, second, "instance=web", at(6, 0), &error));
	assert_rows("a|instance=web|2026-03-06 00:00:00\nb|-|2026-01-03 00:00:00\n"
		    "c|instance=web|2026-03-06 00:00:00",
		    "SELECT name, label, updated_at FROM monitors ORDER BY id");
	assert_committed(monitor_set_label(db, first, NULL, at(7, 0), &error));
	assert_committed(monitor_set_label(db, second, "instance=web", at(7, 0), &error));
	assert_transaction(E_NOT_FOUND, monitor_set_label(db, 999999999, "x=y", at(7, 0), &error));
}

static void a_retired_monitor_keeps_its_incidents_and_ends_the_open_one(void **state)
{
	(void)state;
	int64_t account = add_account("one"), monitor = add_monitor(account, "m");
	int64_t page = add_page(account, "p");
	show_monitor(page, monitor, 1);
	execute("UPDATE monitors SET label = 'a=b' WHERE id = %ld", (long)monitor);
	struct incident incident = { .account_id = account,
				     .monitor_id = monitor,
				     .cause = "down",
				     .started_at = at(4, 0) };
	struct incident_actor opener = actor_at(4, 0), retirer = actor_at(5, 0);
	assert_committed(incident_insert(db, &incident, &opener, "opened", &error));
	execute("UPDATE status_pages SET unpublished_since = NULL, version = 1, revision = 1");
	assert_committed(monitor_retire(db, monitor, &retirer, &arena, &error));
	assert_rows("2026-03-05 00:00:00|-", "SELECT retired_at, label FROM monitors");
	assert_rows("2026-03-05 00:00:00", "SELECT ended_at FROM incidents");
	assert_rows("1", "SELECT version > 1 AND revision > 1 AND unpublished_since IS NOT NULL "
			 "FROM status_pages");
	struct incident_actor later = actor_at(6, 0);
	assert_committed(monitor_retire(db, monitor, &later, &arena, &error));
	assert_rows("2026-03-05 00:00:00", "SELECT retired_at FROM monitors");
	assert_transaction(E_NOT_FOUND, monitor_retire(db, 999999999, &later, &arena, &error));
}

static void a_removed_monitor_leaves_its_pages_and_takes_its_incidents(void **state)
{
	(void)state;
	int64_t account = add_account("one"), monitor = add_monitor(account, "m"),
		kept = add_monitor(account, "kept");
	int64_t page = add_page(account, "p");
	show_monitor(page, monitor, 1);
	show_monitor(page, kept, 2);
	execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, created_at, "
		"updated_at) SELECT %ld, id, 'c', NOW(), NOW(), NOW() FROM monitors",
		(long)account);
	assert_committed(monitor_remove(db, monitor, at(6, 0), &error));
	assert_rows("kept", "SELECT name FROM monitors");
	assert_rows(arena_printf(&arena, "%ld", (long)kept), "SELECT monitor_id FROM incidents");
	assert_rows("2|2|2026-03-06 00:00:00|1",
		    "SELECT version, revision, unpublished_since, "
		    "(SELECT COUNT(*) FROM status_page_monitors) FROM status_pages");
	assert_transaction(E_NOT_FOUND, monitor_remove(db, monitor, at(6, 0), &error));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(a_monitor_is_stored),
		DATABASE_TEST(the_quota_is_the_last_monitor_that_fits),
		DATABASE_TEST(a_monitor_is_found_and_listed_with_its_counts),
		DATABASE_TEST(a_new_name_marks_the_pages_that_show_it),
		DATABASE_TEST(a_label_belongs_to_one_monitor_of_an_account),
		DATABASE_TEST(a_retired_monitor_keeps_its_incidents_and_ends_the_open_one),
		DATABASE_TEST(a_removed_monitor_leaves_its_pages_and_takes_its_incidents),
	};
	return RUN_ON_DATABASE(tests);
}
