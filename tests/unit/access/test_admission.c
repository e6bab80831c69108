#include "unit/lib/unit.h"

#include "access/admission.h"

static struct signing_key key = { { 1, 2, 3 } };
static const struct page_access asks = { 7, 1, PRIVACY_PASSWORD, "$hash$one", "en", "", "" };
static const struct page_access closed = { 7, 1, PRIVACY_PRIVATE, "", "en", "", "" };
static const struct visitor_grant by_link = { VISITOR_BY_LINK, { 1000600 }, 12 };

static const char *sign(enum visitor_token_kind kind)
{
	return visitor_token_sign(&key, kind, &asks, &by_link, &arena);
}

static enum admission decide(const struct page_access *access, const struct signing_key *by,
			     struct admission_tokens tokens)
{
	struct visitor_grant grant;
	tokens.now.s = 1000000;
	return admission_decide(access, by, &tokens, &arena, &grant);
}

static void without_a_token_the_privacy_decides(void **state)
{
	(void)state;
	const struct admission_tokens none = { 0 };
	assert_int_equal(ADMISSION_ASK_PASSWORD, decide(&asks, &key, none));
	assert_int_equal(ADMISSION_CLOSED, decide(&closed, &key, none));
	assert_int_equal(ADMISSION_CLOSED, decide(&closed, NULL, none));
}

static void a_cookie_opens_every_file(void **state)
{
	(void)state;
	const char *cookie = sign(VISITOR_COOKIE);
	const char *header = arena_printf(
		&arena, "a=b; daymark_page=1000600.x; daymark_page=%s; daymark_page=", cookie);
	assert_int_equal(ADMISSION_OPEN,
			 decide(&closed, &key, (struct admission_tokens){ .cookies = header }));
	assert_int_equal(ADMISSION_CLOSED,
			 decide(&closed, NULL, (struct admission_tokens){ .cookies = header }));
	header = arena_printf(&arena, "other=%s", cookie);
	assert_int_equal(ADMISSION_CLOSED,
			 decide(&closed, &key, (struct admission_tokens){ .cookies = header }));
}

static const char *cookies(int wrong, const char *each, const char *last)
{
	struct buf out CLEANUP(buf_done) = BUF_INIT(1 << 20);
	for (int i = 0; i < wrong; i++)
		buf_printf(&out, "daymark_page=%s; ", each);
	buf_printf(&out, "daymark_page=%s", last);
	return arena_strndup(&arena, out.data, out.len);
}

/* A browser keeps at most 180 cookies for a domain. The number for one request is bounded, since
 * each check costs a signature. */
static void wrong_cookies_do_not_hide_the_right_one(void **state)
{
	(void)state;
	const char *right = sign(VISITOR_COOKIE);
	const char *const each[] = { "1000600.x", "", sign(VISITOR_LINK),
				     "1000600.12.0123456789012345678901234567890123456789012" };
	static const int counts[] = { 0, 7, 8, 50, 180, 999 };
	for (size_t i = 0; i < ARRAY_LEN(each); i++)
		for (size_t j = 0; j < ARRAY_LEN(counts); j++) {
			const struct admission_tokens tokens = {
				.cookies = cookies(counts[j], each[i], right)
			};
			assert_int_equal(ADMISSION_OPEN, decide(&closed, &key, tokens));
		}
	const struct admission_tokens many = { .cookies = cookies(1000, each[0], right) };
	assert_int_equal(ADMISSION_CLOSED, decide(&closed, &key, many));
}

static void an_asset_token_opens_assets_only(void **state)
{
	(void)state;
	struct admission_tokens tokens = { .asset_token = sign(VISITOR_ASSET_TOKEN) };
	assert_int_equal(ADMISSION_ASK_PASSWORD, decide(&asks, &key, tokens));
	tokens.is_asset = true;
	assert_int_equal(ADMISSION_OPEN, decide(&asks, &key, tokens));
	assert_int_equal(ADMISSION_ASK_PASSWORD, decide(&asks, NULL, tokens));
}

static void a_link_redirects(void **state)
{
	(void)state;
	const struct admission_tokens tokens = { .link = sign(VISITOR_LINK) };
	assert_int_equal(ADMISSION_REDIRECT, decide(&asks, &key, tokens));
	assert_int_equal(ADMISSION_REDIRECT, decide(&closed, &key, tokens));
	assert_int_equal(ADMISSION_CLOSED, decide(&closed, NULL, tokens));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_token_the_privacy_decides),
		cmocka_unit_test(a_cookie_opens_every_file),
		cmocka_unit_test(wrong_cookies_do_not_hide_the_right_one),
		cmocka_unit_test(an_asset_token_opens_assets_only),
		cmocka_unit_test(a_link_redirects),
	};
	return cmocka_run_group_tests(tests, arena_start, arena_end);
}
