/* Passkeys: which texts of browsers add one, and which sign in. */
#include "unit/access/authenticator.h"
#include "unit/lib/unit.h"

static struct error error;
static EVP_PKEY *key;
static struct passkey_claim claim;

static int start(void **state)
{
	claim = (struct passkey_claim){ .browser = "this browser",
					.origin = "https://status.example.org:8443",
					.key = { { 1, 2, 3 } },
					.now = { 1800000000 },
					.arena = &arena,
					.error = &error };
	if (!key)
		key = authenticator_key("P-256");
	(void)state;
	return 0;
}

static enum result add(struct ceremony ceremony, struct user_passkey *passkey)
{
	ceremony.key = ceremony.key ? ceremony.key : key;
	error = (struct error){ 0 };
	claim.text = authenticator_create(&claim, &ceremony);
	return passkey_read_new(&claim, passkey);
}

static enum result use(struct ceremony ceremony, struct user_passkey *passkey)
{
	ceremony.key = ceremony.key ? ceremony.key : key;
	error = (struct error){ 0 };
	claim.text = authenticator_sign(&claim, &ceremony);
	return passkey_verify(&claim, passkey);
}

static struct user_passkey added(void)
{
	struct user_passkey passkey = { 0 };
	assert_int_equal(add((struct ceremony){ 0 }, &passkey), OK);
	return passkey;
}

static void a_passkey_is_added_and_signs(void **state)
{
	(void)state;
	struct user_passkey passkey = { 0 };
	assert_int_equal(add((struct ceremony){ .counter = 7 }, &passkey), OK);
	assert_string_equal(passkey.rp_id, "status.example.org");
	assert_string_equal(passkey.credential_id, "aWlpaWlpaWlpaWlpaWlpaQ");
	assert_int_equal(strlen(passkey.public_key), 122);
	assert_int_equal(passkey.counter, 7);
	assert_true(claim.made_us == 1800000000000007);
	claim.made_us = 0;
	/* The counter of an authenticator that was set back, and the highest. */
	assert_int_equal(use((struct ceremony){ .counter = 3 }, &passkey), OK);
	assert_int_equal(passkey.counter, 3);
	assert_true(claim.made_us == 1800000000000007);
	assert_int_equal(use((struct ceremony){ .counter = UINT32_MAX }, &passkey), OK);
	assert_true(passkey.counter == UINT32_MAX);
	assert_int_equal(add((struct ceremony){ .id_len = 255 }, &passkey), OK);
}

/* What a ceremony of either kind may lack. */
static const struct {
	struct ceremony ceremony;
	const char *reason;
} faults[] = {
	{ { .type = "webauthn.other" }, "another type" },
	{ { .origin = "https://status.example.org" }, "another origin" },
	{ { .origin = "http://status.example.org:8443" }, "another origin" },
	{ { .origin = "https://status.example.org:8443/" }, "another origin" },
	{ { .origin = "https://STATUS.example.org:8443" }, "another origin" },
	{ { .origin = "" }, "another origin" },
	{ { .challenge = "" }, "another challenge" },
	{ { .challenge = "1800000000000007" }, "another challenge" },
	{ { .challenge = "1800000000000007." }, "another challenge" },
	{ { .client = "" }, "no JSON" },
	{ { .client = "[]" }, "no JSON" },
	{ { .client = "{}" }, "another type" },
	{ { .client = "{\"type\":{},\"origin\":[],\"challenge\":1}" }, "another type" },
	{ { .client = "{\"type\":\"webauthn.get\"" }, "no JSON" },
	{ { .rp_id = "example.org" }, "another host" },
	{ { .rp_id = "status.example.org:8443" }, "another host" },
	{ { .flags = 0x40 }, "not verified" },
	{ { .flags = 0x41 }, "not verified" },
	{ { .flags = 0x44 }, "not verified" },
};

static void each_fault_is_refused(void **state)
{
	(void)state;
	struct user_passkey passkey = added();
	for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
		struct user_passkey new = { 0 };
		assert_int_equal(add(faults[i].ceremony, &new), E_UNAUTHENTICATED);
		assert_non_null(strstr(error.log, faults[i].reason));
		assert_null(new.credential_id);
		assert_int_equal(use(faults[i].ceremony, &passkey), E_UNAUTHENTICATED);
		assert_non_null(strstr(error.log, faults[i].reason));
	}
	assert_int_equal(use((struct ceremony){ .is_unsigned = 1 }, &passkey), E_UNAUTHENTICATED);
	assert_non_null(strstr(error.log, "wrong signature"));
	assert_int_equal(add((struct ceremony){ .type = "webauthn.get" }, &passkey),
			 E_UNAUTHENTICATED);
	assert_int_equal(use((struct ceremony){ .type = "webauthn.create" }, &passkey),
			 E_UNAUTHENTICATED);
}

static void a_new_passkey_names_the_id_that_the_authenticator_data_have(void **state)
{
	(void)state;
	static const struct ceremony wrong[] = {
		{ .other_id = 1 }, { .id_len = 256 }, { .id_len = 1023 }, { .flags = 0x05 }
	};
	struct user_passkey passkey = { 0 };
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		assert_int_equal(add(wrong[i], &passkey), E_UNAUTHENTICATED);
		assert_non_null(strstr(error.log, "another credential id"));
	}
}

static void only_keys_of_p256_are_taken(void **state)
{
	(void)state;
	static const char *const curves[] = { "P-384", "secp256k1", "P-224" };
	struct user_passkey passkey = { 0 };
	for (size_t i = 0; i < ARRAY_LEN(curves); i++) {
		EVP_PKEY *other = authenticator_key(curves[i]);
		assert_int_equal(add((struct ceremony){ .key = other }, &passkey),
				 E_UNAUTHENTICATED);
		assert_non_null(strstr(error.log, "not of P-256"));
		EVP_PKEY_free(other);
	}
	EVP_PKEY *other = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
	assert_int_equal(add((struct ceremony){ .key = other }, &passkey), E_UNAUTHENTICATED);
	EVP_PKEY_free(other);
	/* The signature of another key of the right kind. */
	passkey = added();
	other = authenticator_key("P-256");
	assert_int_equal(use((struct ceremony){ .key = other }, &passkey), E_UNAUTHENTICATED);
	EVP_PKEY_free(other);
}

/* The point of a key that is otherwise right. */
static void a_point_beside_the_curve_is_refused(void **state)
{
	(void)state;
	struct user_passkey passkey = { 0 };
	char *text = arena_strdup(&arena,
				  authenticator_create(&claim, &(struct ceremony){ .key = key }));
	char *end = strrchr(text, '.');
	memset(end - 20, 'A', 16);
	claim.text = text;
	assert_int_equal(passkey_read_new(&claim, &passkey), E_UNAUTHENTICATED);
	assert_non_null(strstr(error.log, "not of P-256"));
}

static void a_challenge_is_of_this_browser_and_installation_and_of_five_minutes(void **state)
{
	(void)state;
	struct user_passkey passkey = added();
	struct passkey_claim other = claim;
	const char *own = passkey_challenge(&claim, 1800000000000001);
	other.browser = "another browser";
	const char *of_other_browser = passkey_challenge(&other, 1800000000000001);
	other = claim;
	other.key.bytes[0]++;
	const char *of_other_key = passkey_challenge(&other, 1800000000000001);
	assert_int_equal(use((struct ceremony){ .challenge = own }, &passkey), OK);
	assert_int_equal(use((struct ceremony){ .challenge = of_other_browser }, &passkey),
			 E_UNAUTHENTICATED);
	assert_int_equal(use((struct ceremony){ .challenge = of_other_key }, &passkey),
			 E_UNAUTHENTICATED);
	const char *later = arena_printf(&arena, "1800000000000002%s", strchr(own, '.'));
	assert_int_equal(use((struct ceremony){ .challenge = later }, &passkey), E_UNAUTHENTICATED);
	claim.now.s += PASSKEY_CHALLENGE_S - 1;
	assert_int_equal(use((struct ceremony){ .challenge = own }, &passkey), OK);
	claim.now.s++;
	assert_int_equal(use((struct ceremony){ .challenge = own }, &passkey), E_UNAUTHENTICATED);
	assert_int_equal(add((struct ceremony){ .challenge = own }, &passkey), E_UNAUTHENTICATED);
}

static void a_passkey_works_at_its_own_host_only(void **state)
{
	(void)state;
	struct user_passkey passkey = added();
	claim.origin = "https://new.example.org";
	assert_int_equal(use((struct ceremony){ 0 }, &passkey), E_UNAUTHENTICATED);
	assert_non_null(strstr(error.log, "made at another host"));
	claim.origin = "";
	assert_int_equal(use((struct ceremony){ 0 }, &passkey), E_UNAUTHENTICATED);
	assert_int_equal(add((struct ceremony){ 0 }, &passkey), E_UNAUTHENTICATED);
}

/* Under AddressSanitizer these find a read behind the end. */
static void texts_and_data_that_are_cut_off_are_refused(void **state)
{
	(void)state;
	struct user_passkey passkey = added();
	for (size_t len = 1; len < 55 + 16; len++) {
		struct user_passkey new = { 0 };
		assert_int_equal(add((struct ceremony){ .data_len = len }, &new),
				 E_UNAUTHENTICATED);
		assert_int_equal(use((struct ceremony){ .data_len = len }, &passkey),
				 len < 37 ? E_UNAUTHENTICATED : OK);
	}
	for (int is_new = 0; is_new < 2; is_new++) {
		const struct ceremony right = { .key = key };
		const char *whole = is_new ? authenticator_create(&claim, &right)
					   : authenticator_sign(&claim, &right);
		/* The id of a signature is not compared: the caller has found the row by it. */
		size_t end = (size_t)(strrchr(whole, '.') - whole);
		for (size_t len = 0; len <= end; len++) {
			char *cut = strndup(whole, len);
			claim.text = cut;
			assert_int_equal(is_new ? passkey_read_new(&claim, &passkey)
						: passkey_verify(&claim, &passkey),
					 E_UNAUTHENTICATED);
			free(cut);
		}
	}
	static const char *const texts[] = { "", ".", "...", "....", "a.b.c.d", "=.=.=.=", "\xff" };
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		claim.text = texts[i];
		assert_int_equal(passkey_verify(&claim, &passkey), E_UNAUTHENTICATED);
		assert_int_equal(passkey_read_new(&claim, &passkey), E_UNAUTHENTICATED);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_passkey_is_added_and_signs, start),
		cmocka_unit_test_setup(each_fault_is_refused, start),
		cmocka_unit_test_setup(a_new_passkey_names_the_id_that_the_authenticator_data_have,
				       start),
		cmocka_unit_test_setup(only_keys_of_p256_are_taken, start),
		cmocka_unit_test_setup(a_point_beside_the_curve_is_refused, start),
		cmocka_unit_test_setup(
			a_challenge_is_of_this_browser_and_installation_and_of_five_minutes, start),
		cmocka_unit_test_setup(a_passkey_works_at_its_own_host_only, start),
		cmocka_unit_test_setup(texts_and_data_that_are_cut_off_are_refused, start),
	};
	int failed = RUN_WITH_ARENA(tests);
	EVP_PKEY_free(key);
	return failed;
}
