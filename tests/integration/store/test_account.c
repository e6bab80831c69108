#include "integration/lib/database.h"

#include "store/account/account.h"

static void an_account_is_stored_with_the_rows_of_its_quotas(void **state)
{
	(void)state;
	struct account account = { .name = "Acme", .created_at = at(5, 10) };
	assert_committed(account_add(db, &account, &error));
	assert_rows("Acme|2026-03-05 10:00:00",
		    "SELECT name, created_at FROM accounts WHERE id = %ld", (long)account.id);
	assert_rows("incident_templates|0\nincidents|0\nkeys|0\nmaintenances|0\nmonitors|"
		    "0\nresponses|0\nstatus_pages|"
		    "0\nuploads|0",
		    "SELECT quota, used_today FROM account_usage WHERE account_id = %ld "
		    "ORDER BY quota",
		    (long)account.id);
}

static void a_name_belongs_to_one_account(void **state)
{
	(void)state;
	struct account account = { .name = "Acme", .created_at = at(5, 10) };
	add_account("Acme");
	assert_transaction(E_CONFLICT, account_add(db, &account, &error));
	assert_rows("1", "SELECT COUNT(*) FROM accounts");
}

/* Every count has a number of its own, and the other account has one more of each. */
static int64_t account_with_one_to_six(const char *name)
{
	int64_t id = add_account(name), page = 0;
	for (int i = 0; i < 2; i++)
		execute("INSERT INTO api_keys (account_id, key_hash, label, created_at) "
			"VALUES (%ld, UNHEX(SHA2('%s %d', 256)), 'k', '2026-01-01 00:00:00')",
			(long)id, name, i);
	for (int i = 0; i < 3; i++)
		add_monitor(id, "web");
	for (int i = 0; i < 4; i++) {
		char slug[32];
		snprintf(slug, sizeof(slug), "%s-%d", name, i);
		page = add_page(id, slug);
	}
	execute("INSERT INTO status_page_files (status_page_id, kind, name, bytes) "
		"VALUES (%ld, 'logo', 'logo-1.png', REPEAT('x', 500))",
		(long)page);
	execute("UPDATE account_usage SET used_today = UNIX_TIMESTAMP() DIV 86400 * 1099511627776 "
		"+ IF(quota = 'incidents', 6, 7) WHERE account_id = %ld",
		(long)id);
	return id;
}

static void check_counts(const struct account *account)
{
	assert_int_equal(account->key_count, 2);
	assert_int_equal(account->monitor_count, 3);
	assert_int_equal(account->status_page_count, 4);
	assert_int_equal(account->upload_bytes, 500);
	assert_int_equal(account->incidents_today, 6);
	assert_int_equal(account->response_bytes_today, 7);
	assert_int_equal(account->created_at.s, 1767225600);
}

static void accounts_are_listed_by_id_with_their_counts(void **state)
{
	struct account_list list;
	(void)state;
	int64_t first = account_with_one_to_six("one");
	int64_t second = add_account("two");
	assert_ok(account_list(db, 0, &arena, &list, &error));
	assert_int_equal(list.count, 2);
	assert_int_equal(list.rows[0].id, first);
	assert_string_equal(list.rows[0].name, "one");
	check_counts(&list.rows[0]);
	assert_int_equal(list.rows[1].id, second);
	assert_int_equal(list.rows[1].monitor_count, 0);
	assert_ok(account_list(db, first, &arena, &list, &error));
	assert_int_equal(list.count, 1);
	assert_int_equal(list.rows[0].id, second);
}

static void an_account_is_found_by_id_or_name(void **state)
{
	struct account account = { 0 };
	(void)state;
	int64_t id = account_with_one_to_six("one");
	add_account("two");
	assert_ok(account_find(db, "one", &arena, &account, &error));
	assert_int_equal(account.id, id);
	check_counts(&account);
	assert_ok(
		account_find(db, arena_printf(&arena, "%ld", (long)id), &arena, &account, &error));
	assert_string_equal(account.name, "one");
	assert_result(E_NOT_FOUND, account_find(db, "three", &arena, &account, &error));
	assert_result(E_NOT_FOUND, account_find(db, "999999999", &arena, &account, &error));
}

static void use_of_another_day_counts_as_none(void **state)
{
	struct account account = { 0 };
	(void)state;
	int64_t id = add_account("one");
	execute("UPDATE account_usage SET used_today = (UNIX_TIMESTAMP() DIV 86400 - 1) * "
		"1099511627776 + 9 WHERE account_id = %ld",
		(long)id);
	assert_ok(account_find(db, "one", &arena, &account, &error));
	assert_int_equal(account.incidents_today, 0);
	assert_int_equal(account.response_bytes_today, 0);
}

static void an_account_marked_as_removed_is_neither_listed_nor_found(void **state)
{
	struct account account = { 0 };
	struct account_list list;
	(void)state;
	int64_t id = add_account("one");
	add_account("two");
	execute("UPDATE accounts SET removed_at = '2026-03-01 00:00:00' WHERE id = %ld", (long)id);
	assert_ok(account_list(db, 0, &arena, &list, &error));
	assert_int_equal(list.count, 1);
	assert_string_equal(list.rows[0].name, "two");
	assert_result(E_NOT_FOUND, account_find(db, "one", &arena, &account, &error));
	assert_result(E_NOT_FOUND, account_find(db, arena_printf(&arena, "%ld", (long)id), &arena,
						&account, &error));
	/* The name is in use until the last row is deleted. */
	struct account again = { .name = "one", .created_at = at(5, 10) };
	assert_transaction(E_CONFLICT, account_add(db, &again, &error));
	assert_ok(account_find_removed(db, "one", &arena, &account, &error));
	assert_int_equal(account.id, id);
	assert_string_equal(account.name, "one");
	assert_ok(account_find_removed(db, arena_printf(&arena, "%ld", (long)id), &arena, &account,
				       &error));
	assert_int_equal(account.id, id);
	assert_string_equal(account.name, "one");
	assert_result(E_NOT_FOUND, account_find_removed(db, "two", &arena, &account, &error));
	assert_result(E_NOT_FOUND, account_find_removed(db, "999999999", &arena, &account, &error));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(an_account_is_stored_with_the_rows_of_its_quotas),
		DATABASE_TEST(a_name_belongs_to_one_account),
		DATABASE_TEST(accounts_are_listed_by_id_with_their_counts),
		DATABASE_TEST(an_account_is_found_by_id_or_name),
		DATABASE_TEST(use_of_another_day_counts_as_none),
		DATABASE_TEST(an_account_marked_as_removed_is_neither_listed_nor_found),
	};
	return RUN_ON_DATABASE(tests);
}
