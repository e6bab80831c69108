#include "unit/lib/unit.h"

#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>

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

static bool matches(const char *hash, struct str password)
{
	bool is_right = false;
	assert_int_equal(OK, secret_password_matches(hash, password, &is_right));
	return is_right;
}

static void a_password_matches_its_own_hash_only(void **state)
{
	(void)state;
	char *hash = secret_password_hash(&arena, STR(" right \xff"));
	assert_non_null(hash);
	assert_memory_equal("$argon2id$v=19$m=19456,t=2,p=1$", hash, 31);
	assert_true(matches(hash, STR(" right \xff")));
	assert_false(matches(hash, STR("right")));
	assert_string_not_equal(hash, secret_password_hash(&arena, STR(" right \xff")));
}

/* The 19 MiB of a hash do not fit below the limit; what is in use does. */
static void a_password_is_not_wrong_because_there_is_no_memory(void **state)
{
	(void)state;
	struct rlimit before, low;
	unsigned long pages = 0;
	bool is_right = true;
	char *hash = secret_password_hash(&arena, STR("right"));
	FILE *statm = fopen("/proc/self/statm", "r");
	assert_non_null(statm);
	assert_int_equal(1, fscanf(statm, "%lu", &pages));
	fclose(statm);
	assert_int_equal(0, getrlimit(RLIMIT_AS, &before));
	low = (struct rlimit){ (pages << 12) + (8 << 20), before.rlim_max };
	assert_int_equal(0, setrlimit(RLIMIT_AS, &low));
	enum result result = secret_password_matches(hash, STR("right"), &is_right);
	char *none = secret_password_hash(&arena, STR("right"));
	assert_int_equal(0, setrlimit(RLIMIT_AS, &before));
	assert_int_equal(E_BUSY, result);
	assert_false(is_right);
	assert_null(none);
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

static void a_sealed_text_is_for_one_key_and_one_owner(void **state)
{
	(void)state;
	static const uint8_t key[SECRET_HASH_BYTES] = { 1 }, other_key[SECRET_HASH_BYTES] = { 2 };
	static const char *const texts[] = { "", "x", "Bearer \xc3\xa9\n",
					     "0123456789abcdef0123456789" };
	const struct str owner = STR("account 7");
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		const struct str text = str_from(texts[i]);
		char *sealed = secret_seal(key, owner, text, &arena);
		assert_string_equal(secret_open(key, owner, str_from(sealed), &arena), texts[i]);
		assert_null(text.len > 1 ? strstr(sealed, texts[i]) : NULL);
		/* The same text is sealed anew each time. */
		assert_string_not_equal(sealed, secret_seal(key, owner, text, &arena));
		assert_null(secret_open(other_key, owner, str_from(sealed), &arena));
		assert_null(secret_open(key, STR("account 71"), str_from(sealed), &arena));
		assert_null(secret_open(key, STR(""), str_from(sealed), &arena));
		/* Each character counts. */
		for (char *c = sealed; *c; c++) {
			char former = *c;
			*c = former == 'A' ? 'Q' : 'A';
			assert_null(secret_open(key, owner, str_from(sealed), &arena));
			*c = former;
		}
		const struct str cut = { sealed, strlen(sealed) - 1 };
		assert_null(secret_open(key, owner, cut, &arena));
	}
	assert_null(secret_open(key, owner, STR(""), &arena));
	assert_null(secret_open(key, owner, STR("not base64!"), &arena));
}

/* RFC 8032, section 7.1: tests 1 to 3. */
static void public_signatures_are_those_of_the_rfc(void **state)
{
	static const struct {
		const char *seed, *key;
		struct str text;
		const char *signature;
	} rows[] = {
		{ "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
		  "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=", STR(""),
		  "5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc+bRr0lv18FlbviRlUUFD"
		  "jnoQCw==" },
		{ "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
		  "PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=", STR("\x72"),
		  "kqAJqfDUyrhyDoILX2QlQKKye1QWUD+Ps3YiI+vbadoIWsHkPhWZbkWPNhPQ8R2MOHsurrQwKu6wDSkW"
		  "ErsMAA==" },
		{ "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
		  "/FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU=", STR("\xaf\x82"),
		  "YpHWV97sJAJIJ+acOr4BowzlSKKEdDpEXjaA19taw6wY/5tTjRbykK5n92CYTcZZSnwV6XFu0o3AJ77O"
		  "6h7ECg==" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		uint8_t seed[SECRET_HASH_BYTES];
		char key[SECRET_PUBLIC_KEY_SIZE], signature[SECRET_PUBLIC_SIGNATURE_SIZE];
		assert_true(secret_from_hex(str_from(rows[i].seed), seed, sizeof(seed)));
		secret_public_key(seed, key);
		assert_string_equal(rows[i].key, key);
		secret_sign_public(seed, rows[i].text, signature);
		assert_string_equal(rows[i].signature, signature);
	}
}

/* Python's hmac has made the key. */
static void a_derived_key_is_an_hmac_of_the_purpose(void **state)
{
	static const uint8_t key[SECRET_HASH_BYTES] = { 1 };
	uint8_t derived[SECRET_HASH_BYTES];
	(void)state;
	secret_derive(key, "daymark webhook ed25519", derived);
	assert_string_equal("58bc35fc619c817fae6f4964535096731178dce2755ecd2849fb8fd560d27803",
			    secret_to_hex(&arena, derived, sizeof(derived)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tokens_are_url_safe_and_differ),
		cmocka_unit_test(hashes_are_sha256),
		cmocka_unit_test(a_password_matches_its_own_hash_only),
		cmocka_unit_test(a_password_is_not_wrong_because_there_is_no_memory),
		cmocka_unit_test(secrets_are_not_dumped),
		cmocka_unit_test(a_digest_is_of_all_pieces_in_turn),
		cmocka_unit_test(a_sealed_text_is_for_one_key_and_one_owner),
		cmocka_unit_test(public_signatures_are_those_of_the_rfc),
		cmocka_unit_test(a_derived_key_is_an_hmac_of_the_purpose),
	};
	secret_init();
	return RUN_WITH_ARENA(tests);
}
