#include "unit/lib/unit.h"

#include "domain/account/principal.h"

static int allowed(struct principal principal)
{
	int permissions = 0;
	for (int i = PERMISSION_NONE; i <= PERMISSION_CHECK; i++)
		permissions |= principal_may(&principal, (enum permission)i) << i;
	return permissions;
}

static void each_role_may_more_than_the_one_before(void **state)
{
	enum {
		NOTHING = 1 << PERMISSION_NONE,
		READER = NOTHING | 1 << PERMISSION_READ,
		RESPONDER = READER | 1 << PERMISSION_REPORT | 1 << PERMISSION_RESPOND,
		EDITOR = RESPONDER | 1 << PERMISSION_EDIT,
		OWNER = EDITOR | 1 << PERMISSION_MANAGE,
	};
	static const int by_role[] = { READER, RESPONDER, EDITOR, OWNER };
	(void)state;
	for (int i = ROLE_READER; i <= ROLE_OWNER; i++) {
		const enum role role = (enum role)i;
		assert_int_equal(by_role[i], allowed((struct principal){ .type = PRINCIPAL_KEY,
									 .role = role }));
		assert_int_equal(by_role[i], allowed((struct principal){ .type = PRINCIPAL_USER,
									 .role = role }));
	}
	/* Whoever has no valid key has no role, whatever the member says. */
	assert_int_equal(NOTHING, allowed((struct principal){ .role = ROLE_OWNER }));
	assert_int_equal(OWNER, allowed((struct principal){ .type = PRINCIPAL_OPERATOR }));
	assert_int_equal(OWNER, allowed((struct principal){ .type = PRINCIPAL_SYSTEM }));
	assert_int_equal(
		NOTHING | 1 << PERMISSION_REPORT,
		allowed((struct principal){ .type = PRINCIPAL_CHECKER, .role = ROLE_OWNER }));
	assert_int_equal(NOTHING | 1 << PERMISSION_CHECK,
			 allowed((struct principal){ .type = PRINCIPAL_CHECKER,
						     .role = ROLE_OWNER,
						     .location = "paris" }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_role_may_more_than_the_one_before),
	};
	return RUN(tests);
}
