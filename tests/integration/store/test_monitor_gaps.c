#include "integration/lib/database.h"

#include "store/check/check_store.h"
#include "store/check/monitor_gaps.h"

#define FOREVER "9999-12-31 00:00:00"

static size_t changed;

static void store(const struct monitor_gap *rows, size_t count)
{
	struct monitor_gap copies[8];
	memcpy(copies, rows, count * sizeof(*rows));
	assert_committed(monitor_gaps_store(db, copies, count, at(20, 0), &changed, &error));
}

static void store_one(int64_t monitor, struct instant from, struct instant until)
{
	store(&(struct monitor_gap){ monitor, from, until }, 1);
}

#define NONE ((struct instant){ 0 })

/* Checks all monitors: each 60 s, with a timeout of 10 s; heartbeats each 600 s, or 30 s later. */
static void check_all(enum check_type type)
{
	execute("INSERT INTO monitor_checks (monitor_id, account_id, type, `interval`, timeout, "
		"confirmations, recoveries, slow_ms, depends_on_id, request_method, cache_buster, "
		"follow_redirects, verify_tls, alert_condition, json_operator, dns_type, "
		"ssl_alert_days, domain_alert_days, period, grace, changed_at) "
		"SELECT id, account_id, %d, 60, 10, 2, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 600, "
		"30, NOW() FROM monitors ON DUPLICATE KEY UPDATE type = VALUES(type)",
		(int)type);
}

/* Two pages of an account and one of another; a monitor that no page shows. */
struct world {
	int64_t web, mail, alone, foreign;
};

static struct world make_world(void)
{
	int64_t one = add_account("one"), other = add_account("other");
	struct world world = { add_monitor(one, "web"), add_monitor(one, "mail"),
			       add_monitor(one, "alone"), add_monitor(other, "web") };
	show_monitor(add_page(one, "both"), world.web, 0);
	int64_t both = select_number("SELECT id FROM status_pages WHERE slug = 'both'");
	show_monitor(both, world.mail, 1);
	show_monitor(add_page(one, "mail"), world.mail, 0);
	show_monitor(add_page(other, "foreign"), world.foreign, 0);
	execute("UPDATE page_revisions SET revision = 5, unpublished_since = NULL");
	check_all(CHECK_HTTP);
	return world;
}

#define REVISIONS \
	"SELECT p.slug, r.revision, r.unpublished_since FROM " PAGES_AND_REVISIONS " ORDER BY 1"

static void a_gap_begins_and_ends(void **state)
{
	(void)state;
	struct world world = make_world();
	const struct monitor_gap begins[] = { { world.foreign, at(10, 1), NONE },
					      { world.web, at(10, 2), NONE },
					      { world.alone, at(10, 3), NONE },
					      { 987654, at(10, 3), NONE } };
	uint64_t before = db_queries(db);
	store(begins, ARRAY_LEN(begins));
	assert_int_equal(db_queries(db) - before, 4 + 2);
	assert_int_equal(changed, 3);
	assert_rows("web|2026-03-10 02:00:00|-|" FOREVER "\n"
		    "alone|2026-03-10 03:00:00|-|" FOREVER "\n"
		    "web|2026-03-10 01:00:00|-|" FOREVER,
		    "SELECT m.name, g.started_at, g.ended_at, g.ends_at FROM monitor_gaps g "
		    "JOIN monitors m ON m.id = g.monitor_id ORDER BY m.id");
	assert_rows("both|6|2026-03-20 00:00:00\nforeign|6|2026-03-20 00:00:00\nmail|5|-",
		    REVISIONS);
	assert_rows("alone|2026-03-20 00:00:00\nmail|2026-01-03 00:00:00\n"
		    "web|2026-03-20 00:00:00\nweb|2026-03-20 00:00:00",
		    "SELECT name, updated_at FROM monitors ORDER BY name, id");
	/* Repeated, and with another start: nothing changes. */
	before = db_queries(db);
	store(begins, ARRAY_LEN(begins));
	assert_int_equal(db_queries(db) - before, 1 + 2);
	store_one(world.web, at(12, 0), NONE);
	assert_int_equal(changed, 0);
	assert_rows("both|6|2026-03-20 00:00:00\nforeign|6|2026-03-20 00:00:00\nmail|5|-",
		    REVISIONS);
	/* The mail has no gap that could end. */
	const struct monitor_gap ends[] = { { world.web, NONE, at(11, 0) },
					    { world.mail, NONE, at(11, 0) },
					    { world.alone, NONE, at(11, 1) } };
	store(ends, ARRAY_LEN(ends));
	assert_int_equal(changed, 2);
	store(ends, ARRAY_LEN(ends));
	assert_int_equal(changed, 0);
	assert_rows("web|2026-03-11 00:00:00|2026-03-11 00:00:00\n"
		    "alone|2026-03-11 01:00:00|2026-03-11 01:00:00\nweb|-|" FOREVER,
		    "SELECT m.name, g.ended_at, g.ends_at FROM monitor_gaps g "
		    "JOIN monitors m ON m.id = g.monitor_id ORDER BY m.id");
	assert_rows("both|7\nforeign|6\nmail|5",
		    "SELECT p.slug, r.revision FROM " PAGES_AND_REVISIONS " ORDER BY 1");
}

static void a_past_gap_is_added_once(void **state)
{
	(void)state;
	struct world world = make_world();
	for (int i = 0; i < 2; i++) {
		store_one(world.mail, at(3, 0), at(4, 0));
		assert_int_equal(changed, i == 0);
	}
	assert_rows("both|6|2026-03-20 00:00:00\nforeign|5|-\nmail|6|2026-03-20 00:00:00",
		    REVISIONS);
	/* It lasted longer than it seemed. */
	store_one(world.mail, at(3, 0), at(5, 0));
	assert_rows("2026-03-03 00:00:00|2026-03-05 00:00:00|2026-03-05 00:00:00",
		    "SELECT started_at, ended_at, ends_at FROM monitor_gaps");
	/* It is not over: the same start begins it again. */
	store_one(world.mail, at(3, 0), NONE);
	assert_rows("2026-03-03 00:00:00|-|" FOREVER,
		    "SELECT started_at, ended_at, ends_at FROM monitor_gaps");
	/* A checker that starts again ends the gap that went on, which keeps its start. */
	store_one(world.mail, at(2, 0), at(6, 0));
	store_one(world.mail, at(8, 0), at(9, 0));
	assert_rows("2026-03-03 00:00:00|2026-03-06 00:00:00\n"
		    "2026-03-08 00:00:00|2026-03-09 00:00:00",
		    "SELECT started_at, ended_at FROM monitor_gaps ORDER BY 1");
}

static void a_gap_never_ends_before_it_begins(void **state)
{
	(void)state;
	struct world world = make_world();
	store_one(world.web, at(10, 0), NONE);
	store_one(world.web, NONE, at(9, 0));
	assert_rows("2026-03-10 00:00:00|2026-03-10 00:00:00",
		    "SELECT started_at, ended_at FROM monitor_gaps");
}

static void the_most_monitors_take_the_same_statements(void **state)
{
	(void)state;
	struct monitor_gap rows[MONITOR_GAPS_MAX];
	int64_t account = add_account("one");
	for (size_t i = 0; i < MONITOR_GAPS_MAX; i++) {
		int64_t id = add_monitor(account, arena_printf(&arena, "m%zu", i));
		/* Not in their order. */
		rows[MONITOR_GAPS_MAX - 1 - i] = (struct monitor_gap){ id, at(10, 0), NONE };
	}
	check_all(CHECK_HTTP);
	uint64_t before = db_queries(db);
	assert_committed(
		monitor_gaps_store(db, rows, MONITOR_GAPS_MAX, at(20, 0), &changed, &error));
	assert_int_equal(db_queries(db) - before, 4 + 2);
	assert_int_equal(changed, MONITOR_GAPS_MAX);
	assert_int_equal(select_number("SELECT COUNT(*) FROM monitor_gaps"), MONITOR_GAPS_MAX);
	assert_committed(monitor_gaps_store(db, rows, 0, at(20, 0), &changed, &error));
	assert_int_equal(changed, 0);
}

/* A late report of the checker, which has not read the new type yet. */
static void no_gap_begins_of_a_monitor_that_is_not_checked(void **state)
{
	(void)state;
	struct world world = make_world();
	execute("UPDATE monitor_checks SET type = 0 WHERE monitor_id = %ld", (long)world.web);
	execute("DELETE FROM monitor_checks WHERE monitor_id = %ld", (long)world.mail);
	store_one(world.web, at(10, 0), NONE);
	store_one(world.mail, at(10, 0), NONE);
	assert_int_equal(select_number("SELECT COUNT(*) FROM monitor_gaps"), 0);
	store_one(world.web, at(10, 0), at(10, 1));
	assert_int_equal(select_number("SELECT COUNT(*) FROM monitor_gaps"), 1);
}

static void a_gap_ends_with_the_checks(void **state)
{
	(void)state;
	struct world world = make_world();
	store_one(world.web, at(10, 0), NONE);
	store_one(world.mail, at(10, 0), NONE);
	assert_ok(monitor_gaps_end(db, world.web, at(11, 0), &error));
	assert_ok(monitor_gaps_end(db, world.web, at(12, 0), &error));
	assert_ok(monitor_gaps_end(db, world.mail, at(9, 0), &error));
	assert_rows("2026-03-11 00:00:00|2026-03-11 00:00:00\n"
		    "2026-03-10 00:00:00|2026-03-10 00:00:00",
		    "SELECT ended_at, ends_at FROM monitor_gaps ORDER BY monitor_id");
}

static void set_checked(int64_t monitor, int phase, int ago_s)
{
	execute("REPLACE INTO monitor_states (monitor_id, phase, checked_at, failures, successes, "
		"is_slow, changes, is_flapping, response_ms) VALUES (%ld, %d, "
		"UTC_TIMESTAMP() - INTERVAL %d SECOND, 0, 0, 0, 0, 0, 0)",
		(long)monitor, phase, ago_s);
}

static size_t begin_idle(void)
{
	bool is_more = true;
	size_t before = (size_t)select_number("SELECT COUNT(*) FROM monitor_gaps");
	assert_ok(monitor_gaps_begin_idle(db, at(20, 0), &is_more, &error));
	assert_false(is_more);
	return (size_t)select_number("SELECT COUNT(*) FROM monitor_gaps") - before;
}

static void gaps_begin_while_no_checker_runs(void **state)
{
	(void)state;
	struct world world = make_world();
	struct check_lease lease;
	set_checked(world.web, CHECK_UP, 200);
	set_checked(world.mail, CHECK_DOWN, 100); /* two intervals and the timeout are 130 s */
	set_checked(world.alone, CHECK_PENDING, 200);
	set_checked(world.foreign, CHECK_CONFIRMING, 140);
	/* No checker has ever run here: the rows come from elsewhere. */
	assert_int_equal(begin_idle(), 0);
	assert_ok(check_lease_take(db, "0123456789abcdef", &lease, &error));
	assert_int_equal(begin_idle(), 0);
	/* A checker that has died, and one that has given the lease back. */
	execute("UPDATE check_locations SET lease_until = UTC_TIMESTAMP() - INTERVAL 1 SECOND");
	uint64_t before = db_queries(db);
	assert_int_equal(begin_idle(), 2);
	assert_in_range(db_queries(db) - before, 1, 2 + 2 + 4 + 2);
	assert_rows("both|6|2026-03-20 00:00:00\nforeign|6|2026-03-20 00:00:00\nmail|5|-",
		    REVISIONS);
	assert_rows(
		"200|-\n140|-",
		"SELECT ROUND(TIMESTAMPDIFF(SECOND, started_at, UTC_TIMESTAMP()), -1), ended_at "
		"FROM monitor_gaps ORDER BY monitor_id");
	assert_int_equal(begin_idle(), 0);
	assert_ok(check_lease_drop(db, "0123456789abcdef", 0, &error));
	set_checked(world.mail, CHECK_DOWN, 131 + 5);
	execute("UPDATE monitors SET is_paused = 1 WHERE id = %ld", (long)world.mail);
	assert_int_equal(begin_idle(), 1);
}

static void a_gap_of_heartbeats_begins_when_one_is_missing(void **state)
{
	(void)state;
	struct world world = make_world();
	struct check_lease lease;
	check_all(CHECK_HEARTBEAT);
	set_checked(world.web, CHECK_UP, 620);
	set_checked(world.mail, CHECK_UP, 700);
	set_checked(world.alone, CHECK_DOWN, 5000); /* missed, and reported */
	set_checked(world.foreign, CHECK_UP, 200);  /* two intervals ago */
	assert_ok(check_lease_take(db, "0123456789abcdef", &lease, &error));
	assert_ok(check_lease_drop(db, "0123456789abcdef", 0, &error));
	assert_int_equal(begin_idle(), 1);
	assert_rows("mail|70", "SELECT m.name, ROUND(TIMESTAMPDIFF(SECOND, g.started_at, "
			       "UTC_TIMESTAMP()), -1) FROM monitor_gaps g "
			       "JOIN monitors m ON m.id = g.monitor_id");
}

static void idle_gaps_of_many_monitors_come_in_portions(void **state)
{
	(void)state;
	struct check_lease lease;
	int64_t account = add_account("one");
	bool is_more = true;
	int rounds = 0;
	execute("INSERT INTO monitors (account_id, name, created_at, updated_at) "
		"SELECT %ld, CONCAT('m', seq), NOW(), NOW() FROM seq_1_to_1030",
		(long)account);
	check_all(CHECK_TCP);
	execute("INSERT INTO monitor_states (monitor_id, phase, checked_at, failures, successes, "
		"is_slow, changes, is_flapping, response_ms) SELECT id, 1, '2026-03-01', 0, 0, 0, "
		"0, 0, 0 FROM monitors");
	assert_ok(check_lease_take(db, "0123456789abcdef", &lease, &error));
	assert_ok(check_lease_drop(db, "0123456789abcdef", 0, &error));
	for (; is_more; rounds++) {
		uint64_t before = db_queries(db);
		assert_ok(monitor_gaps_begin_idle(db, at(20, 0), &is_more, &error));
		assert_in_range(db_queries(db) - before, 1, 2 + 4 + 2);
	}
	assert_int_equal(rounds, 3);
	assert_rows("1030|2026-03-01 00:00:00",
		    "SELECT COUNT(*), MAX(started_at) FROM monitor_gaps WHERE ended_at IS NULL");
}

static void old_gaps_are_deleted(void **state)
{
	(void)state;
	struct world world = make_world();
	bool is_more = true;
	store_one(world.web, at(3, 0), at(4, 0));
	store_one(world.web, at(5, 0), at(6, 0));
	store_one(world.mail, at(1, 0), at(5, 1));
	store_one(world.foreign, at(1, 0), NONE);
	assert_ok(monitor_gaps_prune(db, at(5, 1), &is_more, &error));
	assert_false(is_more);
	assert_rows("2026-03-05 00:00:00\n2026-03-01 00:00:00\n2026-03-01 00:00:00",
		    "SELECT started_at FROM monitor_gaps ORDER BY monitor_id");
	assert_ok(monitor_gaps_prune(db, at(7, 0), &is_more, &error));
	assert_rows("2026-03-01 00:00:00|-", "SELECT started_at, ended_at FROM monitor_gaps");
}

/* It was ahead, and was set back. */
static void gaps_that_end_in_the_future_are_cut(void **state)
{
	(void)state;
	struct world world = make_world();
	execute("INSERT INTO monitor_gaps (monitor_id, started_at, ended_at, ends_at) VALUES "
		"(%1$ld, '2026-03-05', '2026-03-06', '2026-03-06'), "
		"(%1$ld, '2026-03-07', '2099-01-01', '2099-01-01'), "
		"(%1$ld, '2099-01-01', '2099-01-02', '2099-01-02'), "
		"(%2$ld, '2026-03-07', NULL, '" FOREVER "')",
		(long)world.web, (long)world.mail);
	assert_ok(monitor_gaps_cut(db, at(20, 0), &error));
	assert_rows(
		"web|1|0\nweb|1|0\nweb|1|1\nmail|-|1",
		"SELECT m.name, ended_at = ends_at, ends_at > UTC_TIMESTAMP() FROM monitor_gaps "
		"JOIN monitors m ON m.id = monitor_id ORDER BY monitor_id, started_at");
	assert_rows("both|6|2026-03-20 00:00:00\nforeign|5|-\nmail|5|-", REVISIONS);
	assert_ok(monitor_gaps_cut(db, at(20, 1), &error));
	assert_rows("2099-01-01 00:00:00", "SELECT MAX(ended_at) FROM monitor_gaps");
	assert_rows("6", "SELECT MAX(revision) FROM page_revisions");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(a_gap_begins_and_ends),
		DATABASE_TEST(a_past_gap_is_added_once),
		DATABASE_TEST(a_gap_never_ends_before_it_begins),
		DATABASE_TEST(the_most_monitors_take_the_same_statements),
		DATABASE_TEST(no_gap_begins_of_a_monitor_that_is_not_checked),
		DATABASE_TEST(a_gap_ends_with_the_checks),
		DATABASE_TEST(gaps_begin_while_no_checker_runs),
		DATABASE_TEST(a_gap_of_heartbeats_begins_when_one_is_missing),
		DATABASE_TEST(idle_gaps_of_many_monitors_come_in_portions),
		DATABASE_TEST(old_gaps_are_deleted),
		DATABASE_TEST(gaps_that_end_in_the_future_are_cut),
	};
	return RUN_ON_DATABASE(tests);
}
