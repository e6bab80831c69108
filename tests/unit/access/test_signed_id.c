/* Signed ids: which texts are tokens of this installation and purpose. */
#include "unit/lib/unit.h"

#include "access/signed_id.h"

static const struct signing_key key = { { 1, 2, 3 } }, other_key = { { 1, 2, 4 } };

static void a_token_names_its_object(void **state)
{
	(void)state;
	static const int64_t ids[] = { 1, 7, 9999999999, INT64_MAX };
	for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
		int64_t id = 0;
		const char *token = signed_id_make(&key, SIGNED_HEARTBEAT, ids[i], &arena);
		assert_true(signed_id_read(&key, SIGNED_HEARTBEAT, str_from(token), &id));
		assert_int_equal(id, ids[i]);
		assert_false(signed_id_read(&other_key, SIGNED_HEARTBEAT, str_from(token), &id));
		for (const char *c = token; *c; c++)
			assert_true((*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') ||
				    (*c >= 'a' && *c <= 'z') || *c == '-' || *c == '_');
	}
}

static void a_purpose_refuses_the_tokens_of_others(void **state)
{
	(void)state;
	for (int made = SIGNED_HEARTBEAT; made <= SIGNED_BOUNCE; made++) {
		const char *token = signed_id_make(&key, (enum signed_id_purpose)made, 7, &arena);
		for (int read = SIGNED_HEARTBEAT; read <= SIGNED_BOUNCE; read++) {
			int64_t id;
			assert_int_equal(signed_id_read(&key, (enum signed_id_purpose)read,
							str_from(token), &id),
					 made == read);
		}
	}
}

static void the_token_of_a_bounce_has_no_capitals(void **state)
{
	(void)state;
	for (int64_t id = 1; id < 50; id++)
		for (const char *c = signed_id_make(&key, SIGNED_BOUNCE, id, &arena); *c; c++)
			assert_false(*c >= 'A' && *c <= 'Z');
}

static void other_texts_are_no_tokens(void **state)
{
	(void)state;
	int64_t id;
	const char *token = signed_id_make(&key, SIGNED_HEARTBEAT, 7, &arena);
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
		assert_false(signed_id_read(&key, SIGNED_HEARTBEAT, str_from(texts[i]), &id));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_token_names_its_object),
		cmocka_unit_test(a_purpose_refuses_the_tokens_of_others),
		cmocka_unit_test(the_token_of_a_bounce_has_no_capitals),
		cmocka_unit_test(other_texts_are_no_tokens),
	};
	return cmocka_run_group_tests(tests, arena_start, arena_end);
}
