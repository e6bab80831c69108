/* Which sessions of people have a second factor. */
#include "unit/lib/unit.h"

#include "domain/account/user.h"

static void a_way_in_has_a_second_factor_or_not(void **state)
{
	static const struct {
		int began;
		int64_t passkey_count, totp_at;
		const char *subject;
		bool has_factor;
	} cases[] = {
		{ USER_WAY_UNKNOWN, 0, 0, NULL, false },
		{ USER_BY_PASSWORD, 0, 0, NULL, false },
		{ USER_BY_PASSWORD, 1, 0, NULL, false },
		{ USER_BY_LINK, 1, 0, NULL, false },
		{ USER_BY_PASSWORD, 0, 1, NULL, true },
		{ USER_BY_LINK_AND_APP, 0, 1, NULL, true },
		{ USER_BY_PASSWORD_AND_APP, 0, 0, NULL, false },
		{ USER_BY_PASSKEY, 1, 0, NULL, true },
		{ USER_BY_PASSKEY, 0, 0, NULL, false },
		{ USER_BY_FRONT, 0, 0, "ada", true },
		{ USER_WAY_UNKNOWN, 0, 0, "ada", true },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct user_session session = { .began = cases[i].began,
						.passkey_count = cases[i].passkey_count,
						.totp_at = { cases[i].totp_at },
						.sso_subject = cases[i].subject };
		assert_int_equal(user_session_has_factor(&session), cases[i].has_factor);
		assert_int_equal(user_principal(&session).has_factor, cases[i].has_factor);
		assert_false(user_session_lacks_factor(&session));
		session.needs_second_factor = true;
		assert_int_equal(user_session_lacks_factor(&session), !cases[i].has_factor);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_way_in_has_a_second_factor_or_not) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
