/* The tokens of heartbeats: which texts are tokens of this installation. */
#include "unit/lib/unit.h"

#include "access/heartbeat_token.h"

static const struct signing_key key = { { 1, 2, 3 } }, other_key = { { 1, 2, 4 } };

static void a_token_names_its_monitor(void **state)
{
	(void)state;
	static const int64_t ids[] = { 1, 7, 9999999999, INT64_MAX };
	for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
		int64_t id = 0;
		const char *token = heartbeat_token_make(&key, ids[i], &arena);
		assert_true(heartbeat_token_read(&key, str_from(token), &id));
		assert_int_equal(id, ids[i]);
		assert_false(heartbeat_token_read(&other_key, str_from(token), &id));
		for (const char *c = token; *c; c++)
			assert_true((*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') ||
				    (*c >= 'a' && *c <= 'z') || *c == '-' || *c == '_');
	}
}

static void other_texts_are_no_tokens(void **state)
{
	(void)state;
	int64_t id;
	const char *token = heartbeat_token_make(&key, 7, &arena);
	const char *signature = strchr(token, '-') + 1;
	assert_int_equal(strlen(signature), 22);
	const char *texts[] = { "",
				"7",
				"7-",
				"-",
				signature,
				arena_printf(&arena, "8-%s", signature),
				arena_printf(&arena, "-%s", token),
				arena_printf(&arena, "-7-%s", signature),
				arena_printf(&arena, "0-%s", signature),
				arena_printf(&arena, "x-%s", signature),
				arena_printf(&arena, "7-%s-", signature),
				arena_printf(&arena, "7-%.21s", signature),
				arena_printf(&arena, "7-%.21s%c", signature,
					     signature[21] == 'a' ? 'b' : 'a') };
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		assert_false(heartbeat_token_read(&key, str_from(texts[i]), &id));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_token_names_its_monitor),
		cmocka_unit_test(other_texts_are_no_tokens),
	};
	return cmocka_run_group_tests(tests, arena_start, arena_end);
}
