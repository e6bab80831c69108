/* Cookies, passes and links against the privacy that a page has when they come back. */
#include "unit/lib/unit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/secret.h"
#include "publish/gate.h"

static char path[] = "/tmp/daymark-gate-XXXXXX";
static struct pages_dir dir;

static const struct instant now = { 1000000 };
static const struct gate asks = { 7, 1, PRIVACY_PASSWORD, "$hash$one" };
static const struct gate asks_anew = { 7, 1, PRIVACY_PASSWORD, "$hash$two" };
static const struct gate closed = { 7, 1, PRIVACY_PRIVATE, "$hash$one" };
static const struct gate other_page = { 8, 1, PRIVACY_PASSWORD, "$hash$one" };

static const struct gate_grant by_password = { GATE_BY_PASSWORD, { 1000600 } };
static const struct gate_grant by_link = { GATE_BY_LINK, { 1000600 } };

static int start(void **state)
{
	arena_start(state);
	dir = PAGES_DIR_CLOSED;
	dir.root_fd = mkdtemp(path) ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	return dir.root_fd < 0;
}

static int end(void **state)
{
	unlinkat(dir.root_fd, "secret", 0);
	pages_dir_close(&dir);
	arena_end(state);
	return rmdir(path);
}

typedef bool token_judge(const struct pages_dir *in, const struct gate *gate,
			 const struct gate_token *token, struct arena *owner,
			 struct gate_grant *grant);

static bool holds(token_judge *judge, const struct gate *gate, const char *text, int64_t at_s,
		  struct gate_grant *grant)
{
	struct gate_token token = { str_from(text), { at_s } };
	return judge(&dir, gate, &token, &arena, grant);
}

/* What is true of cookies and of passes alike. */
static void check_grants(token_judge *judge, const char *password, const char *link)
{
	struct gate_grant grant;
	assert_true(holds(judge, &asks, password, now.s, &grant));
	assert_int_equal(GATE_BY_PASSWORD, grant.means);
	assert_int_equal(1000600, grant.end.s);
	assert_false(holds(judge, &closed, password, now.s, &grant));
	assert_false(holds(judge, &asks_anew, password, now.s, &grant));
	assert_false(holds(judge, &other_page, password, now.s, &grant));
	assert_false(holds(judge, &asks, password, 1000600, &grant));

	const struct gate *const opened[] = { &asks, &asks_anew, &closed };
	for (size_t i = 0; i < ARRAY_LEN(opened); i++) {
		assert_true(holds(judge, opened[i], link, now.s, &grant));
		assert_int_equal(GATE_BY_LINK, grant.means);
		assert_int_equal(1000600, grant.end.s);
		assert_false(holds(judge, opened[i], link, 1000600, &grant));
	}
	assert_false(holds(judge, &other_page, link, now.s, &grant));
}

static void a_cookie_opens_what_it_was_given_for(void **state)
{
	(void)state;
	check_grants(gate_cookie_holds, gate_cookie(&dir, &asks, &by_password, &arena),
		     gate_cookie(&dir, &closed, &by_link, &arena));
}

static void a_pass_opens_what_it_was_given_for(void **state)
{
	(void)state;
	check_grants(gate_pass_holds, gate_pass(&dir, &asks, &by_password, &arena),
		     gate_pass(&dir, &closed, &by_link, &arena));
}

static void none_stands_in_for_another(void **state)
{
	(void)state;
	struct gate_grant grant;
	const char *cookie = gate_cookie(&dir, &asks, &by_link, &arena);
	const char *pass = gate_pass(&dir, &asks, &by_link, &arena);
	const char *link = gate_link(&dir, 7, (struct instant){ 1000600 }, &arena);
	assert_true(holds(gate_link_holds, &asks, link, now.s, &grant));
	assert_int_equal(1000600, grant.end.s);
	assert_false(holds(gate_cookie_holds, &asks, pass, now.s, &grant));
	assert_false(holds(gate_cookie_holds, &asks, link, now.s, &grant));
	assert_false(holds(gate_pass_holds, &asks, cookie, now.s, &grant));
	assert_false(holds(gate_pass_holds, &asks, link, now.s, &grant));
	assert_false(holds(gate_link_holds, &asks, cookie, now.s, &grant));
	assert_false(holds(gate_link_holds, &asks, pass, now.s, &grant));
}

static void what_was_changed_opens_nothing(void **state)
{
	(void)state;
	struct gate_grant grant;
	const char *cookie = gate_cookie(&dir, &asks, &by_password, &arena);
	const char *signature = strchr(cookie, '.');
	assert_false(holds(gate_cookie_holds, &asks, arena_printf(&arena, "1000601%s", signature),
			   now.s, &grant));
	assert_false(holds(gate_cookie_holds, &asks, arena_printf(&arena, "%sx", cookie), now.s,
			   &grant));
	const char *const nothing[] = { NULL, "", ".", "1000600", "1000600.", "x.y" };
	for (size_t i = 0; i < ARRAY_LEN(nothing); i++)
		assert_false(holds(gate_cookie_holds, &asks, nothing[i], now.s, &grant));
}

/* Before cookies said what they were for, this was signed. */
static void a_cookie_of_the_former_kind_opens_nothing(void **state)
{
	(void)state;
	struct gate_grant grant;
	uint8_t key[SECRET_HASH_BYTES];
	char signature[SECRET_SIGNATURE_SIZE];
	const char *hex = gate_key_text(&dir, &arena);
	assert_true(secret_from_hex(str_from(hex), key, sizeof(key)));
	secret_sign(key, STR("cookie 7 1000600 $hash$one"), signature);
	const char *cookie = arena_printf(&arena, "1000600.%s", signature);
	assert_false(holds(gate_cookie_holds, &asks, cookie, now.s, &grant));
	assert_false(holds(gate_cookie_holds, &closed, cookie, now.s, &grant));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cookie_opens_what_it_was_given_for),
		cmocka_unit_test(a_pass_opens_what_it_was_given_for),
		cmocka_unit_test(none_stands_in_for_another),
		cmocka_unit_test(what_was_changed_opens_nothing),
		cmocka_unit_test(a_cookie_of_the_former_kind_opens_nothing),
	};
	return cmocka_run_group_tests(tests, start, end);
}
