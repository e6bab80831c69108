/* Tokens against the privacy that a page has when the visitor sends them back. */
#include "unit/lib/unit.h"

#include "access/visitor_token.h"

static struct signing_key key = { { 1, 2, 3 } };

static const struct instant now = { 1000000 };
#define PAGE(id, privacy, hash) \
	{ \
		id, 1, privacy, hash, "en", "", "" \
	}
static const struct page_access asks = PAGE(7, PRIVACY_PASSWORD, "$hash$one");
static const struct page_access asks_anew = PAGE(7, PRIVACY_PASSWORD, "$hash$two");
static const struct page_access closed = PAGE(7, PRIVACY_PRIVATE, "$hash$one");
static const struct page_access other_page = PAGE(8, PRIVACY_PASSWORD, "$hash$one");

static const struct visitor_grant by_password = { VISITOR_BY_PASSWORD, { 1000600 } };
static const struct visitor_grant by_link = { VISITOR_BY_LINK, { 1000600 }, 12 };
static const struct visitor_grant by_key = { VISITOR_BY_KEY, { 1000600 }, 0 };

static bool admits(enum visitor_token_kind kind, const struct page_access *access, const char *text,
		   int64_t at_s, struct visitor_grant *grant)
{
	struct visitor_token token = { str_from(text), { at_s } };
	return visitor_token_check(&key, kind, access, &token, &arena, grant);
}

static const char *sign(enum visitor_token_kind kind, const struct page_access *access,
			const struct visitor_grant *grant)
{
	return visitor_token_sign(&key, kind, access, grant, &arena);
}

static void check_kind(enum visitor_token_kind kind)
{
	struct visitor_grant grant;
	const char *password = sign(kind, &asks, &by_password);
	const char *link = sign(kind, &closed, &by_link);
	assert_true(admits(kind, &asks, password, now.s, &grant));
	assert_int_equal(VISITOR_BY_PASSWORD, grant.means);
	assert_int_equal(1000600, grant.end.s);
	assert_false(admits(kind, &closed, password, now.s, &grant));
	assert_false(admits(kind, &asks_anew, password, now.s, &grant));
	assert_false(admits(kind, &other_page, password, now.s, &grant));
	assert_false(admits(kind, &asks, password, 1000600, &grant));

	const struct page_access *const opened[] = { &asks, &asks_anew, &closed };
	for (size_t i = 0; i < ARRAY_LEN(opened); i++) {
		assert_true(admits(kind, opened[i], link, now.s, &grant));
		assert_int_equal(VISITOR_BY_LINK, grant.means);
		assert_int_equal(1000600, grant.end.s);
		assert_false(admits(kind, opened[i], link, 1000600, &grant));
	}
	assert_false(admits(kind, &other_page, link, now.s, &grant));
}

static void a_cookie_admits_by_what_it_was_signed_for(void **state)
{
	(void)state;
	check_kind(VISITOR_COOKIE);
}

static void an_asset_token_admits_by_what_it_was_signed_for(void **state)
{
	(void)state;
	check_kind(VISITOR_ASSET_TOKEN);
}

static void no_kind_stands_in_for_another(void **state)
{
	(void)state;
	struct visitor_grant grant;
	static const enum visitor_token_kind kinds[] = { VISITOR_COOKIE, VISITOR_ASSET_TOKEN,
							 VISITOR_LINK };
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		for (size_t j = 0; j < ARRAY_LEN(kinds); j++) {
			const char *text = sign(kinds[i], &asks, &by_link);
			assert_int_equal(i == j, admits(kinds[j], &asks, text, now.s, &grant));
		}
}

static void a_link_is_never_by_password(void **state)
{
	(void)state;
	struct visitor_grant grant;
	const char *link = sign(VISITOR_LINK, &asks, &by_password);
	assert_false(admits(VISITOR_LINK, &asks, link, now.s, &grant));
	link = sign(VISITOR_LINK, &asks, &by_link);
	assert_true(admits(VISITOR_LINK, &asks_anew, link, now.s, &grant));
	assert_int_equal(VISITOR_BY_LINK, grant.means);
	assert_int_equal(1000600, grant.end.s);
}

static void a_changed_token_admits_nobody(void **state)
{
	(void)state;
	struct visitor_grant grant;
	const char *cookie = sign(VISITOR_COOKIE, &asks, &by_password);
	const char *signature = strchr(cookie, '.');
	assert_false(admits(VISITOR_COOKIE, &asks, arena_printf(&arena, "1000601%s", signature),
			    now.s, &grant));
	assert_false(
		admits(VISITOR_COOKIE, &asks, arena_printf(&arena, "%sx", cookie), now.s, &grant));
	const char *const nothing[] = { NULL,	       "",	     ".",
					"1000600",     "1000600.",   "x.y",
					"1000600.12.", "1000600.x.", "1000600.12.x.y" };
	for (size_t i = 0; i < ARRAY_LEN(nothing); i++)
		assert_false(admits(VISITOR_COOKIE, &asks, nothing[i], now.s, &grant));
}

/* Tokens that the former release has signed stay valid after an upgrade. */
static void the_signed_bytes_do_not_change(void **state)
{
	(void)state;
	static const struct {
		enum visitor_token_kind kind;
		const struct visitor_grant *grant;
		const char *text;
	} cases[] = {
		{ VISITOR_COOKIE, &by_password, "cookie by password 7 1000600 $hash$one" },
		{ VISITOR_ASSET_TOKEN, &by_password, "pass by password 7 1000600 $hash$one" },
		{ VISITOR_ASSET_TOKEN, &by_key, "pass by key 7 1000600 " },
		{ VISITOR_COOKIE, &by_link, "cookie by link 7 1000600 12" },
		{ VISITOR_ASSET_TOKEN, &by_link, "pass by link 7 1000600 12" },
		{ VISITOR_LINK, &by_link, "link 7 1000600 12" },
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char signature[SECRET_SIGNATURE_SIZE];
		secret_sign(key.bytes, str_from(cases[i].text), signature);
		const char *id = cases[i].grant->link_id > 0 ? "12." : "";
		assert_string_equal(arena_printf(&arena, "1000600.%s%s", id, signature),
				    sign(cases[i].kind, &asks, cases[i].grant));
	}
}

static void a_withdrawn_link_admits_nobody(void **state)
{
	(void)state;
	static const char *const lists[] = { "12", "1,12", "12,120", "3,12,4" };
	static const char *const others[] = { "", "1", "2", "112", "120", "1,2", "121,212" };
	static const enum visitor_token_kind kinds[] = { VISITOR_COOKIE, VISITOR_ASSET_TOKEN,
							 VISITOR_LINK };
	struct visitor_grant grant;
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
		const char *text = sign(kinds[k], &closed, &by_link);
		struct page_access access = closed;
		for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
			access.withdrawn_links = lists[i];
			assert_false(admits(kinds[k], &access, text, now.s, &grant));
		}
		for (size_t i = 0; i < ARRAY_LEN(others); i++) {
			access.withdrawn_links = others[i];
			assert_true(admits(kinds[k], &access, text, now.s, &grant));
			assert_int_equal(12, grant.link_id);
		}
	}
}

/* A token that names another link, or none, has another signature. */
static void the_id_of_a_link_is_signed(void **state)
{
	(void)state;
	struct visitor_grant grant;
	const char *link = sign(VISITOR_LINK, &closed, &by_link);
	const char *signature = strrchr(link, '.') + 1;
	const char *const forged[] = { arena_printf(&arena, "1000600.13.%s", signature),
				       arena_printf(&arena, "1000600.%s", signature),
				       arena_printf(&arena, "1000600.0.%s", signature),
				       arena_printf(&arena, "1000600.-12.%s", signature),
				       arena_printf(&arena, "1000601.12.%s", signature) };
	for (size_t i = 0; i < ARRAY_LEN(forged); i++)
		assert_false(admits(VISITOR_LINK, &closed, forged[i], now.s, &grant));
}

static void a_key_signs_asset_tokens_only(void **state)
{
	(void)state;
	struct visitor_grant grant;
	assert_false(admits(VISITOR_COOKIE, &closed, sign(VISITOR_COOKIE, &closed, &by_key), now.s,
			    &grant));
}

/* Such a cookie was signed before cookies named the means of admission. */
static void a_cookie_without_means_admits_nobody(void **state)
{
	(void)state;
	struct visitor_grant grant;
	char signature[SECRET_SIGNATURE_SIZE];
	secret_sign(key.bytes, STR("cookie 7 1000600 $hash$one"), signature);
	const char *cookie = arena_printf(&arena, "1000600.%s", signature);
	assert_false(admits(VISITOR_COOKIE, &asks, cookie, now.s, &grant));
	assert_false(admits(VISITOR_COOKIE, &closed, cookie, now.s, &grant));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cookie_admits_by_what_it_was_signed_for),
		cmocka_unit_test(an_asset_token_admits_by_what_it_was_signed_for),
		cmocka_unit_test(no_kind_stands_in_for_another),
		cmocka_unit_test(a_link_is_never_by_password),
		cmocka_unit_test(a_changed_token_admits_nobody),
		cmocka_unit_test(the_signed_bytes_do_not_change),
		cmocka_unit_test(a_withdrawn_link_admits_nobody),
		cmocka_unit_test(the_id_of_a_link_is_signed),
		cmocka_unit_test(a_key_signs_asset_tokens_only),
		cmocka_unit_test(a_cookie_without_means_admits_nobody),
	};
	return cmocka_run_group_tests(tests, arena_start, arena_end);
}
