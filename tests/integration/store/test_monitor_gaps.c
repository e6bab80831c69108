#include "integration/lib/database.h"

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
	uint64_t before = db_queries(db);
	assert_committed(
		monitor_gaps_store(db, rows, MONITOR_GAPS_MAX, at(20, 0), &changed, &error));
	assert_int_equal(db_queries(db) - before, 4 + 2);
	assert_int_equal(changed, MONITOR_GAPS_MAX);
	assert_int_equal(select_number("SELECT COUNT(*) FROM monitor_gaps"), MONITOR_GAPS_MAX);
	assert_committed(monitor_gaps_store(db, rows, 0, at(20, 0), &changed, &error));
	assert_int_equal(changed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(a_gap_begins_and_ends),
		DATABASE_TEST(a_past_gap_is_added_once),
		DATABASE_TEST(a_gap_never_ends_before_it_begins),
		DATABASE_TEST(the_most_monitors_take_the_same_statements),
	};
	return RUN_ON_DATABASE(tests);
}
