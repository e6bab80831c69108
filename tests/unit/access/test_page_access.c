#include "unit/lib/unit.h"

#include "access/page_access.h"

static const char *written(const struct status_page *page)
{
	struct buf out CLEANUP(buf_done) = BUF_INIT(PAGE_ACCESS_MAX_BYTES);
	page_access_write(&out, page);
	return arena_strndup(&arena, out.data, out.len);
}

/* Files of earlier releases stay on the disk during an upgrade, so the bytes are fixed. */
static void a_record_is_one_line(void **state)
{
	(void)state;
	const struct status_page password = {
		.id = 7, .account_id = 3, .privacy = PRIVACY_PASSWORD, .password_hash = "$hash$"
	};
	const struct status_page private = { .id = 8, .account_id = 3, .privacy = PRIVACY_PRIVATE };
	assert_string_equal(arena_printf(&arena, "7 3 %d $hash$\n", PRIVACY_PASSWORD),
			    written(&password));
	assert_string_equal(arena_printf(&arena, "8 3 %d -\n", PRIVACY_PRIVATE), written(&private));
	struct status_page german = password;
	german.language = "de";
	assert_string_equal(arena_printf(&arena, "7 3 %d $hash$ de\n", PRIVACY_PASSWORD),
			    written(&german));
	german.language = "en";
	assert_string_equal(written(&password), written(&german));
}

static void a_written_record_is_read(void **state)
{
	(void)state;
	struct page_access access;
	struct status_page page = {
		.id = 7, .account_id = 3, .privacy = PRIVACY_PASSWORD, .password_hash = "$hash$"
	};
	assert_true(page_access_parse(str_from(written(&page)), &arena, &access));
	assert_int_equal(7, access.page_id);
	assert_int_equal(3, access.account_id);
	assert_int_equal(PRIVACY_PASSWORD, access.privacy);
	assert_string_equal("$hash$", access.password_hash);
	assert_string_equal("en", access.language);
	page.language = "fr";
	page.password_hash = NULL;
	assert_true(page_access_parse(str_from(written(&page)), &arena, &access));
	assert_string_equal("", access.password_hash);
	assert_string_equal("fr", access.language);
}

static void an_incomplete_record_is_none(void **state)
{
	(void)state;
	struct page_access access;
	static const char *const texts[] = { NULL,	"",	     "\n",	  "7 3 2 $hash$",
					     "7 3 2\n", "7 3 x -\n", "x 3 2 -\n", "7 x 2 -\n" };
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		assert_false(page_access_parse(str_from(texts[i]), &arena, &access));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_is_one_line),
		cmocka_unit_test(a_written_record_is_read),
		cmocka_unit_test(an_incomplete_record_is_none),
	};
	return cmocka_run_group_tests(tests, arena_start, arena_end);
}
