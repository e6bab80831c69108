#include "integration/lib/database.h"

#include "store/account/api_key.h"

static void a_key_is_stored_as_its_hash(void **state)
{
	const char *text = NULL;
	(void)state;
	int64_t account = add_account("one");
	struct api_key key = { .account_id = account,
			       .label = "deploy",
			       .is_read_only = true,
			       .location = "paris",
			       .expires_at = at(20, 1),
			       .created_at = at(5, 10),
			       .made_by_id = 7,
			       .made_by_label = "maker" };
	assert_committed(api_key_create(db, &key, &text, &arena, &error));
	assert_int_equal(strncmp(text, "dm_", 3), 0);
	assert_rows(
		arena_printf(
			&arena,
			"%ld|deploy|1|paris|2026-03-20 01:00:00|-|-|2026-03-05 10:00:00|7|maker|1",
			(long)account),
		"SELECT account_id, label, is_read_only, location, expires_at, revoked_at, "
		"last_used_at, created_at, made_by_id, made_by_label, key_hash = UNHEX(SHA2('%s', "
		"256)) FROM "
		"api_keys WHERE id = %ld",
		text, (long)key.id);
}

static int64_t add_key(int64_t account, const char *text)
{
	return execute("INSERT INTO api_keys (account_id, key_hash, label, is_read_only, location, "
		       "expires_at, revoked_at, last_used_at, created_at, made_by_id, "
		       "made_by_label) VALUES (%ld, "
		       "UNHEX(SHA2('%s', 256)), "
		       "'label of %s', 1, 'rome', '2026-03-10 00:00:00', '2026-03-09 00:00:00', "
		       "'2026-03-08 00:00:00', '2026-03-07 00:00:00', 6, 'maker')",
		       (long)account, text, text);
}

static void check_key(const struct api_key *key, int64_t account, int64_t id, const char *label)
{
	assert_int_equal(key->id, id);
	assert_int_equal(key->account_id, account);
	assert_string_equal(key->label, label);
	assert_true(key->is_read_only);
	assert_string_equal(key->location, "rome");
	assert_int_equal(key->expires_at.s, at(10, 0).s);
	assert_int_equal(key->revoked_at.s, at(9, 0).s);
	assert_int_equal(key->last_used_at.s, at(8, 0).s);
	assert_int_equal(key->created_at.s, at(7, 0).s);
	assert_int_equal(key->made_by_id, 6);
	assert_string_equal(key->made_by_label, "maker");
}

static void a_key_is_found_by_its_text(void **state)
{
	struct api_key key = { 0 };
	(void)state;
	int64_t account = add_account("one");
	add_key(account, "other");
	int64_t id = add_key(account, "mine");
	assert_ok(api_key_find(db, STR("mine"), &arena, &key, &error));
	check_key(&key, account, id, "label of mine");
	assert_result(E_NOT_FOUND, api_key_find(db, STR("Mine"), &arena, &key, &error));
	assert_result(E_NOT_FOUND, api_key_find(db, STR(""), &arena, &key, &error));
}

static void keys_are_listed_by_id(void **state)
{
	struct api_key_list list;
	(void)state;
	int64_t one = add_account("one"), two = add_account("two");
	int64_t first = add_key(one, "a"), second = add_key(two, "b"), third = add_key(one, "c");
	assert_ok(api_key_list(db, one, 0, &arena, &list, &error));
	assert_int_equal(list.count, 2);
	check_key(&list.rows[0], one, first, "label of a");
	check_key(&list.rows[1], one, third, "label of c");
	assert_ok(api_key_list(db, 0, first, &arena, &list, &error));
	assert_int_equal(list.count, 2);
	assert_int_equal(list.rows[0].id, second);
	assert_int_equal(list.rows[1].id, third);
}

static void a_page_of_the_list_has_the_newest_keys_first(void **state)
{
	struct api_key_page page;
	struct api_key key = { 0 };
	(void)state;
	int64_t one = add_account("one"), two = add_account("two");
	int64_t first = add_key(one, "a"), theirs = add_key(two, "b"), third = add_key(one, "c");
	struct list_query query = { .account_id = one, .limit = 1 };
	assert_ok(api_key_list_page(db, &query, &arena, &page, &error));
	assert_int_equal(page.count, 1);
	assert_int_equal(page.total, 2);
	check_key(&page.rows[0], one, third, "label of c");
	query.offset = 1;
	assert_ok(api_key_list_page(db, &query, &arena, &page, &error));
	check_key(&page.rows[0], one, first, "label of a");
	query.offset = 7;
	assert_ok(api_key_list_page(db, &query, &arena, &page, &error));
	assert_int_equal(page.count, 0);
	assert_int_equal(page.total, 2);
	assert_ok(api_key_show(db, one, first, &arena, &key, &error));
	check_key(&key, one, first, "label of a");
	assert_result(E_NOT_FOUND, api_key_show(db, one, theirs, &arena, &key, &error));
}

static enum result revoke(int64_t id, struct instant now)
{
	const struct id_list ids = { &id, 1 };
	return api_key_revoke(db, &ids, now, &arena, &error);
}

static void a_key_is_revoked_once(void **state)
{
	const char *text = NULL;
	(void)state;
	int64_t account = add_account("one");
	struct api_key key = { .account_id = account, .label = "a", .created_at = at(1, 0) };
	struct api_key other = key;
	assert_committed(api_key_create(db, &key, &text, &arena, &error));
	assert_committed(api_key_create(db, &other, &text, &arena, &error));
	assert_committed(revoke(key.id, at(2, 0)));
	assert_committed(revoke(key.id, at(3, 0)));
	assert_rows("2026-03-02 00:00:00\n-", "SELECT revoked_at FROM api_keys ORDER BY id");
	assert_transaction(E_NOT_FOUND, revoke(999999999, at(2, 0)));
}

static void validity_ends_with_revocation_and_expiry(void **state)
{
	struct api_key key = { 0 };
	(void)state;
	assert_true(api_key_is_valid(&key, at(5, 0)));
	key.expires_at = at(5, 0);
	assert_true(api_key_is_valid(&key, (struct instant){ at(5, 0).s - 1 }));
	assert_false(api_key_is_valid(&key, at(5, 0)));
	key = (struct api_key){ .revoked_at = at(1, 0) };
	assert_false(api_key_is_valid(&key, at(5, 0)));
}

static void a_use_is_noted_once_a_minute_and_waits_for_nobody(void **state)
{
	const char *text = NULL;
	(void)state;
	struct api_key key = { .account_id = add_account("one"),
			       .label = "a",
			       .created_at = at(1, 0) };
	struct api_key other = key;
	assert_committed(api_key_create(db, &key, &text, &arena, &error));
	assert_committed(api_key_create(db, &other, &text, &arena, &error));
	assert_ok(api_key_touch(db, key.id, at(5, 10), &error));
	assert_rows("2026-03-05 10:00:00\n-", "SELECT last_used_at FROM api_keys ORDER BY id");
	key.last_used_at = at(5, 10);
	assert_false(api_key_wants_touch(&key, (struct instant){ at(5, 10).s + 59 }));
	assert_true(api_key_wants_touch(&key, (struct instant){ at(5, 10).s + 60 }));
	execute("BEGIN");
	select_text("SELECT id FROM api_keys WHERE id = %ld FOR UPDATE", (long)key.id);
	assert_ok(api_key_touch(db, key.id, at(6, 10), &error));
	execute("COMMIT");
	assert_rows("2026-03-05 10:00:00\n-", "SELECT last_used_at FROM api_keys ORDER BY id");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(a_key_is_stored_as_its_hash),
		DATABASE_TEST(a_key_is_found_by_its_text),
		DATABASE_TEST(keys_are_listed_by_id),
		DATABASE_TEST(a_page_of_the_list_has_the_newest_keys_first),
		DATABASE_TEST(a_key_is_revoked_once),
		DATABASE_TEST(validity_ends_with_revocation_and_expiry),
		DATABASE_TEST(a_use_is_noted_once_a_minute_and_waits_for_nobody),
	};
	return RUN_ON_DATABASE(tests);
}
