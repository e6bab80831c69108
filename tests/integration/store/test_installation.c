#include "integration/lib/database.h"

#include "store/schema/installation.h"

static int64_t records(void)
{
	return select_number("SELECT COUNT(*) FROM installations");
}

static void an_installation_is_recorded_once(void **state)
{
	(void)state;
	assert_ok(installation_record(db, "http://one.example", at(1, 0), &error));
	assert_ok(installation_record(db, "https://one.example", at(2, 0), &error));
	assert_int_equal(records(), 1);
	assert_int_equal(select_number("SELECT COUNT(*) FROM installations "
				       "WHERE seen_at = '2026-03-02 00:00:00'"),
			 1);
}

/* A restore makes the tables one after the other, in the order of their names. */
static void nothing_is_recorded_in_the_middle_of_a_restore(void **state)
{
	(void)state;
	execute("DELETE FROM installations");
	execute("RENAME TABLE timeline TO not_yet");
	assert_result(E_FAILED, installation_record(db, "http://one.example", at(1, 0), &error));
	assert_int_equal(records(), 0);
	/* Its rows come after the table. */
	execute("CREATE TABLE timeline LIKE not_yet");
	assert_ok(installation_record(db, "http://one.example", at(1, 0), &error));
	assert_int_equal(records(), 0);
	execute("DROP TABLE timeline");
	execute("RENAME TABLE not_yet TO timeline");
	assert_ok(installation_record(db, "http://one.example", at(1, 0), &error));
	assert_int_equal(records(), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(an_installation_is_recorded_once),
		DATABASE_TEST(nothing_is_recorded_in_the_middle_of_a_restore),
	};
	return RUN_ON_DATABASE(tests);
}
