#include "integration/lib/database.h"

#include "store/incident/incident_write.h"

enum { ROWS_MAX = 600 };

struct fixture {
	int64_t account;
	int64_t monitors[ROWS_MAX];
	struct incident_set set;
	struct incident before[ROWS_MAX], rows[ROWS_MAX];
	struct incident_change changes[ROWS_MAX];
};

/* Monitors "m 1", "m 2", ..., and an open incident for each, which is not stored yet. */
static struct fixture *fixture_of(size_t count)
{
	static struct fixture fixture;
	fixture = (struct fixture){ .account = add_account("one") };
	fixture.set = (struct incident_set){ .db = db,
					     .account_id = fixture.account,
					     .now = at(5, 5),
					     .error = &error,
					     .rows = fixture.changes };
	execute("INSERT INTO monitors (account_id, name, url, created_at, updated_at) "
		"SELECT %ld, CONCAT('m ', seq), 'https://example.org/', '2026-01-01', '2026-01-01' "
		"FROM seq_1_to_%ld",
		(long)fixture.account, (long)count);
	int64_t first = select_number("SELECT MIN(id) FROM monitors");
	for (size_t i = 0; i < count; i++) {
		fixture.monitors[i] = first + (int64_t)i;
		fixture.rows[i] = (struct incident){
			.account_id = fixture.account,
			.monitor_id = fixture.monitors[i],
			.title = i % 2 == 0 ? "The title" : NULL,
			.cause = arena_printf(&arena, "cause %zu", i + 1),
			.started_at = at(1, 1),
			.impact = INCIDENT_MAJOR_OUTAGE,
		};
	}
	return &fixture;
}

/* New incidents, or with is_new false changes of `before`. */
static struct incident_set *set_of(struct fixture *fixture, size_t count, bool is_new)
{
	for (size_t i = 0; i < count; i++)
		fixture->changes[i] =
			(struct incident_change){ .before = is_new ? NULL : &fixture->before[i],
						  .after = &fixture->rows[i] };
	fixture->set.count = count;
	fixture->set.stored = 0;
	return &fixture->set;
}

static void each_incident_has_its_own_id_however_ids_are_given(void **state)
{
	static const size_t counts[] = { 1, 2, 8, 9, 512, 513 };
	struct fixture *fixture = fixture_of(ROWS_MAX);
	(void)state;
	/* As a node of Galera gives them. */
	assert_ok(db_script(
		db, "SET SESSION auto_increment_increment = 7, auto_increment_offset = 3", &error));
	for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
		execute("DELETE FROM incidents");
		assert_committed(incident_write_rows(set_of(fixture, counts[i], true)));
		for (size_t k = 0; k < counts[i]; k++)
			assert_int_equal(fixture->rows[k].id % 7, 3);
		assert_int_equal(select_number("SELECT COUNT(*) FROM incidents"), counts[i]);
		for (size_t k = 0; k<counts[i]; k += counts[i]> 9 ? 97 : 1)
			assert_rows(arena_printf(&arena,
						 "%ld|%ld|%s|cause %zu|2026-03-01 01:00:00|-|"
						 "2026-03-05 05:00:00|2026-03-05 05:00:00|1",
						 (long)fixture->account, (long)fixture->monitors[k],
						 k % 2 == 0 ? "The title" : "-", k + 1),
				    "SELECT account_id, monitor_id, title, cause, started_at, "
				    "ended_at, created_at, updated_at, revision FROM incidents "
				    "WHERE id = %ld",
				    (long)fixture->rows[k].id);
	}
	assert_ok(db_script(
		db, "SET SESSION auto_increment_increment = 1, auto_increment_offset = 1", &error));
}

static void several_incidents_of_a_monitor_keep_their_order(void **state)
{
	struct fixture *fixture = fixture_of(2);
	(void)state;
	for (size_t i = 0; i < 5; i++) {
		fixture->rows[i] = fixture->rows[0];
		fixture->rows[i].monitor_id = fixture->monitors[i / 3];
		fixture->rows[i].started_at = at(1 + (int)i, 0);
		fixture->rows[i].ended_at = at(1 + (int)i, 7);
	}
	assert_committed(incident_write_rows(set_of(fixture, 5, true)));
	for (size_t i = 0; i < 5; i++)
		assert_rows(arena_printf(&arena, "%ld|2026-03-0%zu 07:00:00",
					 (long)fixture->monitors[i / 3], i + 1),
			    "SELECT monitor_id, ended_at FROM incidents WHERE id = %ld",
			    (long)fixture->rows[i].id);
}

static void an_open_incident_that_was_not_seen_is_a_conflict(void **state)
{
	struct fixture *fixture = fixture_of(3);
	(void)state;
	execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, created_at, "
		"updated_at) VALUES (%ld, %ld, 'c', '2026-01-01', '2026-01-01', '2026-01-01')",
		(long)fixture->account, (long)fixture->monitors[1]);
	assert_transaction(E_CONFLICT, incident_write_rows(set_of(fixture, 3, true)));
	assert_rows("1", "SELECT COUNT(*) FROM incidents");
}

/* Ends all but the first, which begins a month earlier instead. */
static void change_rows(struct fixture *fixture, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		fixture->before[i] = fixture->rows[i];
		if (i == 0)
			fixture->rows[i].started_at.s -= (int64_t)2 * 86400;
		else
			incident_resolve(&fixture->rows[i], at(2, 2));
	}
}

static void changes_are_stored_counted_and_noted_in_their_months(void **state)
{
	static const size_t counts[] = { 1, 7, 8, 9, 255, 256, 257, 511, 512, 513 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
		size_t count = counts[i];
		execute("DELETE FROM accounts");
		struct fixture *fixture = fixture_of(count);
		assert_committed(incident_write_all(set_of(fixture, count, true)));
		assert_rows(arena_printf(&arena, "0|%zu|%zu|1", count, count),
			    "SELECT status, COUNT(*), SUM(total), MAX(total) FROM incident_counts "
			    "GROUP BY status");
		change_rows(fixture, count);
		assert_committed(incident_write_all(set_of(fixture, count, false)));
		assert_rows(arena_printf(&arena, "1|%zu|%zu", count - 1, count),
			    "SELECT SUM(status = 0), SUM(status = 2), SUM(revision = 2) "
			    "FROM incidents");
		assert_rows(arena_printf(&arena, "1|%zu", count - 1),
			    "SELECT SUM(IF(status = 0, total, 0)), SUM(IF(status = 2, total, 0)) "
			    "FROM incident_counts");
		assert_rows(arena_printf(&arena, "2026-02-01|1|1\n2026-03-01|%zu|2", count),
			    "SELECT month, COUNT(*), MAX(revision) FROM incident_months "
			    "GROUP BY month ORDER BY month");
	}
}

static void records_begin_and_pages_are_marked_once(void **state)
{
	struct fixture *fixture = fixture_of(3);
	(void)state;
	int64_t both = add_page(fixture->account, "both");
	add_page(fixture->account, "none");
	show_monitor(both, fixture->monitors[0], 1);
	show_monitor(both, fixture->monitors[1], 2);
	fixture->rows[2].is_on_no_page = true;
	execute("UPDATE monitors SET known_since = '2026-02-01' WHERE id IN (%ld, %ld)",
		(long)fixture->monitors[1], (long)fixture->monitors[2]);
	execute("UPDATE page_revisions SET unpublished_since = NULL");
	assert_committed(incident_write_all(set_of(fixture, 3, true)));
	assert_rows("2026-03-01 01:00:00|2026-03-05 05:00:00\n"
		    "2026-02-01 00:00:00|2026-03-05 05:00:00\n"
		    "2026-02-01 00:00:00|2026-03-05 05:00:00",
		    "SELECT known_since, updated_at FROM monitors ORDER BY id");
	assert_rows("both|2|2026-03-05 05:00:00\nnone|1|-",
		    "SELECT p.slug, r.revision, r.unpublished_since FROM " PAGES_AND_REVISIONS
		    " ORDER BY p.id");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(each_incident_has_its_own_id_however_ids_are_given),
		DATABASE_TEST(several_incidents_of_a_monitor_keep_their_order),
		DATABASE_TEST(an_open_incident_that_was_not_seen_is_a_conflict),
		DATABASE_TEST(changes_are_stored_counted_and_noted_in_their_months),
		DATABASE_TEST(records_begin_and_pages_are_marked_once),
	};
	return RUN_ON_DATABASE(tests);
}
