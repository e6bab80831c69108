#include "unit/lib/unit.h"

#include "domain/page/domain_proof.h"

static const uint8_t key[SECRET_HASH_BYTES] = { 1, 2, 3 };
static const uint8_t other_key[SECRET_HASH_BYTES] = { 1, 2, 4 };

enum { DAY = 24 * 3600, START = 1800000000 };

static void a_record_is_bound_to_installation_account_and_domain(void **state)
{
	(void)state;
	const char *value = domain_proof_value(key, 7, "status.example.org", &arena);
	assert_string_equal("_daymark.status.example.org",
			    domain_proof_name("status.example.org", &arena));
	assert_int_equal(0, strncmp(value, "daymark-proof=", 14));
	assert_string_equal(value, domain_proof_value(key, 7, "status.example.org", &arena));
	assert_string_not_equal(value, domain_proof_value(key, 8, "status.example.org", &arena));
	assert_string_not_equal(value, domain_proof_value(key, 7, "status.example.com", &arena));
	assert_string_not_equal(value,
				domain_proof_value(other_key, 7, "status.example.org", &arena));
}

static void a_name_too_long_for_dns_is_none(void **state)
{
	(void)state;
	char domain[254];
	memset(domain, 'a', sizeof(domain));
	domain[244] = '\0';
	assert_non_null(domain_proof_name(domain, &arena));
	domain[244] = 'a';
	domain[245] = '\0';
	assert_null(domain_proof_name(domain, &arena));
}

static struct domain_proof proof;

static bool note(enum domain_proof_outcome outcome, int64_t day)
{
	return domain_proof_note(&proof, outcome, (struct instant){ START + day * DAY });
}

static void a_domain_is_lost_after_seven_days_without_proof(void **state)
{
	(void)state;
	proof = (struct domain_proof){ .proven_at = { START }, .checked_at = { START } };
	for (int64_t day = 1; day < 8; day++) {
		assert_false(note(DOMAIN_PROOF_MISSING, day));
		assert_int_equal(START + DAY, proof.missing_since.s);
		assert_int_equal(0, proof.lost_at.s);
		assert_int_equal(START + day * DAY, proof.checked_at.s);
	}
	assert_true(note(DOMAIN_PROOF_MISSING, 8));
	assert_int_equal(START + 8 * DAY, proof.lost_at.s);
	assert_false(note(DOMAIN_PROOF_MISSING, 9));
	assert_int_equal(START, proof.proven_at.s);
	assert_true(note(DOMAIN_PROOF_FOUND, 10));
	assert_int_equal(0, proof.lost_at.s);
	assert_int_equal(0, proof.missing_since.s);
	assert_int_equal(START + 10 * DAY, proof.proven_at.s);
	assert_false(note(DOMAIN_PROOF_FOUND, 11));
}

static void a_proof_that_comes_back_has_all_its_days_again(void **state)
{
	(void)state;
	proof = (struct domain_proof){ .proven_at = { START } };
	assert_false(note(DOMAIN_PROOF_MISSING, 1));
	assert_false(note(DOMAIN_PROOF_FOUND, 7));
	assert_false(note(DOMAIN_PROOF_MISSING, 8));
	assert_false(note(DOMAIN_PROOF_MISSING, 14));
	assert_true(note(DOMAIN_PROOF_MISSING, 15));
}

static void a_resolver_that_does_not_answer_loses_nothing(void **state)
{
	(void)state;
	proof = (struct domain_proof){ .proven_at = { START } };
	for (int64_t day = 1; day < 30; day++)
		assert_false(note(DOMAIN_PROOF_UNKNOWN, day));
	assert_int_equal(0, proof.missing_since.s);
	assert_int_equal(START + 29 * DAY, proof.checked_at.s);
	assert_false(note(DOMAIN_PROOF_MISSING, 30));
	assert_int_equal(START + 30 * DAY, proof.missing_since.s);
	for (int64_t day = 31; day < 60; day++)
		assert_false(note(DOMAIN_PROOF_UNKNOWN, day));
	assert_int_equal(0, proof.lost_at.s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_is_bound_to_installation_account_and_domain),
		cmocka_unit_test(a_name_too_long_for_dns_is_none),
		cmocka_unit_test(a_domain_is_lost_after_seven_days_without_proof),
		cmocka_unit_test(a_proof_that_comes_back_has_all_its_days_again),
		cmocka_unit_test(a_resolver_that_does_not_answer_loses_nothing),
	};
	return RUN_WITH_ARENA(tests);
}
