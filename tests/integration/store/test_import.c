#include "integration/lib/database.h"

#include "store/incident/incident.h"
#include "store/incident/incident_import.h"
#include "store/snapshot/timeline.h"

static const struct event_source source = { &tester, { 1772704800 } };

static void a_file_goes_on_where_it_was_left(void **state)
{
	struct incident_import_file file = { .lines_done = 9 }, other = { .lines_done = 9 };
	FILE *content = tmpfile(), *more = tmpfile();
	(void)state;
	int64_t one = add_account("one"), two = add_account("two");
	assert_non_null(content);
	assert_non_null(more);
	fputs("a,b\n", content);
	fputs("a,c\n", more);
	rewind(content);
	rewind(more);
	assert_ok(incident_import_file_hash(content, &file, &error));
	assert_ok(incident_import_file_hash(more, &other, &error));
	assert_memory_not_equal(file.hash, other.hash, sizeof(file.hash));
	assert_int_equal(fgetc(content), 'a');
	fclose(content);
	fclose(more);
	assert_ok(incident_import_find(db, one, &arena, &file, &error));
	assert_int_equal(file.lines_done, 0);
	file.lines_done = 500;
	assert_committed(incident_import_note(db, one, &file, at(5, 0), &error));
	file.lines_done = 700;
	assert_committed(incident_import_note(db, one, &file, at(6, 0), &error));
	assert_rows(arena_printf(&arena, "%ld|700|2026-03-06 00:00:00|1", (long)one),
		    "SELECT account_id, lines_done, updated_at, "
		    "file_hash = UNHEX(SHA2('a,b\n', 256)) FROM incident_imports");
	file.lines_done = 0;
	assert_ok(incident_import_find(db, one, &arena, &file, &error));
	assert_int_equal(file.lines_done, 700);
	assert_ok(incident_import_find(db, two, &arena, &file, &error));
	assert_int_equal(file.lines_done, 0);
	assert_ok(incident_import_find(db, one, &arena, &other, &error));
	assert_int_equal(other.lines_done, 0);
}

static void a_new_epoch_is_above_all_before(void **state)
{
	(void)state;
	int64_t before = select_number("SELECT epoch FROM timeline");
	assert_ok(timeline_begin(db, &error));
	int64_t now = select_number("SELECT epoch FROM timeline");
	assert_true(now > before);
	/* Also where the clock has gone back since. */
	execute("UPDATE timeline SET epoch = epoch + 1000000000");
	assert_ok(timeline_begin(db, &error));
	assert_true(select_number("SELECT epoch FROM timeline") > now + 1000000000);
	execute("UPDATE timeline SET epoch = %ld", (long)now);
	assert_rows("1", "SELECT COUNT(*) FROM timeline");
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
	/* The months of the start, and those in which it goes on. */
	assert_rows("a|2026-01-01\na|2026-02-01\nb|2026-02-01",
		    "SELECT m.name, h.month FROM incident_months h "
		    "JOIN monitors m ON m.id = h.monitor_id ORDER BY m.id, h.month");
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(a_file_goes_on_where_it_was_left),
		DATABASE_TEST(a_new_epoch_is_above_all_before),
		DATABASE_TEST(many_are_imported_at_once),
	};
	return RUN_ON_DATABASE(tests);
}
