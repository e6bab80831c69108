#include "unit/lib/unit.h"

#include "http/auth.h"

#define TOKEN "dm_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO-_"

static void only_a_bearer_key_passes(void **state)
{
	(void)state;
	static const struct {
		const char *header;
		bool is_key;
	} rows[] = {
		{ "Bearer " TOKEN, true },
		{ "bEARER " TOKEN, true },
		{ " Bearer   " TOKEN " ", true },
		{ NULL, false },
		{ "", false },
		{ "Bearer", false },
		{ "Bearer ", false },
		{ "Bearer" TOKEN, false },
		{ "Basic " TOKEN, false },
		{ "Bearer " TOKEN "x", false },
		{ "Bearer dm_short", false },
		{ "Bearer " TOKEN ", x", false },
		{ "Bearer xx_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO-_", false },
		{ "Bearer dm_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO'_", false },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct str key;
		assert_int_equal(rows[i].is_key, auth_bearer(rows[i].header, &key));
		if (rows[i].is_key)
			assert_true(str_eq(STR(TOKEN), key));
	}
}

static void what_is_no_key_is_told_from_other_schemes(void **state)
{
	(void)state;
	assert_true(auth_is_bearer("Bearer " TOKEN));
	assert_true(auth_is_bearer(" bearer nonsense"));
	assert_false(auth_is_bearer("Basic " TOKEN));
	assert_false(auth_is_bearer("Bearer"));
	assert_false(auth_is_bearer(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_a_bearer_key_passes),
		cmocka_unit_test(what_is_no_key_is_told_from_other_schemes),
	};
	return RUN(tests);
}
