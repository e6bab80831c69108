#include "unit/lib/unit.h"

#include "base/secret.h"
#include "http/request.h"
#include "unit/lib/fake_gateway.h"
#include "wire/limits.h"

static struct request request;
static struct error error;

static enum result read_with(const struct config *config, const char *const (*params)[2])
{
	struct fake_gateway fake = { .gateway = FAKE_GATEWAY };
	for (size_t i = 0; params[i][0]; i++)
		memcpy(fake.params[i], params[i], sizeof(fake.params[i]));
	arena_reset(&arena);
	error = (struct error){ 0 };
	return request_read(&request, &fake.gateway, config, &arena, &error);
}

#define READ(config, ...) read_with(config, (const char *const[][2]){ __VA_ARGS__, { NULL, NULL } })

static const char *path(void)
{
	const char *text = "";
	for (size_t i = 0; i < request.segment_count; i++)
		text = arena_printf(&arena, "%s/%s", text, request.segments[i]);
	return text;
}

static const struct config plain = { .trusted_proxies = "" };

static void the_path_below_the_mount_is_found(void **state)
{
	(void)state;
	static const struct config with_path = { .base_url = "https://h.example/status",
						 .trusted_proxies = "" };
	static const struct {
		const struct config *config;
		const char *uri, *script, *info;
		const char *wanted;
	} rows[] = {
		/* nginx: no PATH_INFO */
		{ &plain, "/api/v1/x?a=b", "/api/v1/x", NULL, "/api/v1/x" },
		{ &plain, "/api/v1/x/", NULL, NULL, "/api/v1/x" },
		{ &plain, "/", NULL, NULL, "" },
		{ &plain, "/a%2Fb/%73", NULL, NULL, "/a/b/s" },
		{ &plain, "http://h.example/api", NULL, NULL, "/api" },
		{ &plain, "http://h.example", NULL, NULL, "" },
		/* Apache with the program in cgi-bin */
		{ &plain, "/cgi-bin/daymark.cgi/api/v1", "/cgi-bin/daymark.cgi", "/api/v1",
		  "/api/v1" },
		{ &plain, "/cgi-bin/daymark.cgi", "/cgi-bin/daymark.cgi", NULL,
		  "/cgi-bin/daymark.cgi" },
		/* a rewritten URL */
		{ &plain, "/status/api/v1", "/cgi-bin/daymark.cgi", "/api/v1", "/api/v1" },
		{ &with_path, "/status/api/v1", NULL, NULL, "/api/v1" },
		{ &with_path, "/statusx/api", NULL, NULL, "/statusx/api" },
		/* no REQUEST_URI */
		{ &plain, NULL, "/d.cgi", "/api", "/api" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(OK, READ(rows[i].config, { "REQUEST_URI", rows[i].uri },
					  { "SCRIPT_NAME", rows[i].script },
					  { "PATH_INFO", rows[i].info }));
		if (strcmp(rows[i].wanted, path()) != 0)
			fail_msg("row %zu: %s", i, path());
	}
}

static void a_bad_path_is_malformed(void **state)
{
	(void)state;
	static const char *const rows[] = {
		"/%",	"/%zz",	 "/a%00b",
		"/%ff", "/\xff", "/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17"
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(E_MALFORMED, READ(&plain, { "REQUEST_URI", rows[i] }));
	char long_path[WIRE_PATH_MAX_BYTES + 2] = "/";
	memset(long_path + 1, 'a', WIRE_PATH_MAX_BYTES);
	assert_int_equal(E_MALFORMED, READ(&plain, { "REQUEST_URI", long_path }));
	long_path[WIRE_PATH_MAX_BYTES] = '\0';
	assert_int_equal(OK, READ(&plain, { "REQUEST_URI", long_path }));
}

static void addresses_for_programs_are_told_from_those_for_visitors(void **state)
{
	(void)state;
	static const struct {
		const char *path;
		bool is_for_programs;
	} paths[] = {
		{ "/api/v1/x", true }, { "/api", true },      { "/%61pi/v1", true },
		{ "/hooks/x", true },  { "/internal", true }, { "/healthz", true },
		{ "/readyz/", true },  { "api/x", true },     { "", false },
		{ "/", false },	       { "/s/api/", false },  { "/apis", false },
		{ "/%zz/api", false }, { "/s", false },
	};
	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		assert_int_equal(paths[i].is_for_programs,
				 request_path_is_for_programs(str_from(paths[i].path)));
	/* The base URL is known even if the rest cannot be read. */
	assert_int_equal(E_MALFORMED, READ(&plain, { "REQUEST_URI", "/api/%zz" }));
	assert_true(request.is_for_programs);
	assert_int_equal(E_MALFORMED, READ(&plain, { "REQUEST_URI", "/s/%zz" }));
	assert_false(request.is_for_programs);
}

static void a_long_query_is_malformed(void **state)
{
	(void)state;
	char query[WIRE_QUERY_MAX_BYTES + 2];
	memset(query, 'a', sizeof(query));
	query[WIRE_QUERY_MAX_BYTES + 1] = '\0';
	assert_int_equal(E_MALFORMED,
			 READ(&plain, { "REQUEST_URI", "/" }, { "QUERY_STRING", query }));
	query[WIRE_QUERY_MAX_BYTES] = '\0';
	assert_int_equal(OK, READ(&plain, { "REQUEST_URI", "/" }, { "QUERY_STRING", query }));
}

static void links_follow_the_request_or_the_configuration(void **state)
{
	(void)state;
	static const struct config trusting = { .trusted_proxies = "10.0.0.1" };
	static const struct config fixed = { .base_url = "https://fixed.example",
					     .trusted_proxies = "10.0.0.1" };
	static const struct {
		const struct config *config;
		const char *host, *forwarded_host, *forwarded_proto, *address;
		const char *wanted;
	} rows[] = {
		{ &plain, "h.example:8080", NULL, NULL, "10.0.0.1", "http://h.example:8080" },
		{ &plain, "h.example", "evil.example", "https", "10.0.0.1", "http://h.example" },
		{ &trusting, "h.example", "s.example", "https", "10.0.0.1", "https://s.example" },
		{ &trusting, "h.example", "s.example", "https", "10.0.0.2", "http://h.example" },
		{ &trusting, "h.example", "evil.example, s.example", "http, https", "10.0.0.1",
		  "https://s.example" },
		{ &fixed, "h.example", "s.example", "http", "10.0.0.1", "https://fixed.example" },
		{ &plain, "h\"><script>", NULL, NULL, "", "http://srv.example" },
		{ &plain, "h.example/x", NULL, NULL, "", "http://srv.example" },
		{ &plain, NULL, NULL, NULL, "", "http://srv.example" },
		{ &plain, "[::1]:80", NULL, NULL, "", "http://[::1]:80" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(OK, READ(rows[i].config, { "REQUEST_URI", "/" },
					  { "HTTP_HOST", rows[i].host },
					  { "HTTP_X_FORWARDED_HOST", rows[i].forwarded_host },
					  { "HTTP_X_FORWARDED_PROTO", rows[i].forwarded_proto },
					  { "REMOTE_ADDR", rows[i].address },
					  { "SERVER_NAME", "srv.example" }));
		assert_string_equal(rows[i].wanted, request.base_url);
	}
	assert_int_equal(
		OK, READ(&plain, { "REQUEST_URI", "/" }, { "HTTPS", "on" }, { "HTTP_HOST", "h" }));
	assert_string_equal("https://h", request.base_url);
}

static void content_lengths_are_lengths(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum result result;
		int64_t length;
	} rows[] = {
		{ NULL, OK, -1 },
		{ "", OK, -1 },
		{ "0", OK, 0 },
		{ "12", OK, 12 },
		{ "0012", OK, 12 },
		{ "-1", E_MALFORMED, -1 },
		{ "12x", E_MALFORMED, -1 },
		{ "1e3", E_MALFORMED, -1 },
		{ "99999999999999999999", E_MALFORMED, -1 },
		{ "9223372036854775807", OK, INT64_MAX },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(rows[i].result, READ(&plain, { "REQUEST_URI", "/" },
						      { "CONTENT_LENGTH", rows[i].text }));
		assert_int_equal(rows[i].length, request.content_length);
	}
}

static void the_authorization_may_have_been_moved(void **state)
{
	(void)state;
	assert_int_equal(OK, READ(&plain, { "REQUEST_URI", "/" },
				  { "REDIRECT_HTTP_AUTHORIZATION", "Bearer x" }));
	assert_string_equal("Bearer x", request.authorization);
	assert_int_equal(OK, READ(&plain, { "REQUEST_URI", "/" }, { "REQUEST_METHOD", "HEAD" }));
	assert_null(request.authorization);
	assert_string_equal("GET", request.method);
	assert_true(request.is_head);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_path_below_the_mount_is_found),
		cmocka_unit_test(a_bad_path_is_malformed),
		cmocka_unit_test(a_long_query_is_malformed),
		cmocka_unit_test(addresses_for_programs_are_told_from_those_for_visitors),
		cmocka_unit_test(links_follow_the_request_or_the_configuration),
		cmocka_unit_test(content_lengths_are_lengths),
		cmocka_unit_test(the_authorization_may_have_been_moved),
	};
	secret_init();
	return RUN_WITH_ARENA(tests);
}
