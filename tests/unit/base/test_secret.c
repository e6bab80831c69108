#include "unit/lib/unit.h"

#include <sys/prctl.h>

#include "base/secret.h"

static void tokens_are_url_safe_and_differ(void **state)
{
	(void)state;
	char a[SECRET_TOKEN_SIZE], b[SECRET_TOKEN_SIZE];
	secret_token(a);
	secret_token(b);
	assert_int_equal(43, strlen(a));
	assert_int_equal(43, strspn(a, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				       "0123456789-_"));
	assert_string_not_equal(a, b);
}

static void hashes_are_sha256(void **state)
{
	(void)state;
	assert_string_equal("ba7816bf8f01cfea", secret_hash_hex(&arena, "abc", 3, 16));
}

static void a_password_matches_its_own_hash_only(void **state)
{
	(void)state;
	char *hash = secret_password_hash(&arena, STR(" right \xff"));
	assert_non_null(hash);
	assert_memory_equal("$argon2id$v=19$m=19456,t=2,p=1$", hash, 31);
	assert_true(secret_password_matches(hash, STR(" right \xff")));
	assert_false(secret_password_matches(hash, STR("right")));
	assert_string_not_equal(hash, secret_password_hash(&arena, STR(" right \xff")));
}

static void secrets_are_not_dumped(void **state)
{
	(void)state;
	assert_int_equal(0, prctl(PR_GET_DUMPABLE));
}

static void a_digest_is_of_all_pieces_in_turn(void **state)
{
	(void)state;
	const struct str whole = STR("onetwo"), pieces[] = { STR("one"), STR("two") },
			 turned[] = { STR("two"), STR("one") };
	const char *digest = secret_digest_fast(&arena, &whole, 1);
	assert_int_equal(32, strlen(digest));
	assert_string_equal(digest, secret_digest_fast(&arena, pieces, 2));
	assert_string_not_equal(digest, secret_digest_fast(&arena, turned, 2));
	assert_string_not_equal(digest, secret_digest_fast(&arena, pieces, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tokens_are_url_safe_and_differ),
		cmocka_unit_test(hashes_are_sha256),
		cmocka_unit_test(a_password_matches_its_own_hash_only),
		cmocka_unit_test(secrets_are_not_dumped),
		cmocka_unit_test(a_digest_is_of_all_pieces_in_turn),
	};
	secret_init();
	return RUN_WITH_ARENA(tests);
}
