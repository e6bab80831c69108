#include "unit/lib/unit.h"

#include "access/page_access.h"

static const char *written(const struct status_page *page)
{
	struct buf out CLEANUP(buf_done) = BUF_INIT(PAGE_ACCESS_MAX_BYTES);
	page_access_write(&out, page);
	return arena_strndup(&arena, out.data, out.len);
}

/* Files of the former release stay on the disk during an upgrade, so the bytes are fixed. */
static void a_record_is_one_line(void **state)
{
	(void)state;
	struct status_page password = { .id = 7,
					.account_id = 3,
					.privacy = PRIVACY_PASSWORD,
					.password_hash = "$hash$",
					.name = "Acme 100% - Ä" };
	const struct status_page private = { .id = 8,
					     .account_id = 3,
					     .privacy = PRIVACY_PRIVATE,
					     .name = "Hidden",
					     .contact_url = "https://x/" };
	assert_string_equal("7 3 2 $hash$ en - - Acme%20100%25%20%2D%20Ä -\n", written(&password));
	assert_string_equal("8 3 1 - en - -\n", written(&private));
	password.language = "de";
	password.withdrawn_links = "12,15";
	password.key_marks = "0a11ff";
	password.name = "-";
	password.contact_url = "mailto:a@b.example";
	assert_string_equal("7 3 2 $hash$ de 12,15 0a11ff %2D mailto:a@b.example\n",
			    written(&password));
}

static struct page_access parsed(const char *text)
{
	struct page_access access;
	assert_true(page_access_parse(str_from(text), &arena, &access));
	return access;
}

static void a_written_record_is_read(void **state)
{
	(void)state;
	struct status_page page = {
		.id = 7, .account_id = 3, .privacy = PRIVACY_PASSWORD, .password_hash = "$hash$"
	};
	struct page_access access = parsed(written(&page));
	assert_int_equal(7, access.page_id);
	assert_int_equal(3, access.account_id);
	assert_int_equal(PRIVACY_PASSWORD, access.privacy);
	assert_string_equal("$hash$", access.password_hash);
	assert_string_equal("en", access.language);
	assert_string_equal("", access.withdrawn_links);
	assert_string_equal("", access.key_marks);
	assert_string_equal("", access.name);
	assert_string_equal("", access.contact_url);
	page.name = "a %41 - b\t<c>";
	page.contact_url = "https://example.org/a-b?c=%20d";
	access = parsed(written(&page));
	assert_string_equal(page.name, access.name);
	assert_string_equal(page.contact_url, access.contact_url);
	page.name = "-";
	assert_string_equal("-", parsed(written(&page)).name);
	page.language = "fr";
	page.password_hash = NULL;
	page.withdrawn_links = "12,15";
	page.key_marks = "0a11ff";
	access = parsed(written(&page));
	assert_string_equal("", access.password_hash);
	assert_string_equal("fr", access.language);
	assert_string_equal("12,15", access.withdrawn_links);
	assert_string_equal("0a11ff", access.key_marks);
}

/* Whoever may see the page is unknown until it is published anew: nobody gets in meanwhile. */
static void a_record_of_another_version_is_refused(void **state)
{
	(void)state;
	static const char *const texts[] = { "7 3 2 $hash$\n",
					     "7 3 1 $hash$ en\n",
					     "7 3 1 - en 0 - -\n",
					     "7 3 1 - en 0 12,15 0a11ff\n",
					     "7 3 2 $hash$ en 0 - - N -\n",
					     "7 3 2 $hash$ en - -\n",
					     "7 3 2 $hash$ en - - N\n",
					     "7 3 1 - en - - N -\n" };
	struct page_access access;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		assert_false(page_access_parse(str_from(texts[i]), &arena, &access));
}

/* SHA-256 of "abc" begins with ba7816. */
static void a_key_has_its_mark(void **state)
{
	(void)state;
	static const char *const with[] = { "ba7", "000ba7", "ba7fff", "0a1ba7fff" };
	static const char *const without[] = { "", "ba8", "0ba700", "7ba", "00ba7f" };
	for (size_t i = 0; i < ARRAY_LEN(with); i++)
		assert_true(page_access_may_be_key(&(struct page_access){ .key_marks = with[i] },
						   STR("abc")));
	for (size_t i = 0; i < ARRAY_LEN(without); i++)
		assert_false(page_access_may_be_key(
			&(struct page_access){ .key_marks = without[i] }, STR("abc")));
}

static void a_record_may_be_as_strict_as_another(void **state)
{
	(void)state;
	const struct page_access wanted = parsed("7 3 2 $hash$ en 12,15 0a1 N -\n");
	static const char *const strict[] = { "7 3 2 $hash$ en 12,15 - N -\n",
					      "7 3 2 $hash$ de 1,12,14,15 fff N -\n" };
	static const char *const lax[] = {
		"7 3 2 $hash$ en 12 0a1 N -\n",	    "7 3 2 $hash$ en - - N -\n",
		"7 3 2 $other$ en 12,15 0a1 N -\n", "7 3 1 $hash$ en 12,15 0a1\n",
		"8 3 2 $hash$ en 12,15 0a1 N -\n",  "7 4 2 $hash$ en 12,15 0a1 N -\n",
	};
	for (size_t i = 0; i < ARRAY_LEN(strict); i++) {
		const struct page_access there = parsed(strict[i]);
		assert_true(page_access_is_as_strict(&there, &wanted));
	}
	const struct page_access none = parsed("7 3 2 $hash$ en - 0a1 N -\n");
	assert_true(page_access_is_as_strict(&none, &none));
	assert_true(page_access_is_as_strict(&wanted, &none));
	for (size_t i = 0; i < ARRAY_LEN(lax); i++) {
		const struct page_access there = parsed(lax[i]);
		assert_false(page_access_is_as_strict(&there, &wanted));
	}
}

static void an_incomplete_record_is_none(void **state)
{
	(void)state;
	struct page_access access;
	static const char *const texts[] = { NULL,	     "",	  "\n",
					     "7 3 2 $hash$", "7 3 2\n",	  "7 3 x -\n",
					     "x 3 2 -\n",    "7 x 2 -\n", "7 x 2 - en - - N -\n" };
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		assert_false(page_access_parse(str_from(texts[i]), &arena, &access));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_is_one_line),
		cmocka_unit_test(a_written_record_is_read),
		cmocka_unit_test(a_record_of_another_version_is_refused),
		cmocka_unit_test(a_key_has_its_mark),
		cmocka_unit_test(a_record_may_be_as_strict_as_another),
		cmocka_unit_test(an_incomplete_record_is_none),
	};
	return cmocka_run_group_tests(tests, arena_start, arena_end);
}
