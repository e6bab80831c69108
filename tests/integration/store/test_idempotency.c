#include "integration/lib/database.h"

#include "store/account/idempotency.h"

#define HASH(digit) \
	digit digit digit digit digit digit digit digit digit digit digit digit digit digit digit \
		digit
#define HASH_A HASH("aaaa")
#define HASH_B HASH("bbbb")
#define HASH_C HASH("cccc")

static struct idempotency_key claimed(int64_t account, const char *hash)
{
	struct idempotency_key key = { .account_id = account,
				       .key_hash = hash,
				       .request_hash = HASH_C,
				       .created_at = at(5, 10) };
	assert_committed(idempotency_claim(db, &key, &error));
	return key;
}

static void a_key_is_claimed_once_in_an_account(void **state)
{
	(void)state;
	int64_t one = add_account("one"), two = add_account("two");
	struct idempotency_key key = claimed(one, HASH_A);
	assert_rows(HASH_A "|" HASH_C "|-|-|-|2026-03-05 10:00:00",
		    "SELECT key_hash, request_hash, status, headers, body, created_at "
		    "FROM idempotency_keys WHERE account_id = %ld",
		    (long)one);
	assert_transaction(E_CONFLICT, idempotency_claim(db, &key, &error));
	claimed(two, HASH_A);
	claimed(one, HASH_B);
	assert_rows("3", "SELECT COUNT(*) FROM idempotency_keys");
}

static void a_response_is_stored_counted_and_found(void **state)
{
	struct idempotency_key found = { 0 };
	(void)state;
	int64_t one = add_account("one"), two = add_account("two");
	struct idempotency_key key = claimed(one, HASH_A);
	claimed(one, HASH_B);
	claimed(two, HASH_A);
	key.status = 201;
	key.headers = "ETag: \"1\"\n";
	key.body = "{\"a\":1}";
	assert_committed(idempotency_store_response(db, &key, 0, &error));
	assert_ok(idempotency_find(db, &key, &arena, &found, &error));
	assert_int_equal(found.account_id, one);
	assert_string_equal(found.key_hash, HASH_A);
	assert_string_equal(found.request_hash, HASH_C);
	assert_int_equal(found.status, 201);
	assert_string_equal(found.headers, "ETag: \"1\"\n");
	assert_string_equal(found.body, "{\"a\":1}");
	assert_int_equal(found.created_at.s, at(5, 10).s);
	assert_rows("1", "SELECT COUNT(*) FROM idempotency_keys WHERE status IS NOT NULL");
	/* Both texts, in this account's count of today, and in no other. */
	assert_rows("17|0",
		    "SELECT (SELECT used_today %% 1099511627776 FROM account_usage "
		    "WHERE account_id = %ld AND quota = 'responses'), "
		    "(SELECT SUM(used_today) FROM account_usage WHERE quota <> 'responses' "
		    "OR account_id = %ld)",
		    (long)one, (long)two);
	key.key_hash = HASH_C;
	assert_result(E_NOT_FOUND, idempotency_find(db, &key, &arena, &found, &error));
}

static void responses_fit_into_the_quota_of_a_day(void **state)
{
	(void)state;
	int64_t account = add_account("one");
	struct idempotency_key a = claimed(account, HASH_A), b = claimed(account, HASH_B);
	a.status = b.status = 200;
	a.headers = b.headers = "";
	a.body = "12345";
	b.body = "123456";
	assert_committed(idempotency_store_response(db, &a, 10, &error));
	assert_transaction(E_QUOTA_EXCEEDED, idempotency_store_response(db, &b, 10, &error));
	assert_rows("5|-", "SELECT (SELECT used_today %% 1099511627776 FROM account_usage "
			   "WHERE quota = 'responses'), "
			   "(SELECT body FROM idempotency_keys WHERE key_hash = '" HASH_B "')");
	b.body = "12345";
	assert_committed(idempotency_store_response(db, &b, 10, &error));
}

static void keys_are_forgotten_by_age(void **state)
{
	(void)state;
	int64_t account = add_account("one");
	claimed(account, HASH_A);
	claimed(account, HASH_B);
	execute("UPDATE idempotency_keys SET created_at = '2026-03-05 09:59:59' "
		"WHERE key_hash = '" HASH_A "'");
	assert_ok(idempotency_forget(db, at(5, 10), &error));
	assert_rows(HASH_B, "SELECT key_hash FROM idempotency_keys");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(a_key_is_claimed_once_in_an_account),
		DATABASE_TEST(a_response_is_stored_counted_and_found),
		DATABASE_TEST(responses_fit_into_the_quota_of_a_day),
		DATABASE_TEST(keys_are_forgotten_by_age),
	};
	return RUN_ON_DATABASE(tests);
}
