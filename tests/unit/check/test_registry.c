/* Questions to registries, which tests/lib/http-server stands in for. */
#include "unit/lib/unit.h"

#include <stdio.h>

#include "check/registry.h"
#include "unit/probe/http_world.h"

#define URL(path) arena_printf(&arena, "http://127.0.0.1:%d" path, http_port)

static struct config config;
static struct registry registry;
static struct instant answer;
static char reason[CHECK_CAUSE_MAX_BYTES + 1];

static void take(void *context, struct instant date, const char *why)
{
	(void)context;
	answer = date;
	snprintf(reason, sizeof(reason), "%s", why);
	loop_stop(&loop);
}

/* A registry with that list, at http_port. */
static void use_list(const char *path)
{
	registry_close(&registry);
	registry = (struct registry){ .call = take };
	config.rdap_bootstrap = arena_printf(&arena, "http://127.0.0.1:%d%s", http_port, path);
	registry_open(&registry, &loop, prober, &config);
}

static int open_test(void **state)
{
	registry = (struct registry){ .loop = NULL };
	return open_prober(state);
}

static int close_test(void **state)
{
	registry_close(&registry);
	return close_prober(state);
}

static void ask(const char *domain)
{
	answer.s = -1;
	registry_ask(&registry, domain);
	assert_int_equal(-1, answer.s);
	loop_run(&loop);
}

/* The names that the registry was asked for since the last call. */
static const char *asked(void)
{
	static size_t seen;
	struct buf body CLEANUP(buf_done) = BUF_INIT(1 << 20);
	probe_body = &body;
	is_up("/rdap/asked");
	seen += seen > 0 && seen < body.len; /* the blank */
	const char *names =
		body.len > seen ? arena_strndup(&arena, body.data + seen, body.len - seen) : "";
	seen = body.len;
	return names;
}

static void needs_servers(void)
{
	is_up("/status/200"); /* skips the test without them */
}

static void a_registry_states_the_end(void **state)
{
	(void)state;
	needs_servers();
	use_list("/registries/com=2027-03-01T00:00:00Z,org=moved");
	(void)asked();
	ask("example.com");
	assert_string_equal("", reason);
	assert_int_equal(1803859200, answer.s);
	ask("example.org");
	assert_int_equal(1803859200, answer.s);
	assert_string_equal("example.com example.org example.org", asked());
	ask("example.net");
	assert_int_equal(0, answer.s);
	assert_string_equal("the registry has no RDAP", reason);
	assert_string_equal("", asked());
}

static void any_other_answer_is_unknown(void **state)
{
	static const struct {
		const char *kind, *why;
	} kinds[] = {
		{ "404", "HTTP status 404" },
		{ "500", "HTTP status 500" },
		{ "soon", "the registry states no date" },
		{ "other", "the registry states no date" },
		{ "html", "the registry states no date" },
		{ "huge", "the response is too long" },
	};
	(void)state;
	needs_servers();
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		use_list(arena_printf(&arena, "/registries/com=%s", kinds[i].kind));
		ask("example.com");
		assert_int_equal(0, answer.s);
		assert_string_equal(kinds[i].why, reason);
		assert_true(registry_is_ready(&registry, "example.com"));
	}
}

static void a_registry_that_is_busy_is_left_alone(void **state)
{
	(void)state;
	needs_servers();
	use_list("/registries/com=429,org=2027-03-01T00:00:00Z");
	ask("example.com");
	assert_int_equal(0, answer.s);
	assert_string_equal("HTTP status 429", reason);
	assert_false(registry_is_ready(&registry, "another.com"));
	assert_true(registry_is_ready(&registry, "another.org"));
	assert_in_range(registry.limited[0].until_ms - clock_ms(), 7190 * 1000, 7200 * 1000);
	registry.limited[0].until_ms = clock_ms();
	assert_true(registry_is_ready(&registry, "another.com"));
}

static void a_list_that_cannot_be_read_is_tried_again(void **state)
{
	(void)state;
	needs_servers();
	(void)asked();
	use_list("/status/503");
	ask("example.com");
	assert_int_equal(0, answer.s);
	assert_string_equal("the list of registries cannot be read", reason);
	assert_in_range(registry.list_until_ms - clock_ms(), 3590 * 1000, 3600 * 1000);
	/* A list that was read stays, if the next cannot be. */
	use_list("/registries/com=2027-03-01T00:00:00Z");
	ask("example.com");
	assert_in_range(registry.list_until_ms - clock_ms(), INT64_C(604790000),
			INT64_C(604800000));
	registry.list_url = URL("/text/nothing");
	registry.list_until_ms = clock_ms();
	ask("example.com");
	assert_int_equal(1803859200, answer.s);
	assert_string_equal("example.com example.com", asked());
}

static void private_addresses_are_refused(void **state)
{
	(void)state;
	needs_servers();
	use_prober(false, NULL);
	use_list("/registries/com=2027-03-01T00:00:00Z");
	ask("example.com");
	assert_int_equal(0, answer.s);
	assert_string_equal("the list of registries cannot be read", reason);
}

static void a_question_can_be_given_up(void **state)
{
	(void)state;
	needs_servers();
	use_list("/registries/com=silent");
	registry_ask(&registry, "example.com");
	registry_close(&registry);
	use_list("/registries/com=silent");
	registry.list_until_ms = clock_ms() + 1000;
	registry_ask(&registry, "example.com"); /* the reason waits */
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, open_test, close_test)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_registry_states_the_end),
		TEST(any_other_answer_is_unknown),
		TEST(a_registry_that_is_busy_is_left_alone),
		TEST(a_list_that_cannot_be_read_is_tried_again),
		TEST(private_addresses_are_refused),
		TEST(a_question_can_be_given_up),
	};
	return RUN_CHECKS(tests);
}
