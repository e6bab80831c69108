#include "integration/lib/database.h"

#include "store/account/usage.h"

static void pages_are_counted_in_the_account_alone(void **state)
{
	(void)state;
	int64_t one = add_account("one"), two = add_account("two");
	add_page(one, "a");
	add_page(two, "b");
	add_page(two, "c");
	assert_committed(usage_check_pages(db, one, 2, &error));
	assert_transaction(E_QUOTA_EXCEEDED, usage_check_pages(db, two, 2, &error));
	assert_string_equal(error.client, "The account may have at most 2 status pages.");
	assert_committed(usage_check_pages(db, two, 3, &error));
	assert_committed(usage_check_pages(db, two, 0, &error));
}

static void monitors_are_counted_in_the_account_alone(void **state)
{
	(void)state;
	int64_t one = add_account("one"), two = add_account("two");
	add_monitor(one, "a");
	add_monitor(two, "b");
	add_monitor(two, "c");
	assert_committed(usage_check_monitors(db, one, 2, &error));
	assert_transaction(E_QUOTA_EXCEEDED, usage_check_monitors(db, two, 2, &error));
	assert_committed(usage_check_monitors(db, two, 3, &error));
	assert_committed(usage_check_monitors(db, two, 0, &error));
}

static enum result check_upload(int64_t account, int64_t page, size_t len, int64_t most)
{
	static const char bytes[1000];
	const struct page_file file = { "logo", "logo-2.png", bytes, len };
	const struct usage_upload upload = { &file, 1 };
	const struct status_page row = { .id = page, .account_id = account };
	return usage_check_uploads(db, &row, &upload, most, &error);
}

static void uploads_count_but_for_those_they_replace(void **state)
{
	(void)state;
	int64_t one = add_account("one"), page = add_page(one, "a"), more = add_page(one, "b");
	int64_t theirs = add_page(add_account("two"), "c");
	execute("INSERT INTO status_page_files (status_page_id, kind, name, bytes) VALUES "
		"(%1$ld, 'logo', 'l', REPEAT('x', 100)), (%1$ld, 'favicon', 'f', REPEAT('x', 20)), "
		"(%2$ld, 'logo', 'l', REPEAT('x', 3)), (%3$ld, 'logo', 'l', REPEAT('x', 500))",
		(long)page, (long)more, (long)theirs);
	/* 23 stay, and 77 come. */
	assert_committed(check_upload(one, page, 77, 100));
	assert_transaction(E_QUOTA_EXCEEDED, check_upload(one, page, 78, 100));
	assert_committed(check_upload(one, page, 78, 0));
	assert_committed(check_upload(one, page, 0, 1));
}

static const char *used_today(int64_t account)
{
	return select_text("SELECT used_today DIV 1099511627776 = UNIX_TIMESTAMP() DIV 86400, "
			   "used_today %% 1099511627776 FROM account_usage "
			   "WHERE account_id = %ld AND quota = 'incidents'",
			   (long)account);
}

static void incidents_are_counted_by_the_day(void **state)
{
	(void)state;
	int64_t one = add_account("one"), two = add_account("two");
	assert_committed(usage_count_incidents(db, one, 3, 5, &error));
	assert_string_equal(used_today(one), "1|3");
	assert_transaction(E_QUOTA_EXCEEDED, usage_count_incidents(db, one, 3, 5, &error));
	assert_string_equal(error.client, "The account may open at most 5 incidents a day.");
	assert_committed(usage_count_incidents(db, one, 2, 5, &error));
	assert_string_equal(used_today(one), "1|5");
	assert_rows("0",
		    "SELECT SUM(used_today) FROM account_usage WHERE account_id = %ld "
		    "OR quota <> 'incidents'",
		    (long)two);
	/* What was used on another day, before or ahead, counts as none. */
	for (int day = -1; day <= 1; day += 2) {
		execute("UPDATE account_usage SET used_today = (UNIX_TIMESTAMP() DIV 86400 + %d) * "
			"1099511627776 + 5 WHERE quota = 'incidents'",
			day);
		assert_committed(usage_count_incidents(db, one, 5, 5, &error));
		assert_string_equal(used_today(one), "1|5");
	}
	assert_committed(usage_count_incidents(db, one, 0, 5, &error));
	assert_committed(usage_count_incidents(db, one, 9, 0, &error));
}

static void rows_that_an_account_lacks_are_added(void **state)
{
	(void)state;
	int64_t account = add_account("one");
	execute("DELETE FROM account_usage");
	assert_committed(usage_check_pages(db, account, 1, &error));
	assert_rows("8", "SELECT COUNT(*) FROM account_usage");
	execute("DELETE FROM account_usage");
	assert_committed(usage_start(db, account, &error));
	assert_committed(usage_start(db, account, &error));
	assert_rows(
		"incident_templates\nincidents\nkeys\nmaintenances\nmonitors\nresponses\nstatus_"
		"pages\nuploads",
		"SELECT quota FROM account_usage ORDER BY quota");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(pages_are_counted_in_the_account_alone),
		DATABASE_TEST(monitors_are_counted_in_the_account_alone),
		DATABASE_TEST(uploads_count_but_for_those_they_replace),
		DATABASE_TEST(incidents_are_counted_by_the_day),
		DATABASE_TEST(rows_that_an_account_lacks_are_added),
	};
	return RUN_ON_DATABASE(tests);
}
