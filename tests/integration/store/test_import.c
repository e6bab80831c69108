#include "integration/lib/database.h"

#include "store/incident/incident_import.h"
#include "store/snapshot/timeline.h"

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
	assert_ok(incident_import_find(db, one, &file, &error));
	assert_int_equal(file.lines_done, 0);
	file.lines_done = 500;
	assert_committed(incident_import_note(db, one, &file, at(5, 0), &error));
	file.lines_done = 700;
	assert_committed(incident_import_note(db, one, &file, at(6, 0), &error));
	assert_rows(arena_printf(&arena, "%ld|700|2026-03-06 00:00:00|1", (long)one),
		    "SELECT account_id, lines_done, updated_at, "
		    "file_hash = UNHEX(SHA2('a,b\n', 256)) FROM incident_imports");
	file.lines_done = 0;
	assert_ok(incident_import_find(db, one, &file, &error));
	assert_int_equal(file.lines_done, 700);
	assert_ok(incident_import_find(db, two, &file, &error));
	assert_int_equal(file.lines_done, 0);
	assert_ok(incident_import_find(db, one, &other, &error));
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(a_file_goes_on_where_it_was_left),
		DATABASE_TEST(a_new_epoch_is_above_all_before),
	};
	return RUN_ON_DATABASE(tests);
}
